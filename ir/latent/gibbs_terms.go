package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// The terms of a full conditional where the entry of a step has a given value.

// contribution is what the entry of a step adds to a statistic when its value is z.
func (g *conditional) contribution(s *statistic, z *ir.Value) *ir.Value {
	v := s.sum
	rest := ir.Without(v.Over, g.sequence(s.term))
	if v.Op == ir.OpContract {
		return g.b.Sum(g.b.Mul(g.at(s.term, v.Args[0], z), g.at(s.term, v.Args[1], z)), rest...)
	}
	return g.b.Sum(g.at(s.term, v.Args[0], z), rest...)
}

// with is a statistic where the entry of the step, which is old, has another value.
func (g *conditional) with(s *statistic, old, value *ir.Value) *ir.Value {
	b, gone := g.b, g.contribution(s, old)
	rest := b.Sub(s.carry, gone)
	if s.exact { // what rounding has left of nothing is nothing
		size := b.Mul(b.Num(1e-13), b.Map(ir.OpAbs, gone))
		rest = b.Map(ir.OpSelect, b.Map(ir.OpLe, b.Map(ir.OpAbs, rest), size), b.Num(0), rest)
	}
	return b.Add(rest, g.contribution(s, value))
}

// at is a pointwise or free value at the entry of the step, with z there as given.
func (g *conditional) at(t *conditionalTerm, v, z *ir.Value) *ir.Value {
	b, seq := g.b, g.sequence(t)
	canonical := func(z *ir.Value) *ir.Value { // the other axes of z are those of the leaf
		for i, a := range g.link.axes {
			if !slices.Contains(g.coupled, i) {
				z = b.Rename(z, a, t.axes[i])
			}
		}
		return z
	}
	moved := func(v *ir.Value) *ir.Value {
		for i, a := range seq {
			v = b.Rename(v, a, g.step[i])
		}
		return v
	}
	made := map[*ir.Value]*ir.Value{}
	for _, x := range ir.Reach(v) {
		if t.kind[x] == free {
			continue
		}
		if x.Op == ir.OpLocal && x.Name == g.link.LeafName() {
			made[x] = canonical(z)
			continue
		}
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			if args[i] = made[a]; args[i] == nil {
				args[i] = moved(a)
			}
		}
		if made[x] = chosen(b, x, args); made[x] == nil {
			made[x] = b.Like(x, args)
		}
	}
	if made[v] == nil {
		return moved(v)
	}
	return made[v]
}

// next draws the entry of a step, whose present value is old.
func (g *conditional) next(old *ir.Value) *ir.Value {
	if g.link.Bit {
		return g.bit(old)
	}
	return g.pick(g.logits(old))
}

// logits are the log probabilities of the values of the entry of a step, up to
// a constant; old is its present value.
func (g *conditional) logits(old *ir.Value) *ir.Value {
	b := g.b
	total := b.Num(0)
	for _, t := range g.terms {
		v, over := g.valueAt(t, old, b.Iota(g.value))
		total = b.Add(total, g.renamed(t, sumVarying(b, v, over, g.value)))
	}
	return total
}

// valueAt is a term where the entry of a step is the candidate, and the axes that it
// is to be summed over.
func (g *conditional) valueAt(
	t *conditionalTerm, old, candidate *ir.Value,
) (v *ir.Value, over []*ir.Axis) {
	b := g.b
	keep := []*ir.Axis{g.row} // what the entries have apart from the sequence
	for i, a := range t.axes {
		if i > 0 && !slices.Contains(g.coupled, i) {
			keep = append(keep, a)
		}
	}
	over = ir.Without(t.over, keep)
	switch t.kind[t.v] {
	case pointwise:
		return g.at(t, t.v, candidate), ir.Without(over, g.sequence(t))
	case throughSums:
		return g.candidates(t, old, candidate), over
	}
	return g.replaced(t.v, func(axes []*ir.Axis) *ir.Value {
		return b.Map(ir.OpSelect, g.here(axes), candidate, g.along(g.whole, g.link.axes, axes))
	}), over
}

// renamed gives what is summed of a term the axes of z.
func (g *conditional) renamed(t *conditionalTerm, v *ir.Value) *ir.Value {
	for i, a := range t.axes {
		if i > 0 && !slices.Contains(g.coupled, i) {
			v = g.b.Rename(v, a, g.link.axes[i])
		}
	}
	return v
}

// leastSum stands for a sum of 0 under a logarithm.
const leastSum = 1e-300

// candidates is a term with statistics for every value of the entry.
func (g *conditional) candidates(t *conditionalTerm, old, candidate *ir.Value) *ir.Value {
	b := g.b
	made := map[*ir.Value]*ir.Value{}
	for _, x := range ir.Reach(t.v) {
		if t.kind[x] != throughSums {
			continue
		}
		if g.isStatistic(t, x) {
			i := slices.IndexFunc(g.stats, func(s *statistic) bool { return s.sum == x })
			made[x] = g.with(g.stats[i], old, candidate)
			continue
		}
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			if args[i] = made[a]; args[i] == nil {
				args[i] = a
			}
		}
		if x.Op == ir.OpLog {
			// What is left of a sum, all of which was taken away, may be below 0 by rounding;
			// and where it is 0 at both values, they are to be as good as one another.
			args[0] = b.Map(ir.OpMax, args[0], b.Num(leastSum))
		}
		made[x] = b.Like(x, args)
	}
	return made[t.v]
}
