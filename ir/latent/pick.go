package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// pick draws a value by inversion (op category). logits are the logarithms of the probabilities up
// to a constant. A summand log w that changes from step to step becomes a factor w, so that counts
// need no logarithm or exponential; the other summands are prepared before the steps.
func (g *conditional) pick(logits *ir.Value) *ir.Value {
	b := g.b
	var before, after []*ir.Value
	weight := b.Num(1)
	for _, v := range addends(g.unpadded(logits)) {
		switch {
		case !g.carried(v):
			before = append(before, v)
		case v.Op == ir.OpLog:
			weight = b.Mul(weight, v.Args[0])
		case v.Op == ir.OpSelect && v.Args[1].Op == ir.OpLog && v.Args[2].Is(0):
			weight = b.Mul(weight, b.Map(ir.OpSelect, v.Args[0], v.Args[1].Args[0], b.Num(1)))
		default:
			after = append(after, v)
		}
	}
	for _, list := range [][]*ir.Value{before, after} {
		if len(list) > 0 {
			v := list[0]
			for _, x := range list[1:] {
				v = b.Add(v, x)
			}
			weight = b.Mul(weight, b.Map(ir.OpExp, b.Sub(v, b.Reduce(ir.OpReduceMax, v, g.value))))
		}
	}
	if !weight.Has(g.value) { // all are equally likely
		weight = b.Map(ir.OpEq, b.Iota(g.value), b.Iota(g.value))
	}
	return b.Category(weight, g.number(), g.value)
}

// number returns the uniform random number of the current entry.
func (g *conditional) number() *ir.Value {
	u := g.uniform
	for i, p := range g.coupled {
		u = g.b.Rename(u, g.link.axes[p], g.step[i])
	}
	return u
}

// carried reports whether a value changes from step to step.
func (g *conditional) carried(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpCarry && slices.ContainsFunc(g.step, x.Has) {
			return true
		}
	}
	return false
}
