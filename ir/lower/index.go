package lower

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/size"
)

// index is a[i, lo:hi, :].
func (l *lowerer) index(e *ast.Index) tensor {
	t := l.expr(e.X)
	var axes []*ir.Axis
	v := t.v
	for i, sub := range e.Subs {
		a := t.axes[i]
		if r, ok := sub.(*ast.Range); ok {
			var to *ir.Axis
			v, to = l.slice(v, a, r)
			axes = append(axes, to)
			continue
		}
		var kept []*ir.Axis
		v, kept = l.subscript(v, a, sub)
		axes = append(axes, kept...)
	}
	return tensor{v: v, axes: append(axes, t.axes[len(e.Subs):]...)}
}

// slice keeps lo:hi of an axis.
func (l *lowerer) slice(v *ir.Value, a *ir.Axis, r *ast.Range) (*ir.Value, *ir.Axis) {
	if r.Lo == nil && r.Hi == nil {
		return v, a
	}
	lo, loKnown := zeroSize, true
	if r.Lo != nil {
		lo, loKnown = l.sizeExpr(r.Lo)
	}
	n := a.Size.Sub(lo)
	if use := l.model.Indexes[r]; use != nil {
		n = l.size(use.Len)
	} else if r.Hi != nil {
		if hi, ok := l.sizeExpr(r.Hi); ok {
			n = hi.Sub(lo)
		}
	}
	to := l.b.Axis(a.Name, n)
	if a.Dim != "" && loKnown {
		to.Dim, to.Lo = a.Dim, a.Lo.Add(lo)
	}
	if loKnown {
		return l.b.Slice(v, a, to, lo), to
	}
	start := l.expr(r.Lo)
	index := l.b.Add(start.v, l.b.Iota(to))
	l.checkIndex(r.Lo, index, a.Size)
	return l.b.Gather(v, index, a), to
}

// subscript takes an axis away, or replaces it by those of an array index.
func (l *lowerer) subscript(v *ir.Value, a *ir.Axis, sub ast.Expr) (*ir.Value, []*ir.Axis) {
	if bound, off, ok := l.affine(sub); ok {
		if bound == nil {
			return l.b.At(v, a, off), nil
		}
		if v.Has(bound) {
			// The plate's index again, as in A[i, i].
			return l.b.Gather(v, l.b.Add(l.b.Iota(bound), l.b.Size(off)), a), nil
		}
		return l.b.Slice(v, a, bound, off), nil
	}
	t := l.expr(sub)
	if use := l.model.Indexes[sub]; use == nil || use.Checked {
		l.checkIndex(sub, t.v, a.Size)
	}
	return l.b.Gather(v, t.v, a), t.axes
}

// An indexCheck is an index computed from data that must be below n; with typ,
// a datum that must lie in the type.
type indexCheck struct {
	text  string
	place string
	typ   string
	rule  string // what a negative value breaks
	v     *ir.Value
	n     size.Poly
}

// checkIndex has an index held against its axis when the model is bound.
func (l *lowerer) checkIndex(e ast.Expr, v *ir.Value, n size.Poly) {
	if v.State() || l.inLibrary() || v.Op == ir.OpConst {
		return
	}
	src := l.model.File.Source
	text := src.Text[e.Pos().Start:e.Pos().End]
	l.checks = append(l.checks, indexCheck{text: text, place: fmt.Sprintf("%s:%d", src.Name, src.Position(e.Pos().Start).Line), v: v, n: n})
}

// affine recognises n, t - 1, N - 1: the bound axis (nil for none), and where
// on the indexed axis its entry 0 is.
func (l *lowerer) affine(e ast.Expr) (*ir.Axis, size.Poly, bool) {
	switch e := e.(type) {
	case *ast.Paren:
		return l.affine(e.X)
	case *ast.Name:
		s := l.model.Uses[e]
		if s != nil && s.Kind == check.Bound {
			if a := l.bound[s]; a != nil && s.Range != nil {
				if t, ok := l.frame.lookup(s); ok && l.isIndexOf(t.v, a, l.size(s.Range.Lo)) {
					return a, l.size(s.Range.Lo), true
				}
			}
			return nil, zeroSize, false
		}
	case *ast.Binary:
		if e.Op != "+" && e.Op != "-" {
			break
		}
		a, x, ok := l.affine(e.X)
		b, y, ok2 := l.affine(e.Y)
		if !ok || !ok2 || a != nil && b != nil || b != nil && e.Op == "-" {
			break
		}
		if a == nil {
			a = b
		}
		if e.Op == "-" {
			return a, x.Sub(y), true
		}
		return a, x.Add(y), true
	}
	if p, ok := l.sizeExpr(e); ok {
		return nil, p, true
	}
	return nil, zeroSize, false
}

func (l *lowerer) isIndexOf(v *ir.Value, a *ir.Axis, lo size.Poly) bool {
	return v == l.b.Add(l.b.Iota(a), l.b.Size(lo))
}

// sizeExpr reads an expression as a size, where it is one.
func (l *lowerer) sizeExpr(e ast.Expr) (types.Size, bool) {
	p, ok := l.ownSize(e)
	if !ok || l.isRagged(p) {
		return zeroSize, false // a length of a row is a number of that row
	}
	return l.padded(p), true
}

// ownSize is sizeExpr with the lengths of rows as they are.
func (l *lowerer) ownSize(e ast.Expr) (types.Size, bool) {
	if p, ok := l.model.Sizes[e]; ok {
		return l.own(p), true
	}
	switch e := e.(type) {
	case *ast.Number:
		if e.Int {
			return size.Const(int(e.Value)), true
		}
	case *ast.Paren:
		return l.ownSize(e.X)
	case *ast.Name:
		s := l.model.Uses[e]
		switch {
		case s == nil:
		case s.Kind == check.Const && s.HasValue:
			return size.Const(int(s.Value)), s.Value == float64(int(s.Value))
		case s.Kind == check.Dim, s.Kind == check.SizeVar:
			return l.own(size.Dim(s.Name)), true
		}
	case *ast.Unary:
		if p, ok := l.ownSize(e.X); ok && e.Op == "-" {
			return p.Neg(), true
		}
	case *ast.Binary:
		p, ok := l.ownSize(e.X)
		q, ok2 := l.ownSize(e.Y)
		if !ok || !ok2 {
			return zeroSize, false
		}
		switch e.Op {
		case "+":
			return p.Add(q), true
		case "-":
			return p.Sub(q), true
		case "*":
			return p.Mul(q), true
		}
	}
	return zeroSize, false
}

func sizeOfName(name string) types.Size { return size.Dim(name) }

func sizeNumber(n int) types.Size { return size.Const(n) }
