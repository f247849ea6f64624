package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// A prior on a type that is narrower than the distribution's is the
// distribution conditioned on the type.

// described describes the values of a latent value that has no chart here: its type, its axes, of
// which those of the plates come first, and the bounds of its type.
func (l *Model) described(s *check.Symbol, g *ast.Group, family, own []*ir.Axis) *Param {
	p := &Param{Name: s.Name, Type: s.Type, chart: &chart{}, plates: len(l.plates),
		Family: family, xOwn: own, yOwn: own}
	if g.Type != nil {
		copy(p.ends[:], g.Type.Ends)
	}
	return p
}

// valued describes the values of the discrete unknown whose prior a statement gives.
func (l *Model) valued(left ast.Expr) *Param {
	return &Param{Type: l.Checked.Uses[ast.Root(left)].Type}
}

// ends returns the bounds of the type of the prior's subject, which is the param itself or a part
// of it with the axes given; nil where the type has no bounds.
func (l *Model) ends(p *Param, part ast.Expr, axes []*ir.Axis) (ends [2]*ir.Value) {
	b := l.B
	switch p.Type.Kind {
	case types.Positive, types.Nonnegative, types.PositiveOrdered:
		return [2]*ir.Value{b.Num(0), b.Num(math.Inf(1))}
	case types.Unit:
		return [2]*ir.Value{b.Num(0), b.Num(1)}
	case types.Interval:
		c := p.args(l, p.Type, p.ends[:])
		ends = [2]*ir.Value{c.lo, c.hi}
		if part == nil {
			return ends
		}
		// Bounds along the param's axes are indexed in the same way as the param.
		root := l.Checked.Uses[ast.Root(part)]
		for i, v := range ends {
			if len(v.Axes) > 0 {
				own := &frame{values: map[*check.Symbol]tensor{root: {v: v, axes: p.XAxes()}}}
				ends[i] = l.onto(l.in(own, func() tensor { return l.expr(part) }), axes).v
			}
		}
	}
	return ends
}

// prior returns the log density of a prior for each entry of x, an unknown whose values in
// describes or a part of it with the axes given. Where the type is narrower than the
// distribution's, the distribution is conditioned on it.
func (l *Model) prior(
	u *check.DistUse, d *Dist, x *ir.Value, in *Param, part ast.Expr, axes []*ir.Axis,
) *ir.Value {
	switch {
	case in == nil || !u.Conditioned && !d.tied(in):
		return d.LogPDF(x)
	case in.Type.Kind.Discrete():
		// The probabilities are divided by their sum over the values of the type.
		k := l.B.Axis("value", l.valuesOf(in.Type))
		return l.B.Sub(d.LogPDF(x), l.B.Reduce(ir.OpLogSumExp, d.density(l.B.Iota(k)), k))
	}
	ends := l.ends(in, part, axes)
	if d.lo != nil && ends[0] != nil {
		// A truncated density is divided by the probability of its interval. Here this is the part of
		// it that the type admits.
		d.lo, d.hi = l.later(d.lo, ends[0]), l.earlier(d.hi, ends[1])
	}
	f := d.LogPDF(x)
	switch in.Type.Kind {
	case types.SumToZero:
		return l.onPlane(d, in, f, l.ownAxis(d, in, part))
	case types.Ordered, types.PositiveOrdered:
		f = l.inOrder(d, in, f, part)
	}
	if ends[0] == nil || !u.Conditioned {
		return f
	}
	return l.conditioned(d, in, f, ends)
}

// conditioned divides the density of d, one for each entry, by the probability
// of the type.
func (l *Model) conditioned(d *Dist, p *Param, f *ir.Value, ends [2]*ir.Value) *ir.Value {
	if d.lo != nil {
		return f // a truncated density, which is divided already
	}
	lo, hi := ends[0], ends[1]
	if c := d.unmeasured(lo, hi); c != nil {
		// With constant arguments the probability is a constant, and densities are needed only up to one.
		if !d.state() && !lo.State() && !hi.State() {
			return f
		}
		l.Fail(limits.NoCDF, d.Span,
			"%s has no cdf: the probability that %s is %s cannot be computed, and it changes "+
				"with the unknowns",
			c.name(), p.Name, p.Type.Kind)
	}
	return l.B.Sub(f, d.probability(lo, hi))
}

// centred projects draws of independent normals to the plane where they sum to zero. The projection
// is a draw from the conditioned law.
func (d *Dist) centred(x *ir.Value) *ir.Value {
	b := d.l.B
	return b.Sub(x, b.Div(b.Sum(x, d.plane), b.AxisSize(d.plane)))
}
