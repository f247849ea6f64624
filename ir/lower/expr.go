package lower

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// expr lowers an expression.
func (l *Model) expr(e ast.Expr) tensor {
	t := l.exprAt(e)
	if t.v != nil && t.v.Op.Class != ir.Leaf && t.v.Span.End == 0 && !l.inLibrary() {
		t.v.Span = e.Pos()
	}
	return t
}

func (l *Model) inLibrary() bool {
	for f := l.frame; f != nil; f = f.up {
		if f.lib {
			return true
		}
	}
	return false
}

func (l *Model) exprAt(e ast.Expr) tensor {
	switch e := e.(type) {
	case *ast.Number:
		return number(l.B.Num(e.Value))
	case *ast.Bool:
		if e.Value {
			return number(l.B.Num(1))
		}
		return number(l.B.Num(0))
	case *ast.Inf:
		return number(l.B.Num(math.Inf(1)))
	case *ast.Paren:
		return l.expr(e.X)
	case *ast.Name:
		return l.name(e)
	case *ast.Unary:
		op := ir.OpNeg
		if e.Op == "not" {
			op = ir.OpNot
		}
		t := l.expr(e.X)
		return tensor{v: l.B.Map(op, t.v), axes: t.axes}
	case *ast.Binary:
		return l.binary(e)
	case *ast.If:
		cond := l.expr(e.Cond)
		args := []tensor{cond, l.under(cond, true, e.Then), l.under(cond, false, e.Else)}
		return l.combined(l.typeOf(e), []ast.Expr{e.Cond, e.Then, e.Else}, args,
			func(x []*ir.Value) *ir.Value {
				return l.B.Map(ir.OpSelect, x...)
			})
	case *ast.Array:
		return l.array(e)
	case *ast.Comp:
		return l.comprehension(e)
	case *ast.Index:
		return l.index(e)
	case *ast.Call:
		if p, ok := l.Checked.Sizes[e]; ok { // T(s), the length of a row
			l.chooseRows(e)
			return number(l.length(p))
		}
		return l.call(e)
	case *ast.Select:
		return l.weight(e)
	case *ast.Tuple:
		t := tensor{}
		for _, x := range e.Elems {
			t.parts = append(t.parts, l.expr(x))
		}
		return t
	case *ast.Scan:
		return l.scan(e)
	}
	l.Fail(limits.NotLowered, e.Pos(), "this cannot be compiled yet")
	return tensor{}
}

// typeOf returns the shape that the checker found for an expression, in the size variables of its
// body.
func (l *Model) typeOf(e ast.Expr) types.Shape { return l.Checked.Types[e].Shape }

func (l *Model) name(e *ast.Name) tensor {
	s := l.Checked.Uses[e]
	if s == nil {
		panic("lower: " + e.Name + " means nothing")
	}
	if t, ok := l.frame.lookup(s); ok {
		return l.fresh(t)
	}
	if l.failed[s] {
		panic(bail{}) // the error of its declaration has been reported
	}
	switch s.Kind {
	case check.Const, check.Dim, check.SizeVar:
		if p, ok := l.Checked.Sizes[e]; ok {
			return number(l.length(p))
		}
		if s.Kind == check.Const && s.HasValue {
			return number(l.B.Num(s.Value))
		}
		return number(l.length(sizeOfName(s.Name)))
	case check.LayerParam:
		return l.layerParam(s)
	case check.LocalVar:
		l.Fail(limits.LocalNotLowered, e.Span,
			"%s is a latent value of a row, which cannot be compiled yet", s.Name)
	}
	l.Fail(limits.NotLowered, e.Span, "%s cannot be compiled yet", s.Name)
	return tensor{}
}

// elementwise aligns the arguments to a shape and applies f.
func (l *Model) elementwise(
	shape types.Shape, args []ast.Expr, f func(x []*ir.Value) *ir.Value,
) tensor {
	ts := make([]tensor, len(args))
	for i, a := range args {
		ts[i] = l.expr(a)
	}
	return l.combined(shape, args, ts, f)
}

// combined is elementwise for arguments that are lowered already.
func (l *Model) combined(
	shape types.Shape, args []ast.Expr, ts []tensor, f func(x []*ir.Value) *ir.Value,
) tensor {
	var target []*ir.Axis
	for i, a := range args {
		if len(ts[i].axes) == len(shape) &&
			(target == nil || l.typeOf(a).Equal(shape) && ts[i].v.Op.Class != ir.Leaf) {
			target = ts[i].axes
		}
	}
	if target == nil {
		target = l.axesOf(l.shape(shape))
	}
	x := make([]*ir.Value, len(args))
	for i, a := range args {
		x[i] = l.align(ts[i], l.typeOf(a), shape, target)
	}
	return tensor{v: f(x), axes: target}
}

var binaryOps = map[string]*ir.Op{
	"+": ir.OpAdd, "-": ir.OpSub, "*": ir.OpMul, "/": ir.OpDiv, "^": ir.OpPow, "%": ir.OpMod,
	"==": ir.OpEq, "!=": ir.OpNe, "<": ir.OpLt, "<=": ir.OpLe, ">": ir.OpGt, ">=": ir.OpGe,
	"and": ir.OpAnd, "or": ir.OpOr,
}

func (l *Model) binary(e *ast.Binary) tensor {
	if e.Op == "@" {
		x, y := l.typeOf(e.X), l.typeOf(e.Y)
		return l.matmul(l.padArray(l.expr(e.X), x, 0), l.padArray(l.expr(e.Y), y, 0))
	}
	args := []tensor{l.expr(e.X)}
	if e.Op == "and" || e.Op == "or" {
		args = append(args, l.under(args[0], e.Op == "and", e.Y))
	} else {
		args = append(args, l.expr(e.Y))
	}
	return l.combined(l.typeOf(e), []ast.Expr{e.X, e.Y}, args, func(x []*ir.Value) *ir.Value {
		return l.B.Map(binaryOps[e.Op], x...)
	})
}

// matmul returns the product of a and b, summed over the last axis of a and the first of b.
func (l *Model) matmul(a, b tensor) tensor {
	n := len(a.axes) - 1
	k := a.axes[n]
	right := l.B.Rename(b.v, b.axes[0], k)
	axes := append(append([]*ir.Axis{}, a.axes[:n]...), b.axes[1:]...)
	return tensor{v: l.B.Sum(l.B.Mul(a.v, right), k), axes: axes}
}

// array lowers [a, b, …].
func (l *Model) array(e *ast.Array) tensor {
	shape := l.typeOf(e)[1:]
	to := l.B.Axis("k", sizeNumber(len(e.Elems)))
	var inner []*ir.Axis
	parts := make([]*ir.Value, len(e.Elems))
	for i, x := range e.Elems {
		t := l.expr(x)
		if inner == nil {
			if len(t.axes) == len(shape) {
				inner = t.axes
			} else {
				inner = l.axesOf(l.shape(shape))
			}
		}
		parts[i] = l.align(t, l.typeOf(x), shape, inner)
	}
	return tensor{v: l.B.Stack(to, parts...), axes: append([]*ir.Axis{to}, inner...)}
}

// bind makes the axis and the value of the index of a plate or comprehension.
func (l *Model) bind(b *ast.Bind) *ir.Axis {
	r := l.Checked.Ranges[b]
	if r == nil {
		panic("lower: a bind without range")
	}
	l.chooseRows(b.In)
	if l.isRagged(r.Lo) {
		l.Fail(limits.RaggedNotLowered, b.Span,
			"a range that starts at the length of a row cannot be compiled yet")
	}
	lo := l.Size(r.Lo)
	a := l.rangeAxis(b.Var.Name, lo, l.Size(r.Len))
	if r.Moves() {
		a.Dim, a.Lo = "", zeroSize // its entries are not rows of a dim
		l.moving[a] = true
	}
	if n := l.Size(r.Len); !r.Moves() || slices.ContainsFunc(n.Terms, func(t size.Term) bool {
		return t.Coef < 0
	}) {
		l.checkRange(b, n)
	}
	l.frame.values[r.Var] = number(l.B.Add(l.B.Iota(a), l.B.Size(lo)))
	l.bound[r.Var] = a
	l.indices[b.Var.Name] = boundIndex{axis: a, lo: lo}
	mask := l.inside(a, r.Len, nil, nil)
	if r.Moves() {
		mask = l.within(r, l.frame.values[r.Var].v, mask)
	}
	if mask != nil {
		l.masks[a] = mask
	}
	if l.draw != nil {
		l.draw = append(l.draw, a)
	}
	return a
}

// within is 1 for indices between the ends of a range whose ends vary, and where mask, if not nil,
// is 1.
func (l *Model) within(r *check.Range, index, mask *ir.Value) *ir.Value {
	b := l.B
	for i, op := range []*ir.Op{ir.OpGe, ir.OpLt} {
		if r.Ends[i] == nil {
			continue
		}
		inside := b.Map(op, index, l.expr(r.Ends[i]).v)
		if mask != nil {
			inside = b.Map(ir.OpAnd, mask, inside)
		}
		mask = inside
	}
	return mask
}

// checkRange adds a check that the length of a range is not negative, made when data are bound, if
// the compiler cannot tell.
func (l *Model) checkRange(b *ast.Bind, n types.Size) {
	if _, isDim := n.Name(); isDim || l.inLibrary() {
		return
	}
	if k, ok := n.Number(); ok && k >= 0 {
		return
	}
	src, at := l.Checked.File.Source, b.In.Pos()
	l.ranges = append(l.ranges, model.Range{Text: src.Text[at.Start:at.End],
		Place: src.Place(at.Start), Size: n})
}

// comprehension lowers [e for i in I, j in J].
func (l *Model) comprehension(e *ast.Comp) tensor {
	v, axes, inner := l.over(e)
	return tensor{v: v, axes: append(axes, inner...)}
}

// over lowers the element of a comprehension with its indices bound.
func (l *Model) over(e *ast.Comp) (v *ir.Value, bound, inner []*ir.Axis) {
	saved := l.draw
	t := l.in(&frame{}, func() tensor {
		for i := range e.Binds {
			bound = append(bound, l.bind(&e.Binds[i]))
		}
		return l.expr(e.Elem)
	})
	l.draw = saved
	return t.v, bound, t.axes
}

// block lowers lets and the value of a body.
func (l *Model) block(b *ast.Block) tensor {
	for _, let := range b.Lets {
		l.let(let)
	}
	return l.expr(b.Result)
}

// let lowers a let and binds its names in the current frame.
func (l *Model) let(s *ast.Let) {
	t := l.expr(s.Value)
	for i := range s.Names {
		sym := l.Checked.Uses[&s.Names[i]]
		part := t
		if s.Tuple {
			part = t.parts[i]
		}
		if part.v != nil && part.v.Hint == "" && !l.inLibrary() {
			part.v.Hint = s.Names[i].Name
		}
		l.frame.values[sym] = part
	}
}
