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
	case !u.Conditioned:
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
	return l.conditioned(d, in, d.LogPDF(x), ends)
}

// conditioned divides the density of d, one for each entry, by the probability
// of the type.
func (l *Model) conditioned(d *Dist, p *Param, f *ir.Value, ends [2]*ir.Value) *ir.Value {
	lo, hi := ends[0], ends[1]
	switch {
	case p.Type.Kind == types.SumToZero:
		return l.onPlane(d, p, f)
	case lo == nil:
		// For an ordered vector, K! orders of independent values are one point of the type. The factor is
		// a constant if all entries have one law, which they must for the density to be a product.
		return f
	case d.lo != nil:
		return f
	}
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

// onPlane conditions independent normals x[k] of means μ[k] and one deviation σ
// on Σ x = 0: Σ x / √K is normal about Σ μ / √K with the deviation σ, and its
// density at 0 is the normaliser, with respect to Lebesgue measure on the plane.
func (l *Model) onPlane(d *Dist, p *Param, f *ir.Value) *ir.Value {
	b, k := l.B, planeAxis(d, p)
	if k == nil {
		return f
	}
	mu, sigma, ok := d.normal(k)
	if !ok {
		if d.state() {
			l.Fail(limits.NoCDF, d.Span,
				"%s is conditioned on the plane where the sum of %s is 0: the density of the sum "+
					"is known for a normal with one deviation, and here it changes with the unknowns",
				d.name(), p.Name)
		}
		return f
	}
	z := b.Div(b.Sum(mu, k), b.Mul(b.Map(ir.OpSqrt, b.AxisSize(k)), sigma))
	logp := b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(z, z)), b.Map(ir.OpLog, sigma)),
		b.Num(0.5*math.Log(2*math.Pi)))
	return b.Sub(f, b.Div(logp, b.AxisSize(k))) // an equal share for every entry
}

// planeAxis returns the axis along which the entries sum to zero; nil where the prior is on single
// entries.
func planeAxis(d *Dist, p *Param) *ir.Axis {
	n := len(d.Y.Family)
	if n == 0 || !d.Y.Family[n-1].Size.Equal(p.xOwn[0].Size) {
		return nil
	}
	return d.Y.Family[n-1]
}

// normal returns the mean and the deviation of a normal distribution of the library; false for
// other distributions, or where the deviation changes along k.
func (d *Dist) normal(k *ir.Axis) (mu, sigma *ir.Value, ok bool) {
	switch {
	case d.def == nil || d.fr == nil || !d.fr.lib || d.lo != nil:
		return nil, nil, false
	case d.def.Name == "std_normal":
		return d.l.B.Num(0), d.l.B.Num(1), true
	case d.def.Name != "normal":
		return nil, nil, false
	}
	mu, sigma = d.fr.values[d.def.Params[0]].v, d.fr.values[d.def.Params[1]].v
	return mu, sigma, !sigma.Has(k)
}

// centred projects draws of independent normals to the plane where they sum to zero. The projection
// is a draw from the conditioned law.
func (d *Dist) centred(x *ir.Value) *ir.Value {
	b := d.l.B
	return b.Sub(x, b.Div(b.Sum(x, d.plane), b.AxisSize(d.plane)))
}
