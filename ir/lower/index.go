package lower

import (
	"math"
	"reflect"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// index lowers a[i, lo:hi, :].
func (l *Model) index(e *ast.Index) tensor {
	t := l.expr(e.X)
	var axes []*ir.Axis
	v := t.v
	of := subject{e.Span, l.lengthsAlong(l.typeOf(e.X), t.axes)}
	for i, sub := range e.Subs {
		a := t.axes[i]
		if r, ok := sub.(*ast.Range); ok {
			var to *ir.Axis
			v, to = l.slice(of, v, a, r)
			axes = append(axes, to)
			continue
		}
		var kept []*ir.Axis
		v, kept = l.subscript(of, v, a, sub)
		axes = append(axes, kept...)
	}
	return tensor{v: v, axes: append(axes, t.axes[len(e.Subs):]...)}
}

// A subject is the array that is being indexed: its place in the file and the lengths of its rows,
// by the name of the ragged dim, along the axis of the rows.
type subject struct {
	span    source.Span
	lengths map[string]*ir.Value
}

// lengthsAlong returns the lengths of rows, by ragged dim, for an array that also has the axis of
// the rows.
func (l *Model) lengthsAlong(shape types.Shape, axes []*ir.Axis) map[string]*ir.Value {
	var out map[string]*ir.Value
	for i, p := range shape {
		for _, d := range l.own(p).Dims() {
			for j := range i {
				if name, ok := l.own(shape[j]).Name(); ok && l.ragged[d] && name == l.parents[d] {
					if out == nil {
						out = map[string]*ir.Value{}
					}
					out[d] = l.lengths(d, axes[j], zeroSize)
				}
			}
		}
	}
	return out
}

// length returns a size as a value; the length of ragged rows is that of the current row, or of
// each row.
func (s subject) length(l *Model, p types.Size) *ir.Value {
	own := l.own(p)
	if slices.ContainsFunc(own.Dims(), func(d string) bool { return s.lengths[d] != nil }) {
		return l.polynomial(own, func(d string) *ir.Value { return s.lengths[d] })
	}
	return l.length(p)
}

// slice returns v at lo:hi of the axis a.
func (l *Model) slice(e subject, v *ir.Value, a *ir.Axis, r *ast.Range) (*ir.Value, *ir.Axis) {
	if r.Lo == nil && r.Hi == nil {
		return v, a
	}
	lo, loKnown := zeroSize, true
	if r.Lo != nil {
		lo, loKnown = l.sizeExpr(r.Lo)
	}
	use := l.Checked.Indexes[r]
	n := l.Size(use.Len)
	to := l.B.Axis(a.Name, n)
	if a.Dim != "" && loKnown {
		to.Dim, to.Lo = a.Dim, a.Lo.Add(lo)
	}
	if loKnown && (!use.Checked || len(l.taken) == 0) {
		if use.Checked {
			l.checkSlice(e, r, a, lo, n, use)
		}
		return l.B.Slice(v, a, to, lo), to
	}
	l.checkLength(e, r, n)
	start := l.B.Num(0)
	if r.Lo != nil {
		start = l.expr(r.Lo).v
	}
	return l.entry(e, r, v, a, l.B.Add(start, l.B.Iota(to)), use), to
}

// subscript removes the axis a, or replaces it by the axes of an array index.
func (l *Model) subscript(
	e subject, v *ir.Value, a *ir.Axis, sub ast.Expr,
) (*ir.Value, []*ir.Axis) {
	if _, ok := l.Checked.Rows[sub]; ok {
		l.chooseRow(sub, l.guarded(l.expr(sub).v))
	}
	use := l.Checked.Indexes[sub]
	if use == nil { // the index of a layer in a family of layers
		use = &check.Subscript{Axis: a.Size, Checked: true}
	}
	if bound, off, ok := l.affine(sub); ok &&
		(!use.Checked || len(l.taken) == 0 && !l.moving[bound]) {
		n := sizeNumber(1)
		if bound != nil {
			n = bound.Size
		}
		if use.Checked {
			l.checkReach(e, sub, a, off, n)
			l.checkRow(e, sub, l.reach(bound, off), use)
		}
		if bound == nil {
			return l.B.At(v, a, off), nil
		}
		if v.Has(bound) {
			// The index of a plate is used twice, as in A[i, i].
			return l.B.Gather(v, l.B.Add(l.B.Iota(bound), l.B.Size(off)), a), nil
		}
		return l.B.Slice(v, a, bound, off), nil
	}
	t := l.expr(sub)
	return l.entry(e, sub, v, a, t.v, use), t.axes
}

// entry reads v along the axis a of e at an index, which is checked when the model
// is bound unless it was proved to be inside.
func (l *Model) entry(
	e subject, sub ast.Expr, v *ir.Value, a *ir.Axis, index *ir.Value, use *check.Subscript,
) *ir.Value {
	if k, ok := index.Const(); ok { // an argument's value, for example, which its type cannot bound
		if n, fixed := a.Size.Number(); !fixed || !(k >= 0 && k < float64(n)) {
			if len(l.taken) == 0 {
				l.checkReach(e, sub, a, sizeNumber(int(k)), sizeNumber(1))
			} else {
				use = &check.Subscript{Kind: use.Kind, Axis: use.Axis, Checked: true}
			}
		}
	}
	if !use.Checked {
		return l.B.Gather(v, l.unpadded(index), a)
	}
	if values, ok := l.indexValues(index); ok {
		// An unknown whose number of values is known.
		l.checkReach(e, sub, a, zeroSize, values)
		return l.B.Gather(v, index, a)
	}
	index = l.guarded(index)
	computed := index.State() || l.drawnAtRandom(index)
	if carried := l.carried(index); computed || carried {
		// A computed index is checked after it is computed. Outside its range nothing is read.
		l.checkReach(e, sub, a, zeroSize, sizeNumber(1))
		b := l.B
		if !computed && !l.isRagged(use.Axis) {
			l.checkIndex(sub, index, a.Size)
		}
		inside := b.Map(ir.OpAnd, b.Map(ir.OpGe, index, b.Num(0)),
			b.Map(ir.OpLt, index, e.length(l, use.Axis)))
		read := b.Gather(v, b.Map(ir.OpSelect, inside, index, b.Num(0)), a)
		return l.unread(b.Map(ir.OpSelect, inside, read, b.Num(math.NaN())))
	}
	if l.isRagged(use.Axis) {
		l.checkReach(e, sub, a, zeroSize, sizeNumber(1)) // an index in a branch that is not taken is 0
		l.checkRow(e, sub, index, use)
	} else {
		l.checkIndex(sub, index, a.Size)
	}
	return l.unread(l.B.Gather(v, index, a))
}

// drawnAtRandom reports whether a value of a `generate` line depends on random numbers.
func (l *Model) drawnAtRandom(v *ir.Value) bool {
	return l.o.Generate && l.draw != nil && slices.ContainsFunc(ir.Reach(v), func(x *ir.Value) bool {
		return x.Op.Draws() ||
			x.Op == ir.OpData && model.Drawn(x.Name)
	})
}

// carried reports whether v depends on a carried value of a recurrence around it.
func (l *Model) carried(v *ir.Value) bool {
	return len(l.carries) > 0 &&
		slices.ContainsFunc(ir.Reach(v),
			func(x *ir.Value) bool { return slices.Contains(l.carries, x) })
}

// finishChecks replaces, in the checks from index first on, which were made inside a recurrence,
// the carried values by their values at every step. Checks that depend on unknowns are dropped.
func (l *Model) finishChecks(first int, carries []*ir.Value, into func(k int) *ir.Value) {
	kept := l.checks[:first]
	for _, c := range l.checks[first:] {
		c.v = ir.Rewrite(l.B, []*ir.Value{c.v},
			func(_ *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
				if k := slices.Index(carries, v); k >= 0 {
					return into(k)
				}
				return nil
			})[0]
		if !c.v.State() {
			kept = append(kept, c)
		}
	}
	l.checks = kept
}

// indexValues returns the number of values that an unknown index can take, where that is known.
func (l *Model) indexValues(index *ir.Value) (size.Poly, bool) {
	if v := chosenFrom(index); v.Op == ir.OpIota {
		// a condition around it may exclude some
		return v.Axes[0].Size, len(l.taken) == 0
	}
	return l.unknownValues(index)
}

// unknownValues returns the number of values of the discrete unknown that an index reads.
func (l *Model) unknownValues(index *ir.Value) (size.Poly, bool) {
	switch v := chosenFrom(index); v.Op {
	case ir.OpState:
		if u := l.groupedLeaf(v); u != nil {
			return u.Axis.Size, true
		}
	case ir.OpLocal:
		for _, z := range l.Sampled {
			if z.Leaf.Name == v.Name && z.Coordinates == nil {
				return z.Values, true
			}
		}
	}
	return zeroSize, false
}

// chosenFrom returns the array that v is a selection from.
func chosenFrom(v *ir.Value) *ir.Value {
	for v.Op == ir.OpGather || v.Op == ir.OpSlice || v.Op == ir.OpRename || v.Op == ir.OpAt {
		v = v.Args[0]
	}
	return v
}

// reach returns the index of an affine subscript: the bound axis plus an offset.
func (l *Model) reach(bound *ir.Axis, off size.Poly) *ir.Value {
	if bound == nil {
		return l.B.Size(off)
	}
	return l.guarded(l.B.Add(l.B.Iota(bound), l.B.Size(off)))
}

// An indexCheck is a check, made when data are bound, that an index computed from data is below n;
// with typ it checks instead that a datum lies in its type.
type indexCheck struct {
	text  string
	place string
	typ   string
	rule  string // the rule that a negative value breaks
	note  string
	v     *ir.Value
	n     size.Poly
}

// noteUnsure returns the note for an index in a branch whose condition cannot guard it.
func (l *Model) noteUnsure() string {
	if l.unsure == 0 {
		return ""
	}
	return "the condition around it is an array or depends on unknowns, so it guards no index: " +
		"keep the index inside by max(0, …) or min(…, …)"
}

// checkIndex adds a check that an index is within its axis.
func (l *Model) checkIndex(e ast.Expr, v *ir.Value, n size.Poly) {
	text, place := l.where(e.Pos())
	for _, a := range l.around() {
		if !v.Has(a) {
			v = l.B.Map(ir.OpSelect, l.masks[a], v, l.B.Num(0))
		}
	}
	l.checks = append(l.checks,
		indexCheck{text: text, place: place, note: l.noteUnsure(), v: v, n: n})
}

// checkReach adds a check that the n entries from lo on lie within the axis a of e.
func (l *Model) checkReach(e subject, sub ast.Expr, a *ir.Axis, lo, n size.Poly) {
	of, place := l.where(e.span)
	text, _ := l.where(sub.Pos())
	r := model.Range{Text: text, Place: place, Size: n, Of: of, From: lo, Axis: a.Size,
		Note: l.noteUnsure()}
	if !slices.ContainsFunc(l.ranges, func(q model.Range) bool { return reflect.DeepEqual(q, r) }) {
		l.ranges = append(l.ranges, r)
	}
}

// checkRow adds a check that an index into a ragged row is below the length of that row.
func (l *Model) checkRow(e subject, sub ast.Expr, index *ir.Value, use *check.Subscript) {
	if !l.isRagged(use.Axis) {
		return
	}
	b := l.B
	row := e.length(l, use.Axis)
	inside := b.Map(ir.OpAnd, b.Map(ir.OpGe, index, b.Num(0)), b.Map(ir.OpLt, index, row))
	l.checkRule(e, sub, inside, row)
}

// checkSlice adds a check that lo:lo+n lies within its axis and, in ragged rows, within each row.
func (l *Model) checkSlice(
	e subject, r *ast.Range, a *ir.Axis, lo, n size.Poly, use *check.Subscript,
) {
	l.checkReach(e, r, a, lo, n)
	if !l.isRagged(use.Axis) && !l.isRagged(use.Len) {
		return
	}
	b := l.B
	length, row := e.length(l, use.Len), e.length(l, use.Axis)
	inside := b.Map(ir.OpAnd, b.Map(ir.OpGe, length, b.Num(0)),
		b.Map(ir.OpLe, b.Add(b.Size(lo), length), row))
	l.checkRule(e, r, inside, row)
}

// checkLength adds a check that the length of a slice with a computed start is not negative, if the
// compiler cannot tell.
func (l *Model) checkLength(e subject, r *ast.Range, n size.Poly) {
	if k, ok := n.Number(); ok && k >= 0 {
		return
	}
	text, place := l.where(r.Span)
	l.ranges = append(l.ranges, model.Range{Text: text, Place: place, Size: n})
}

// checkRule adds a check, made where the subscript is read, that a condition on data holds: that a
// subscript is inside its row.
func (l *Model) checkRule(e subject, sub ast.Expr, holds, row *ir.Value) {
	b := l.B
	for _, a := range l.around() { // rows without entries in the plate read nothing
		holds = b.Map(ir.OpOr, holds, b.Map(ir.OpNot, l.masks[a]))
	}
	for _, cond := range l.taken {
		holds = b.Map(ir.OpOr, holds, b.Map(ir.OpNot, cond))
	}
	of, place := l.where(e.span)
	text, _ := l.where(sub.Pos())
	l.checks = append(l.checks,
		indexCheck{text: of, place: place,
			rule: text + " runs out of a row, which has %d entries, counted from 0",
			note: l.noteUnsure(),
			v:    b.Map(ir.OpSelect, holds, b.Num(0), b.Sub(b.Num(-1), row)), n: sizeNumber(1)})
}

// where returns the source text at a span, and its place. For the body of a library function it
// returns those of the call in the user's file.
func (l *Model) where(at source.Span) (text, place string) {
	for f := l.frame; f != nil; f = f.up {
		if f.lib {
			at = f.site
		}
	}
	src := l.Checked.File.Source
	return src.Text[at.Start:at.End], src.Place(at.Start)
}

// affine recognises subscripts such as n, t - 1, N - 1. It returns the bound axis (nil for none)
// and the offset of its entry 0 on the indexed axis.
func (l *Model) affine(e ast.Expr) (*ir.Axis, size.Poly, bool) {
	switch e := e.(type) {
	case *ast.Paren:
		return l.affine(e.X)
	case *ast.Name:
		s := l.Checked.Uses[e]
		if s != nil && s.Kind == check.Bound {
			if a := l.bound[s]; a != nil && s.Range != nil {
				if t, ok := l.frame.lookup(s); ok && l.isIndexOf(t.v, a, l.Size(s.Range.Lo)) {
					return a, l.Size(s.Range.Lo), true
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

func (l *Model) isIndexOf(v *ir.Value, a *ir.Axis, lo size.Poly) bool {
	return v == l.B.Add(l.B.Iota(a), l.B.Size(lo))
}

// sizeExpr returns an expression as a size; false where it is not one.
func (l *Model) sizeExpr(e ast.Expr) (types.Size, bool) {
	p, ok := l.ownSize(e)
	if !ok || l.isRagged(p) {
		return zeroSize, false // the length of a ragged row is a value, not a size
	}
	return l.padded(p), true
}

// ownSize is sizeExpr that keeps the lengths of ragged rows.
func (l *Model) ownSize(e ast.Expr) (types.Size, bool) {
	if p, ok := l.Checked.Sizes[e]; ok {
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
		s := l.Checked.Uses[e]
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
