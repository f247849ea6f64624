package irtest

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// scan carries one or two values along an axis of x, from either end: sums
// over an axis of what is carried, the index, and values that have nothing to
// do with the steps are in its body.
func (g *generator) scan(x, y *ir.Value) *ir.Value {
	b, t := g.B, g.pickAxis(x)
	if t == nil || len(x.Axes) > 3 || len(y.Axes) > 3 || g.length(t) > 12 {
		return nil
	}
	state := x.State() || y.State()
	one := []*ir.Axis{t}
	own := ir.Without(x.Axes, one)
	axes := append([]*ir.Axis{t}, own...)
	axes = append(axes, ir.Without(y.Axes, axes)...)
	carries := []*ir.Value{b.Carry("p", state, axes...)}
	inits := []*ir.Value{b.Map(ir.OpTanh, b.At(x, t, size.Const(0)))}
	if g.length(t) == 0 {
		inits[0] = b.Num(0.5)
	}
	if g.r.IntN(2) == 0 {
		carries = append(carries, b.Carry("q", state, axes...))
		inits = append(inits, b.Num(0.3))
	}
	last := carries[len(carries)-1]
	squash := func(v *ir.Value) *ir.Value { return b.Map(ir.OpTanh, v) }
	half := b.Mul(b.Num(0.5), carries[0])
	nexts := []*ir.Value{squash(b.Add(half, b.Mul(x, last)))}
	if len(carries) > 1 {
		nexts = append(nexts, squash(b.Add(b.Sub(half, b.Mul(b.Num(0.1), b.Iota(t))), y)))
	}
	if k := g.pickAxis(x); k != nil && k != t && g.r.IntN(2) == 0 {
		// A product of a matrix and what is carried, along a fresh axis.
		j := b.Axis(k.Name+"j", k.Size)
		m := b.Map(ir.OpSin, b.Add(b.Iota(k), b.Mul(b.Num(2), b.Iota(j)))) // [k, j]
		nexts[0] = squash(b.Add(nexts[0], b.Sum(b.Mul(m, b.Rename(carries[0], k, j)), j)))
	}
	switch g.r.IntN(8) {
	case 0, 1: // as it was handed over
		nexts[0] = last
	case 2, 3: // of something else alone
		nexts[len(nexts)-1] = squash(x)
	case 4: // two that are the same
		nexts[len(nexts)-1] = nexts[0]
	case 5: // one in the place of the other and the other way round, each changed at its own place
		nexts[0], nexts[len(nexts)-1] = b.Mul(b.Num(0.9), last), b.Map(ir.OpMax, carries[0], y)
	case 6: // through the end of a scan within
		nexts[len(nexts)-1] = g.within(x, y, t, carries)
	}
	to := b.Axis(t.Name+"s", t.Size.Add(size.Const(1)))
	parts := b.Scan(carries, inits, nexts, t, to, g.r.IntN(2) == 0)
	h := parts[g.r.IntN(len(parts))]
	switch g.r.IntN(4) {
	case 0:
		return b.At(h, to, size.Const(0))
	case 1: // the end alone, so that h may have the memory of one step
		return b.At(h, to, t.Size)
	case 2: // the ends of all
		end := b.Num(0)
		for _, h := range parts {
			end = b.Add(end, b.At(h, to, t.Size))
		}
		return end
	}
	return b.Slice(h, to, t, size.Const(g.r.IntN(2)))
}

// within is the end of a scan in the steps of another along t: along another axis of x, or the same
// step thrice, of a carried value and of another value.
func (g *generator) within(x, y *ir.Value, t *ir.Axis, carries []*ir.Value) *ir.Value {
	b := g.B
	u := b.Axis("u", size.Const(3))
	step := b.Add(x, y)
	if k := g.pickAxis(x); k != nil && k != t && len(x.Axes) < 3 && g.length(k) <= 12 {
		u = b.Axis("u", k.Size)
		step = b.Add(b.Mul(b.Rename(x, k, u), y), x) // larger than what it is made of
	}
	c := carries[0]
	axes := append([]*ir.Axis{t, u}, ir.Without(c.Axes, []*ir.Axis{t})...)
	inner := []*ir.Value{b.Carry("r", c.Mode == ir.OfState, axes...),
		b.Carry("s", c.Mode == ir.OfState, axes...)}
	nexts := []*ir.Value{
		b.Map(ir.OpTanh, b.Add(inner[1], step)),
		b.Map(ir.OpTanh, b.Sub(b.Mul(b.Num(0.5), inner[0]), b.Mul(c, b.Num(0.3)))),
	}
	to := b.Axis("us", u.Size.Add(size.Const(1)))
	parts := b.Scan(inner, []*ir.Value{c, carries[len(carries)-1]}, nexts, u, to, false)
	return b.At(parts[g.r.IntN(2)], to, u.Size)
}
