package lower

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Sampled local is drawn, for every row of a minibatch, by a chain whose law
// is its posterior given the row and the params:
//
//	∇ log p(rows | params) = E[∇ log p(rows, locals | params)]
//
// by Fisher's identity, so the mean of the right side over the chain's draws is an estimate of the
// gradient. In the functions of the module, the local is a leaf.
type Sampled struct {
	latent.Local
	Coordinates *Param     // for a continuous local: the chart in whose coordinates it moves
	Axes        []*ir.Axis // axes of the leaf: the rows, inner plates, family, coordinates
	Leaf        *ir.Value
}

// Chains reports whether chains draw the continuous locals too. They do if the caller asks for it,
// or if a discrete local is drawn: unknowns that join the state for every row would rule out
// minibatches of rows.
func (l *Model) Chains() bool {
	return l.o.Sampled || slices.ContainsFunc(l.Checked.Locals, func(x *check.Local) bool {
		return x.Symbol.Kind == check.LocalVar && l.strategy(x.Symbol) == "gibbs"
	})
}

// declareSampled declares a local that a chain draws, as a leaf.
func (l *Model) declareSampled(s *check.Symbol, g *ast.Group, i int, by string) {
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	v := &g.Vars[i]
	if len(l.plates) == 0 {
		l.Fail(limits.LocalNotLowered, v.Span,
			"the local %s is in no plate: declare what all rows share as a param", s.Name)
	}
	z := &Sampled{Local: latent.Local{Name: s.Name, Span: v.Span, By: by}}
	family := l.axesOf(s.Type.Shape)
	x := Variate{}
	switch {
	case !s.Type.Kind.Discrete():
		z.Gamma = gammaPrior(s)
		if by == "gibbs" && !z.Gamma {
			l.Fail(limits.LocalNotLowered, v.Span,
				"gibbs draws a continuous local where its full conditional is a gamma law, and "+
					"%s has no gamma prior: leave by out, or write by gmc", s.Name)
		}
		z.Gamma = z.Gamma && s.By != "gmc"
		z.Coordinates = l.coordinates(s, g, v)
		z.Chart = &latent.Chart{Sphere: z.Coordinates.chart.embedded, Own: len(z.Coordinates.yOwn)}
		z.Axes = z.Coordinates.yAxes()
		z.Leaf = z.Coordinates.y
		family = z.Coordinates.XAxes()[len(l.plates):]
		x.V = z.Coordinates.X
	default:
		z.Values, z.Bit = sizeNumber(2), s.Type.Kind == types.Bool
		if s.Type.Kind == types.Index {
			z.Values = l.Size(s.Type.Below)
		}
		if !s.Type.Kind.Discrete() || s.Type.Kind == types.Int || s.Type.Kind == types.Count {
			l.Fail(limits.LocalNotLowered, v.Span,
				"gibbs draws from finitely many values, and %s is %s", s.Name, s.Type.Kind)
		}
		z.Axes = append(slices.Clone(l.plates), family...)
		z.Leaf = l.B.Leaf(ir.OpLocal, z.LeafName(), z.Axes...)
		x.V = z.Leaf
	}
	if x.V.Hint == "" {
		x.V.Hint = s.Name
	}
	l.nonempty(z, s)
	l.Sampled = append(l.Sampled, z)
	l.frame.values[s] = tensor{v: x.V, axes: family}
	if z.Coordinates != nil && !z.Coordinates.LogJ.Is(0) {
		over := append(slices.Clone(l.plates), z.Coordinates.Family[len(l.plates):]...)
		l.Terms = append(l.Terms,
			Term{V: z.Coordinates.LogJ, Over: over, Span: v.Span, Site: s.Name})
	}
	if g.Prior == nil {
		return
	}
	x.Family, x.Own = family[:len(s.Prior.Family)], family[len(s.Prior.Family):]
	d := l.bindUse(s.Prior, x, g.Prior.Span)
	if z.Coordinates != nil && walled(s, d) {
		l.Fail(limits.LocalNotLowered, g.Prior.Span,
			"%s is drawn by a chain, which may start beyond the bounds of this prior and would "+
				"never get in: declare it as interval(lo, hi) with these bounds, or as positive "+
				"above 0; a prior is cut to the type", s.Name)
	}
	in := z.Coordinates
	if in == nil {
		in = &Param{Type: s.Type}
	}
	f := l.prior(s.Prior, d, x.V, in, nil, nil)
	over := append(slices.Clone(l.plates), x.Family...)
	l.Terms = append(l.Terms, Term{V: f, Over: over, Span: g.Prior.Span, Site: s.Name})
}

// nonempty refuses a type without values; if its sizes depend on data, they are checked when data
// are bound.
func (l *Model) nonempty(z *Sampled, s *check.Symbol) {
	sizes := []size.Poly{z.Values}
	if z.Coordinates != nil {
		sizes = ir.Sizes(z.Coordinates.xOwn)
	}
	for _, n := range sizes {
		k, known := n.Number()
		switch {
		case !known:
			z.Type, z.Sizes = s.Type.Kind.String(), append(z.Sizes, n)
		case k < 1:
			l.Fail(limits.LocalNotLowered, z.Span, "%s of size %d has no value: the local %s",
				s.Type.Kind, k, z.Name)
		}
	}
}

// gammaPrior reports whether a local is positive with a gamma prior.
func gammaPrior(s *check.Symbol) bool {
	return s.Type.Kind == types.Positive && s.Prior != nil && s.Prior.Def != nil &&
		s.Prior.Def.Name == "gamma" && s.Prior.Trunc == nil
}

// walled reports whether a prior is zero beyond a bound that the type does not have. The chart of a
// type stays within its bounds. Beyond a bound of the prior alone, the density has no gradient that
// leads back.
func walled(s *check.Symbol, d *Dist) bool {
	switch {
	case s.Type.Kind == types.Interval:
		return false
	case d.lo != nil && !d.cens:
		return s.Type.Kind != types.Positive || !d.lo.Is(0) || !d.hi.Is(math.Inf(1))
	}
	return d.def != nil && d.def.Name == "uniform" && s.Type.Kind != types.Unit
}

// coordinates returns the chart of a continuous local's type as a Param.
func (l *Model) coordinates(s *check.Symbol, g *ast.Group, v *ast.Var) *Param {
	p := &Param{Name: s.Name, doc: s.Doc, Type: s.Type, chart: charts[s.Type.Kind],
		plates: len(l.plates)}
	if p.chart == nil {
		l.Fail(limits.TypeNotLowered, v.Span, "a local of type %s cannot be compiled yet",
			s.Type.Kind)
	}
	if g := p.chart.geometry; g != "" && g != "sphere" {
		l.Fail(limits.LocalNotLowered, v.Span,
			"a local on the %s manifold cannot be drawn for rows of a minibatch yet",
			p.chart.geometry)
	}
	p.Family = append(slices.Clone(l.plates), l.axesOf(s.Type.Family())...)
	own := s.Type.OwnShape()
	p.xOwn = l.axesOf(own)
	switch {
	case p.chart.embedded:
		p.yOwn = p.xOwn
	case s.Type.Own > 0:
		p.yOwn = l.axesOf(p.chart.state(own))
	}
	p.y = l.B.Leaf(ir.OpLocal, model.LocalPrefix+s.Name, p.yAxes()...)
	if s.Type.Kind == types.Positive {
		p.y = l.B.Logarithm(p.y.Name, p.y.Axes...)
	}
	p.X, p.LogJ = p.chart.constrain(l.B, p.args(l, s.Type, g.Type.Ends), p.y)
	return p
}

// SampledNamed returns the sampled local with a name; nil without one.
func (l *Model) SampledNamed(name string) *Sampled {
	for _, z := range l.Sampled {
		if z.Name == name {
			return z
		}
	}
	return nil
}

// NoRows returns the error that the rows of the locals which chains draw cannot be drawn
// independently.
func (l *Model) NoRows() *diag.Diagnostic {
	z := l.Sampled[0]
	d := &diag.Diagnostic{Code: limits.LocalNotLowered, File: l.Checked.File.Source, Span: z.Span,
		Message: fmt.Sprintf("the local %s is drawn by a chain for every row, and the rows of "+
			"its plate do not depend on the params alone", z.Name)}
	switch dim := z.Axes[0].Dim; {
	case dim == "" || !z.Axes[0].Size.Equal(DimAxis(l.B, dim).Size):
		d.Message = fmt.Sprintf("the local %s is drawn by a chain for every row, and its plate "+
			"goes over a part of an axis: plates of such locals go over a whole one", z.Name)
	case l.o.RowDim != "" && l.o.RowDim != dim:
		d.Message = fmt.Sprintf("the local %s is drawn by a chain for every row of %s, and "+
			"minibatches are to be of %s: take them of %s", z.Name, dim, l.o.RowDim, dim)
	}
	for _, other := range l.Sampled {
		if dim := other.Axes[0].Dim; dim != z.Axes[0].Dim && dim != "" {
			d.Message = fmt.Sprintf("the locals %s and %s are drawn by chains, for rows of %s "+
				"and of %s, and the rows of one axis alone can be drawn", z.Name, other.Name,
				z.Axes[0].Dim, dim)
		}
	}
	for _, u := range l.Checked.Unbatchable {
		if u.Axis == z.Axes[0].Dim {
			d.NoteAt(l.Checked.File.Source, u.Span, u.Reason)
		}
	}
	return d
}
