package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/size"
)

// The full conditional of a discrete local z with entries z[e], from the terms
// that mention it.
//
// Where a term keeps an axis e of z to its end, entries along it are
// independent given all else and are drawn together. Else they are drawn one
// after another, by a scan along e. In a step the term is wanted for every
// value c of the entry at hand. A sum over e of something that reads z at one
// e only, such as a count Σ [z[e] = k] or a predictor Σ w[e] z[e], is a
// statistic: it is carried, and for c it is S − s(z[e]) + s(c). A term that
// has such sums, or is one, costs a step what it costs without e. Any other
// term is evaluated with a whole z that has c in its place.

// gibbs draws all entries of a local once.
func (c *chainer) gibbs(k *link) *ir.Value {
	b := c.b
	var terms []ir.Output
	for _, t := range c.integrated(k) {
		v := c.given(k, t.Value)
		if depends(v, k.leafName())[v] {
			terms = append(terms, ir.Output{Value: v, Axes: t.Axes})
		}
	}
	u := c.random(k, "uniform", "draw", append(slices.Clone(k.axes), c.sweep)...)
	g := &conditional{chainer: c, link: k, value: b.Axis("value", k.values), uniform: u}
	own := len(k.axes) - 1
	for n := 0; ; n++ { // as few axes in sequence as can be; all of them always can
		for _, coupled := range choose(own, n) {
			if g.plan(terms, coupled) {
				return g.draw()
			}
		}
	}
}

// choose lists the sets of m of the numbers 1 to n.
func choose(n, m int) [][]int {
	if m == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for last := m; last <= n; last++ {
		for _, head := range choose(last-1, m-1) {
			out = append(out, append(slices.Clone(head), last))
		}
	}
	return out
}

// A conditional is the law of one entry of a local given all else.
type conditional struct {
	*chainer
	link    *link
	value   *ir.Axis // its values
	uniform *ir.Value
	coupled []int      // places of the axes of z that are gone through in sequence
	step    []*ir.Axis // where they stand, in a step
	terms   []*conditionalTerm
	stats   []*statistic
	whole   *ir.Value // z itself, where a term needs it; a carry
}

// A conditionalTerm is a term with what is known of its values.
type conditionalTerm struct {
	v    *ir.Value
	over []*ir.Axis // it is summed over
	axes []*ir.Axis // of the leaf of z in it
	kind map[*ir.Value]kind
}

// A kind is how a value depends on z, seen along the axes in sequence.
type kind int

const (
	free        kind = iota // not at all
	pointwise               // on the entry of its own place
	throughSums             // through statistics
	entangled               // otherwise
)

// A statistic is a sum over the axes in sequence of something pointwise.
type statistic struct {
	sum   *ir.Value // with z as it is before the sweep
	term  *conditionalTerm
	carry *ir.Value
}

// plan classifies the terms for a choice of axes in sequence; false where
// entries along another axis are coupled.
func (g *conditional) plan(terms []ir.Output, coupled []int) bool {
	g.coupled, g.terms = coupled, nil
	for _, t := range terms {
		ct := &conditionalTerm{v: t.Value, over: t.Axes}
		on := depends(t.Value, g.link.leafName())
		values := ir.Reach(t.Value)
		several := false
		for _, v := range values {
			if v.Op == ir.OpLocal && v.Name == g.link.leafName() {
				several = several || ct.axes != nil && !slices.Equal(ct.axes, v.Axes)
				if ct.axes == nil {
					ct.axes = v.Axes
				}
			}
		}
		for i, a := range ct.axes {
			if i > 0 && !slices.Contains(coupled, i) && (several || !untouched(on, values, a) || !slices.Contains(t.Axes, a)) {
				return false
			}
		}
		g.classify(ct, on, values, several)
		g.terms = append(g.terms, ct)
	}
	return true
}

// sequence is the axes of the term's z that are gone through.
func (g *conditional) sequence(t *conditionalTerm) []*ir.Axis {
	var out []*ir.Axis
	for _, i := range g.coupled {
		out = append(out, t.axes[i])
	}
	return out
}

func (g *conditional) classify(t *conditionalTerm, on map[*ir.Value]bool, values []*ir.Value, several bool) {
	t.kind = map[*ir.Value]kind{}
	seq := g.sequence(t)
	for _, v := range values {
		if !on[v] {
			continue
		}
		if several {
			t.kind[v] = entangled
			continue
		}
		k := free
		if v.Op == ir.OpLocal {
			k = pointwise
		}
		for _, a := range v.Args {
			switch ka := t.kind[a]; {
			case ka == free:
			case k == free:
				k = ka
			case k != ka:
				k = entangled
			}
		}
		touches := slices.ContainsFunc(seq, func(a *ir.Axis) bool { return v.To == a || slices.Contains(v.Over, a) || loses(on, v, a) })
		if k == pointwise && touches {
			k = entangled
			if (v.Op == ir.OpSum || v.Op == ir.OpContract) && len(ir.Without(seq, v.Over)) == 0 {
				k = throughSums
			}
		}
		if k == pointwise && (v.Op.Class == ir.Sequential || v.Op == ir.OpCarry) {
			k = entangled
		}
		t.kind[v] = k
	}
}

// draw draws every entry.
func (g *conditional) draw() *ir.Value {
	b := g.b
	g.step, g.stats, g.whole = nil, nil, nil
	now := g.link.now
	if len(g.coupled) == 0 {
		return g.next(now)
	}
	for _, i := range g.coupled {
		a := g.link.axes[i]
		g.step = append(g.step, b.Axis(a.Name, a.Size))
	}
	needsWhole := false
	for _, t := range g.terms {
		needsWhole = needsWhole || t.kind[t.v] == entangled
		if t.kind[t.v] == entangled {
			continue
		}
		for _, v := range ir.Reach(t.v) {
			if g.isStatistic(t, v) && !slices.ContainsFunc(g.stats, func(s *statistic) bool { return s.sum == v }) {
				g.stats = append(g.stats, &statistic{sum: v, term: t})
			}
		}
	}
	var inits []*ir.Value
	for _, s := range g.stats {
		inits = append(inits, g.replaced(s.sum, func(axes []*ir.Axis) *ir.Value { return g.along(now, g.link.axes, axes) }))
	}
	if needsWhole {
		inits = append(inits, now)
	}
	_, z := g.level(0, inits, now, needsWhole)
	return z
}

// isStatistic reports whether a value takes pointwise values to a sum.
func (g *conditional) isStatistic(t *conditionalTerm, v *ir.Value) bool {
	if t.kind[v] != throughSums {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return t.kind[a] == throughSums })
}

// level goes through the axes in sequence from number p on. It returns what
// is carried, after the last step, and the new z.
func (g *conditional) level(p int, inits []*ir.Value, now *ir.Value, whole bool) (ends []*ir.Value, z *ir.Value) {
	b := g.b
	if p == len(g.step) {
		return g.entry(inits, now, whole)
	}
	t := g.step[p]
	axes := make([][]*ir.Axis, len(inits))
	for i, x := range inits {
		axes[i] = append([]*ir.Axis{t}, x.Axes...)
	}
	carries, nexts := make([]*ir.Value, len(inits)), []*ir.Value(nil)
	for grown := true; grown; { // a step may give what is carried axes that its start lacks
		grown = false
		for i := range inits {
			carries[i] = b.Carry("statistic", true, axes[i]...)
		}
		nexts, z = g.level(p+1, carries, now, whole)
		for i, x := range nexts {
			if extra := ir.Without(x.Axes, axes[i]); len(extra) > 0 {
				axes[i], grown = append(axes[i], extra...), true
			}
		}
	}
	to := b.Axis(t.Name, t.Size.Add(sizeNumber(1)))
	last := b.Carry(g.link.name, true, append([]*ir.Axis{t}, ir.Without(z.Axes, []*ir.Axis{t})...)...)
	g.discrete[last] = g.link.values
	scan := b.Scan(append(slices.Clone(carries), last), append(slices.Clone(inits), b.Num(0)), append(slices.Clone(nexts), z), t, to, false)
	for _, s := range scan[:len(inits)] {
		ends = append(ends, b.At(s, to, t.Size))
	}
	return ends, b.Slice(scan[len(inits)], to, g.link.axes[g.coupled[p]], size.Const(1))
}

// entry draws the entry of a step and brings the statistics up to date.
func (g *conditional) entry(carried []*ir.Value, now *ir.Value, whole bool) (nexts []*ir.Value, z *ir.Value) {
	b := g.b
	for i, s := range g.stats {
		s.carry = carried[i]
	}
	if whole {
		g.whole = carried[len(g.stats)]
	}
	old := now
	for i, p := range g.coupled {
		old = b.Rename(old, g.link.axes[p], g.step[i])
	}
	z = g.next(old)
	for _, s := range g.stats {
		nexts = append(nexts, b.Add(b.Sub(s.carry, g.contribution(s, old)), g.contribution(s, z)))
	}
	if whole {
		nexts = append(nexts, b.Map(ir.OpSelect, g.here(g.link.axes), z, g.whole))
	}
	return nexts, z
}

// here is 1 for the entry of the step.
func (g *conditional) here(axes []*ir.Axis) *ir.Value {
	b, v := g.b, g.b.Num(1)
	for i, p := range g.coupled {
		at := b.Map(ir.OpEq, b.Iota(axes[p]), b.Iota(g.step[i]))
		if i == 0 {
			v = at
		} else {
			v = b.Map(ir.OpAnd, v, at)
		}
	}
	return v
}

// replaced puts a value in the place of every leaf of z, which has axes of its own.
func (g *conditional) replaced(v *ir.Value, z func(axes []*ir.Axis) *ir.Value) *ir.Value {
	return ir.Rewrite(g.b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op == ir.OpLocal && v.Name == g.link.leafName() {
			return z(v.Axes)
		}
		return chosen(b, v, args)
	})[0]
}

// chosen is a gather by all values in turn: a rename.
func chosen(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if v.Op == ir.OpGather && args[1].Op == ir.OpIota && args[0].Has(v.Over[0]) &&
		args[1].Axes[0].Size.Equal(v.Over[0].Size) && !args[0].Has(args[1].Axes[0]) {
		return b.Rename(args[0], v.Over[0], args[1].Axes[0])
	}
	return nil
}

// contribution is what the entry of a step adds to a statistic when its value is z.
func (g *conditional) contribution(s *statistic, z *ir.Value) *ir.Value {
	v := s.sum
	rest := ir.Without(v.Over, g.sequence(s.term))
	if v.Op == ir.OpContract {
		return g.b.Sum(g.b.Mul(g.at(s.term, v.Args[0], z), g.at(s.term, v.Args[1], z)), rest...)
	}
	return g.b.Sum(g.at(s.term, v.Args[0], z), rest...)
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
		if x.Op == ir.OpLocal && x.Name == g.link.leafName() {
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
	if n, known := g.link.values.Number(); known && n == 2 {
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
func (g *conditional) valueAt(t *conditionalTerm, old, candidate *ir.Value) (v *ir.Value, over []*ir.Axis) {
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
			s := g.stats[i]
			made[x] = b.Add(b.Sub(s.carry, g.contribution(s, old)), g.contribution(s, candidate))
			continue
		}
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			if args[i] = made[a]; args[i] == nil {
				args[i] = a
			}
		}
		made[x] = b.Like(x, args)
	}
	return made[t.v]
}
