package irtest

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/size"
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
	switch g.r.IntN(4) {
	case 0: // as it was handed over
		nexts[0] = last
	case 1: // of something else alone
		nexts[len(nexts)-1] = squash(x)
	}
	to := b.Axis(t.Name+"s", t.Size.Add(size.Const(1)))
	parts := b.Scan(carries, inits, nexts, t, to, g.r.IntN(2) == 0)
	h := parts[g.r.IntN(len(parts))]
	if g.r.IntN(2) == 0 {
		return b.At(h, to, size.Const(0))
	}
	return b.Slice(h, to, t, size.Const(g.r.IntN(2)))
}
