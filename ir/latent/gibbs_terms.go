package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Evaluation of the terms of a full conditional for a given value of the current entry.

// contribution returns what the current entry adds to a statistic when its value is z.
func (g *conditional) contribution(s *statistic, z *ir.Value) *ir.Value {
	v := s.sum
	rest := ir.Without(v.Over, g.sequence(s.term))
	if v.Op == ir.OpContract {
		return g.b.Sum(g.b.Mul(g.at(s.term, v.Args[0], z), g.at(s.term, v.Args[1], z)), rest...)
	}
	return g.b.Sum(g.at(s.term, v.Args[0], z), rest...)
}

// with returns a statistic after the current entry changes from old to value.
func (g *conditional) with(s *statistic, old, value *ir.Value) *ir.Value {
	b, gone := g.b, g.contribution(s, old)
	rest := b.Sub(s.carry, gone)
	if s.exact { // a remainder of rounding is set to 0
		size := b.Mul(b.Num(1e-13), b.Map(ir.OpAbs, gone))
		rest = b.Map(ir.OpSelect, b.Map(ir.OpLe, b.Map(ir.OpAbs, rest), size), b.Num(0), rest)
	}
	return b.Add(rest, g.contribution(s, value))
}

// at returns a pointwise or free value of the term at the current entry, with z there as given.
func (g *conditional) at(t *conditionalTerm, v, z *ir.Value) *ir.Value {
	b, seq := g.b, g.sequence(t)
	canonical := func(z *ir.Value) *ir.Value { // give z the axes that the leaf has
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

// next draws the current entry. old is its present value.
func (g *conditional) next(old *ir.Value) *ir.Value {
	if g.link.Bit {
		return g.bit(old)
	}
	return g.pick(g.logits(old))
}

// logits returns the log probabilities, up to a constant, of the possible values of the current
// entry. old is its present value.
func (g *conditional) logits(old *ir.Value) *ir.Value {
	b := g.b
	total := b.Num(0)
	for _, t := range g.terms {
		v, over := g.valueAt(t, old, b.Iota(g.value))
		total = b.Add(total, g.renamed(t, sumVarying(b, v, over, g.value)))
	}
	return total
}

// valueAt returns the term with the candidate as the current entry, and the axes that it is still
// to be summed over.
func (g *conditional) valueAt(
	t *conditionalTerm, old, candidate *ir.Value,
) (v *ir.Value, over []*ir.Axis) {
	b := g.b
	keep := []*ir.Axis{g.row} // the axes of the entries other than the sequential ones
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

// renamed gives the remaining axes of a term's value the names that they have in z.
func (g *conditional) renamed(t *conditionalTerm, v *ir.Value) *ir.Value {
	for i, a := range t.axes {
		if i > 0 && !slices.Contains(g.coupled, i) {
			v = g.b.Rename(v, a, g.link.axes[i])
		}
	}
	return v
}

// leastSum replaces a sum of 0 under a logarithm.
const leastSum = 1e-300

// candidates returns a term with statistics, evaluated for every candidate value of the current
// entry.
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
			// Rounding may leave a sum below 0 after its parts were subtracted. Where the sum is 0 for both
			// values, neither is to be preferred.
			args[0] = b.Map(ir.OpMax, args[0], b.Num(leastSum))
		}
		made[x] = b.Like(x, args)
	}
	return made[t.v]
}
