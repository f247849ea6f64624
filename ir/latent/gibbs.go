package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The full conditional of a discrete local z with entries z[e], from the terms
// that mention it.
//
// Where a term keeps an axis e of z to its end, entries along it are independent given all else and
// are drawn together. Else they are drawn one after another, by a scan along e. In a step the term
// is wanted for every value c of the current entry. A sum over e of something that reads z at one e
// only, such as a count Σ [z[e] = k] or a predictor Σ w[e] z[e], is a statistic: it is carried, and
// for c it is S − s(z[e]) + s(c). A term that has such sums, or is one, costs a step what it costs
// without e. Any other term is evaluated with a whole z that has c in its place.

// gibbs draws all entries of a local once; draw names the random numbers.
func (c *chainer) gibbs(k *link, draw string) *ir.Value {
	b := c.b
	var terms []ir.Output
	for _, t := range c.integrated(k) {
		v := c.given(k, t.Value)
		if depends(v, k.LeafName())[v] {
			terms = append(terms, ir.Output{Value: v, Axes: t.Axes})
		}
	}
	u := c.random(k, "uniform", draw, append(slices.Clone(k.axes), c.sweep)...)
	g := &conditional{chainer: c, link: k, value: b.Axis("value", k.Values), uniform: u}
	own := len(k.axes) - 1
	// try as few sequential axes as possible; making all of them sequential always works
	for n := 0; ; n++ {
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
	value   *ir.Axis // the axis of its possible values
	uniform *ir.Value
	coupled []int      // which axes of z are drawn one entry after another
	step    []*ir.Axis // the axes of the scan, one for each of coupled
	terms   []*conditionalTerm
	stats   []*statistic
	flips   []*flipped
	whole   *ir.Value // all of z, where a term needs it; a carry
}

// draw draws every entry.
func (g *conditional) draw() *ir.Value {
	b := g.b
	g.step, g.stats, g.flips, g.whole = nil, nil, nil, nil
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
		// counts of categories are carried whole and changed in place
		exact := g.link.Bit && slices.ContainsFunc(ir.Reach(t.v), t.singularIn)
		for _, v := range ir.Reach(t.v) {
			if !g.isStatistic(t, v) {
				continue
			}
			i := slices.IndexFunc(g.stats, func(s *statistic) bool { return s.sum == v })
			if i < 0 {
				i, g.stats = len(g.stats), append(g.stats, &statistic{sum: v, term: t})
			}
			g.stats[i].exact = g.stats[i].exact || exact
		}
		g.flip(t)
	}
	var inits []*ir.Value
	for _, s := range g.stats {
		inits = append(inits, g.replaced(s.sum,
			func(axes []*ir.Axis) *ir.Value { return g.along(now, g.link.axes, axes) }))
	}
	for _, f := range g.flips {
		inits = append(inits, g.replaced(f.term.v,
			func(axes []*ir.Axis) *ir.Value { return g.along(now, g.link.axes, axes) }))
	}
	if needsWhole {
		inits = append(inits, now)
	}
	_, z := g.level(0, inits, now, needsWhole)
	return z
}

// level builds the scans over the sequential axes from number p on. It returns the carried values
// after the last step, and the new z.
func (g *conditional) level(
	p int, inits []*ir.Value, now *ir.Value, whole bool,
) (ends []*ir.Value, z *ir.Value) {
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
	for grown := true; grown; { // a step may give a carry axes that its start lacks
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
	to := b.Axis(t.Name, t.Size.Add(size.Const(1)))
	last := b.Carry(g.link.Name, true,
		append([]*ir.Axis{t}, ir.Without(z.Axes, []*ir.Axis{t})...)...)
	g.discrete[last] = g.link.Values
	scan := b.Scan(append(slices.Clone(carries), last), append(slices.Clone(inits), b.Num(0)),
		append(slices.Clone(nexts), z), t, to, false)
	for _, s := range scan[:len(inits)] {
		ends = append(ends, b.At(s, to, t.Size))
	}
	return ends, b.Slice(scan[len(inits)], to, g.link.axes[g.coupled[p]], size.Const(1))
}

// entry draws the current entry of the scan and updates the statistics.
func (g *conditional) entry(
	carried []*ir.Value, now *ir.Value, whole bool,
) (nexts []*ir.Value, z *ir.Value) {
	b := g.b
	for i, s := range g.stats {
		s.carry = carried[i]
	}
	for i, f := range g.flips {
		f.carry = carried[len(g.stats)+i]
	}
	if whole {
		g.whole = carried[len(g.stats)+len(g.flips)]
	}
	old := now
	for i, p := range g.coupled {
		old = b.Rename(old, g.link.axes[p], g.step[i])
	}
	z = g.next(old)
	for _, s := range g.stats {
		if s.flips {
			nexts = append(nexts, g.unless(s.term, z, old, s.carry, g.with(s, old, g.other(old))))
			continue
		}
		nexts = append(nexts, g.with(s, old, z))
	}
	for _, f := range g.flips {
		nexts = append(nexts, g.unless(f.term, z, old, f.carry, f.value))
	}
	if whole {
		nexts = append(nexts, b.Map(ir.OpSelect, g.here(g.link.axes), z, g.whole))
	}
	return nexts, z
}

// here is 1 at the current entry and 0 elsewhere.
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

// replaced replaces every leaf of z in v. A leaf may have other axes than z; z is called with them.
func (g *conditional) replaced(v *ir.Value, z func(axes []*ir.Axis) *ir.Value) *ir.Value {
	return ir.Rewrite(g.b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value,
		args []*ir.Value) *ir.Value {
		if v.Op == ir.OpLocal && v.Name == g.link.LeafName() {
			return z(v.Axes)
		}
		return chosen(b, v, args)
	})[0]
}

// chosen turns a gather at the indices 0, 1, 2, … into a rename.
func chosen(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if v.Op == ir.OpGather && args[1].Op == ir.OpIota && args[0].Has(v.Over[0]) &&
		args[1].Axes[0].Size.Equal(v.Over[0].Size) && !args[0].Has(args[1].Axes[0]) {
		return b.Rename(args[0], v.Over[0], args[1].Axes[0])
	}
	return nil
}
