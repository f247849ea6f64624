package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
)

// probability returns the log probability of an interval, also of mixtures and of truncated
// distributions.
func (d *Dist) probability(lo, hi *ir.Value) *ir.Value {
	l, b := d.l, d.l.B
	switch {
	case d.comps != nil:
		return d.weighted(func(c *Dist) *ir.Value { return c.probability(lo, hi) })
	case d.lo != nil:
		from, to := l.later(d.lo, lo), l.earlier(d.hi, hi)
		if from == d.lo && to == d.hi {
			return b.Num(0)
		}
		p := b.Sub(d.logProb(from, to), d.logProb(d.lo, d.hi))
		return b.Map(ir.OpSelect, b.Map(ir.OpLt, from, to), p, b.Num(math.Inf(-1)))
	case d.covered(lo, hi):
		return b.Num(0)
	}
	return d.logProb(lo, hi)
}

// unmeasured returns what of the distribution, or of its components, has no distribution function
// and may have values outside an interval; nil where the probability of the interval can be
// computed.
func (d *Dist) unmeasured(lo, hi *ir.Value) *Dist {
	for _, c := range d.comps {
		if u := c.d.unmeasured(lo, hi); u != nil {
			return u
		}
	}
	if d.comps != nil || d.hasCDF() || d.covered(lo, hi) {
		return nil
	}
	return d
}

// covered reports whether an interval surely has the whole support of the distribution.
func (d *Dist) covered(lo, hi *ir.Value) bool {
	if d.def == nil || !lo.Is(0) {
		return false
	}
	on := d.def.On.Entry()
	return hi.Is(math.Inf(1)) && on.Info().Nonneg || hi.Is(1) && on == types.Unit
}

// later returns the greater of two lower ends.
func (l *Model) later(x, y *ir.Value) *ir.Value {
	switch {
	case x == y || y.Is(math.Inf(-1)):
		return x
	case x.Is(math.Inf(-1)):
		return y
	}
	return l.B.Map(ir.OpMax, x, y)
}

// earlier returns the smaller of two upper ends.
func (l *Model) earlier(x, y *ir.Value) *ir.Value {
	switch {
	case x == y || y.Is(math.Inf(1)):
		return x
	case x.Is(math.Inf(1)):
		return y
	}
	return l.B.Map(ir.OpMin, x, y)
}
