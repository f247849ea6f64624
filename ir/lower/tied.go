package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Types that tie the entries of a vector to each other: ordered, and sum_to_zero.

// tied reports whether the type of an unknown ties the entries of a vector to each other, and the
// distribution is not one on that type.
func (d *Dist) tied(p *Param) bool {
	switch p.Type.Kind {
	case types.Ordered, types.PositiveOrdered, types.SumToZero:
		return d.def == nil || d.def.On.Own == 0
	}
	return false
}

// ownAxis returns the axis along which a prior gives each entry of the vector p its law: that of
// the family, or of a plate whose index stands last in part. It is nil where the distribution is
// on vectors, or on single entries.
func (l *Model) ownAxis(d *Dist, p *Param, part ast.Expr) *ir.Axis {
	size := p.xOwn[0].Size
	if n := len(d.Y.Family); n > 0 && d.Y.Family[n-1].Size.Equal(size) {
		return d.Y.Family[n-1]
	}
	if x, ok := part.(*ast.Index); ok {
		k, from, ok := l.affine(x.Subs[len(x.Subs)-1])
		if ok && k != nil && from.Equal(zeroSize) && k.Size.Equal(size) {
			return k
		}
	}
	return nil
}

// inOrder conditions independent values of one law, one for each entry of k, on their order. All K!
// orders have the same probability.
func (l *Model) inOrder(d *Dist, p *Param, f *ir.Value, part ast.Expr) *ir.Value {
	b, k := l.B, l.ownAxis(d, p, part)
	if k == nil || d.Reads(k) {
		if !l.inPlace(d, p, part) {
			l.untold(d, p, "independent entries of one law")
		}
		return f
	}
	n := b.AxisSize(k)
	if size, ok := k.Size.Number(); ok {
		orders, _ := math.Lgamma(float64(size) + 1)
		return b.Add(f, b.Num(orders/float64(size)))
	}
	return b.Add(f, b.Div(b.Map(ir.OpLgamma, b.Add(n, b.Num(1))), n))
}

// inPlace reports whether the probability of the order does not depend on unknowns other than p, or
// the statements for the entries of p say the order: all but one are truncated by another entry.
func (l *Model) inPlace(d *Dist, p *Param, part ast.Expr) bool {
	x, entry := part.(*ast.Index)
	if !entry || len(d.Y.Own) > 0 || len(d.Y.Family) > 0 {
		return !d.otherUnknowns(p)
	}
	if d.after(p) {
		return true
	}
	p.loose++
	if _, one := x.Subs[len(x.Subs)-1].(*ast.Number); !one {
		p.loose++ // the entries of a plate
	}
	p.varies = p.varies || d.otherUnknowns(p)
	return p.loose < 2 || !p.varies
}

// untold refuses a prior whose normaliser depends on unknowns and has no formula.
func (l *Model) untold(d *Dist, p *Param, known string) {
	what := "the probability that the entries of " + p.Name + " come in order"
	if p.Type.Kind == types.SumToZero {
		what = "the density of a sum of 0 of the entries of " + p.Name
	}
	e := &diag.Diagnostic{Code: limits.NoCDF, File: l.Checked.File.Source,
		Span: l.userSpan(d.Span), Message: what + " divides this prior. It has a formula for " +
			known + ", and " + d.name() + " here has none, while it changes with the unknowns"}
	if p.Type.Kind != types.SumToZero && d.hasCDF() {
		e.Note("where each entry has a law given the one before it, write the order: " + p.Name +
			"[k] ~ " + d.name() + "(…) truncated(" + p.Name + "[k - 1], inf)")
	}
	if d.def != nil {
		density := d.name() + ".logpdf(" + p.Name + ", …)"
		if len(d.Y.Own) == 0 {
			density = "sum(" + density + ")"
		}
		e.Note("to leave the divisor out, declare " + p.Name + " without a prior and add the " +
			"density: factor " + density)
	}
	l.Diags.Add(e)
	panic(bail{})
}

// after reports whether a truncation by another entry of p, as in x[k] ~ d(…) truncated(x[k - 1],
// inf), puts the entry in its place.
func (d *Dist) after(p *Param) bool {
	return d.lo != nil && !d.cens && (p.readIn(d.lo) || p.readIn(d.hi))
}

// readIn reports whether a value depends on the unknown p.
func (p *Param) readIn(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		if p.leaf(x) {
			return true
		}
	}
	return false
}

// leaf reports whether a value is the leaf of p.
func (p *Param) leaf(x *ir.Value) bool {
	return x.Op.Class == ir.Leaf && x.State() &&
		(p.y != nil && x.Name == p.y.Name || x.Name == model.ValuePrefix+p.Name)
}

// otherUnknowns reports whether an argument depends on unknowns other than p. Of a density that
// depends on p alone, the normaliser is a constant.
func (d *Dist) otherUnknowns(p *Param) bool {
	other := func(v *ir.Value) bool {
		if v == nil || !v.State() {
			return false
		}
		for _, x := range ir.Reach(v) {
			if x.Op.Class == ir.Leaf && x.State() && !p.leaf(x) {
				return true
			}
		}
		return false
	}
	if other(d.lo) || other(d.hi) {
		return true
	}
	if d.fr != nil {
		for _, t := range d.fr.values {
			if other(t.v) {
				return true
			}
		}
	}
	for _, c := range d.comps {
		if other(c.logw) || c.d.otherUnknowns(p) {
			return true
		}
	}
	return false
}

// onPlane conditions a normal vector, or independent normals with one deviation along k, on the
// plane Σ x = 0. Σ x / √K is normal, and its density at 0 is the normaliser, with respect to
// Lebesgue measure on the plane.
func (l *Model) onPlane(d *Dist, p *Param, f *ir.Value, k *ir.Axis) *ir.Value {
	b := l.B
	if mu, sigma, ok := d.normal(k); ok && k != nil {
		n := b.AxisSize(k)
		z := b.Div(b.Sum(mu, k), b.Mul(b.Map(ir.OpSqrt, n), sigma))
		return b.Sub(f, b.Div(l.stdNormal(z, sigma), n)) // an equal share for every entry
	}
	if mu, sigma, ok := d.meanOfEntries(); ok {
		return b.Sub(f, l.stdNormal(b.Div(mu, sigma), sigma))
	}
	if d.otherUnknowns(p) {
		l.untold(d, p, "a normal with one deviation, a multi_normal and a multi_normal_cholesky")
	}
	return f
}

// stdNormal is the log density of a normal with the deviation sigma at z deviations from its mean.
func (l *Model) stdNormal(z, sigma *ir.Value) *ir.Value {
	b := l.B
	return b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(z, z)), b.Map(ir.OpLog, sigma)),
		b.Num(0.5*math.Log(2*math.Pi)))
}

// meanOfEntries returns the mean and the deviation of Σ x / √K for a multi_normal or
// multi_normal_cholesky of the library; false for others.
func (d *Dist) meanOfEntries() (mu, sigma *ir.Value, ok bool) {
	chol := d.IsA("multi_normal_cholesky")
	if d.fr == nil || !d.fr.lib || !chol && !d.IsA("multi_normal") {
		return nil, nil, false
	}
	b, m, s := d.l.B, d.fr.values[d.def.Params[0]], d.fr.values[d.def.Params[1]]
	i, j := s.axes[0], s.axes[1]
	// Only the lower triangle is read.
	lower := b.Map(ir.OpSelect, b.Map(ir.OpLt, b.Iota(i), b.Iota(j)), b.Num(0), s.v)
	var square *ir.Value
	if chol {
		column := b.Sum(lower, i)
		square = b.Sum(b.Mul(column, column), j)
	} else {
		below := b.Map(ir.OpGt, b.Iota(i), b.Iota(j))
		square = b.Sum(b.Mul(lower, b.Add(b.Num(1), below)), i, j)
	}
	n := b.AxisSize(i)
	mu = b.Div(b.Sum(m.v, m.axes[0]), b.Map(ir.OpSqrt, n))
	return mu, b.Map(ir.OpSqrt, b.Div(square, n)), true
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
