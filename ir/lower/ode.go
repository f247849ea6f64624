package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
)

// defaultTolerance is the tolerance of ode where the model gives none.
const defaultTolerance = 1e-6

// ode lowers ode(f, z0, t0, ts, …): the slope once, with leaves for the time and the point. As for
// a scan, the slope decides which further axes the point has and whether it depends on the
// unknowns.
func (l *Model) ode(e *ast.Call, c *check.Callee) tensor {
	b := l.B
	if l.expanded++; l.expanded > maxExpansions {
		l.Fail(limits.TooLarge, e.Span, "more than %d calls of functions are expanded",
			maxExpansions)
	}
	start, t0, ts := l.expr(c.Args[1]), l.expr(c.Args[2]), l.expr(c.Args[3])
	own := start.axes
	n := l.oneAxis(start)
	z0 := l.flat(start, n)
	times := b.Axis(ts.axes[0].Name, ts.axes[0].Size)
	at := l.onto(ts, []*ir.Axis{times})
	l.checkTimes(c.Args[3], t0.v, at.v, times)
	var rest []tensor
	for _, a := range c.Rest {
		rest = append(rest, l.expr(a))
	}
	beyond := ir.Without(z0.Axes, []*ir.Axis{n})
	add := func(axes []*ir.Axis) bool {
		extra := ir.Without(axes, append([]*ir.Axis{n, times}, beyond...))
		beyond = append(beyond, extra...)
		return len(extra) > 0
	}
	add(t0.v.Axes)
	add(at.v.Axes)
	state := z0.State() || t0.v.State() || at.v.State()
	checks, ranges := len(l.checks), len(l.ranges)
	for {
		l.checks, l.ranges = l.checks[:checks], l.ranges[:ranges]
		time := b.Carry("time", state)
		point := b.Carry("point", state, append([]*ir.Axis{n}, beyond...)...)
		carries := l.carries
		l.carries = append(carries[:len(carries):len(carries)], time, point)
		slope := l.slope(e, c, time, point, n, own, rest)
		l.carries = carries
		if slope.State() && !state {
			state = true
			continue
		}
		if add(slope.Axes) {
			continue
		}
		stiff := false
		if x, ok := c.Args[7].(*ast.Bool); ok {
			stiff = x.Value
		}
		args := []*ir.Value{time, point, slope, z0, t0.v, at.v,
			l.option(c.Args[4], defaultTolerance), l.option(c.Args[5], defaultTolerance),
			l.option(c.Args[6], 0)}
		over := []*ir.Axis{n}
		v := b.Ode(args, over, times, false, 0)
		if stiff {
			v = l.stiff(e, v)
		}
		v.Span = e.Span
		axes := append([]*ir.Axis{times}, own...)
		if len(own) == 1 {
			axes[1] = n
			return tensor{v: v, axes: axes}
		}
		return tensor{v: l.unflat(v, n, own), axes: axes}
	}
}

// stiff adds to a solution the Jacobian that its implicit method needs.
func (l *Model) stiff(e *ast.Call, v *ir.Value) *ir.Value {
	n := v.Over[0]
	i := l.B.Axis(n.Name, n.Size)
	d, err := l.o.Jacobian(l.B, v, i, nil)
	if err != nil {
		l.Fail(limits.NoDerivative, e.Span,
			"the stiff method needs the derivative of the slope: %s", err)
	}
	return l.B.Ode(append(append([]*ir.Value(nil), v.Args...), d...), []*ir.Axis{n, i},
		v.To, true, 0)
}

// slope expands the user's slope function at a time and a point.
func (l *Model) slope(
	e *ast.Call, c *check.Callee, time, point *ir.Value, n *ir.Axis, own []*ir.Axis, rest []tensor,
) *ir.Value {
	fr := &frame{values: map[*check.Symbol]tensor{}, site: e.Span,
		lib: c.Ode.Symbol.File != l.Checked.File.Source}
	z := tensor{v: point, axes: []*ir.Axis{n}}
	if len(own) != 1 {
		z = tensor{v: l.unflat(point, n, own), axes: own}
	}
	for i, a := range append([]tensor{number(time), z}, rest...) {
		fr.values[c.Ode.Params[i]] = a
	}
	fr.sizes = l.resolved(c.Sizes)
	out := l.in(fr, func() tensor { return l.block(c.Ode.Decl.Body) })
	return l.flat(l.fresh(out), n)
}

// oneAxis makes an axis with as many entries as an array.
func (l *Model) oneAxis(t tensor) *ir.Axis {
	total := sizeNumber(1)
	for _, a := range t.axes {
		total = total.Mul(a.Size)
	}
	return l.B.Axis("z", total)
}

// flat lays an array out along one axis; unflat is its inverse.
func (l *Model) flat(t tensor, n *ir.Axis) *ir.Value {
	switch len(t.axes) {
	case 0:
		return l.B.Stack(n, t.v)
	case 1:
		return l.B.Rename(t.v, t.axes[0], n)
	}
	return l.B.Flatten(t.v, t.axes, n)
}

func (l *Model) unflat(v *ir.Value, n *ir.Axis, axes []*ir.Axis) *ir.Value {
	if len(axes) == 0 {
		return l.B.At(v, n, zeroSize)
	}
	return l.B.Unflatten(v, n, axes)
}

// option lowers an optional argument that must be known at compile time.
func (l *Model) option(e ast.Expr, otherwise float64) *ir.Value {
	if e == nil {
		return l.B.Num(otherwise)
	}
	return l.expr(e).v
}

// checkTimes adds a check, made when data are bound, that times given as data are in order.
func (l *Model) checkTimes(e ast.Expr, t0, ts *ir.Value, times *ir.Axis) {
	if t0.State() || ts.State() || l.inLibrary() || l.drawing() {
		return
	}
	b := l.B
	first := b.Map(ir.OpEq, b.Iota(times), b.Num(0))
	last := b.Map(ir.OpSelect, first, t0, before(b, ts, times))
	src := l.Checked.File.Source
	l.checks = append(l.checks, indexCheck{text: src.Text[e.Pos().Start:e.Pos().End],
		place: src.Place(e.Pos().Start),
		v:     b.Map(ir.OpSelect, b.Map(ir.OpGe, ts, last), b.Num(0), b.Num(-1)), n: sizeNumber(1),
		rule: "the times of an ode rise, from the start's on"})
}
