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

// A sampled local is drawn, for every row of a minibatch, by a chain whose law
// is its posterior given the row and the params:
//
//	∇ log p(rows | params) = E[∇ log p(rows, locals | params)]
//
// by Fisher's identity, so the mean of the right side over the chain's draws is
// an estimate of the gradient. In the functions it is a leaf.
type sampled struct {
	latent.Local
	chart *param     // of a continuous one: the chart whose coordinates move
	axes  []*ir.Axis // of the leaf: the rows, inner plates, family, coordinates
	leaf  *ir.Value
}

// chains says whether continuous locals are drawn too: where the caller wants
// it, and where a discrete one is, since unknowns that join the state for every
// row leave no rows to draw.
func (l *lowerer) chains() bool {
	return l.o.Sampled || slices.ContainsFunc(l.model.Locals, func(x *check.Local) bool {
		return x.Symbol.Kind == check.LocalVar && l.strategy(x.Symbol) == "gibbs"
	})
}

// declareSampled makes the leaf of a local that a chain draws.
func (l *lowerer) declareSampled(s *check.Symbol, g *ast.Group, i int, by string) {
	if l.sim != nil {
		l.drawLocal(s, g)
		return
	}
	v := &g.Vars[i]
	if len(l.plates) == 0 {
		l.fail(limits.LocalNotLowered, v.Span, "the local %s is in no plate: declare what all rows share as a param", s.Name)
	}
	z := &sampled{Local: latent.Local{Name: s.Name, Span: v.Span, By: by}}
	family := l.axesOf(s.Type.Shape)
	x := variate{}
	switch {
	case !s.Type.Kind.Discrete():
		z.Gamma = gammaPrior(s)
		if by == "gibbs" && !z.Gamma {
			l.fail(limits.LocalNotLowered, v.Span, "gibbs draws a continuous local where its full conditional is a gamma law, and %s has no gamma prior: leave by out, or write by gmc", s.Name)
		}
		z.Gamma = z.Gamma && s.By != "gmc"
		z.chart = l.coordinates(s, g, v)
		z.Chart = &latent.Chart{Sphere: z.chart.chart.embedded, Own: len(z.chart.yOwn)}
		z.axes = z.chart.yAxes()
		z.leaf = z.chart.y
		family = z.chart.xAxes()[len(l.plates):]
		x.v = z.chart.x
	default:
		z.Values, z.Bit = sizeNumber(2), s.Type.Kind == types.Bool
		if s.Type.Kind == types.Index {
			z.Values = l.size(s.Type.Below)
		}
		if !s.Type.Kind.Discrete() || s.Type.Kind == types.Int || s.Type.Kind == types.Count {
			l.fail(limits.LocalNotLowered, v.Span, "gibbs draws from finitely many values, and %s is %s", s.Name, s.Type.Kind)
		}
		z.axes = append(slices.Clone(l.plates), family...)
		z.leaf = l.b.Leaf(ir.OpLocal, z.LeafName(), z.axes...)
		x.v = z.leaf
	}
	if x.v.Hint == "" {
		x.v.Hint = s.Name
	}
	l.nonempty(z, s)
	l.sampled = append(l.sampled, z)
	l.frame.values[s] = tensor{v: x.v, axes: family}
	if z.chart != nil && !z.chart.logJ.Is(0) {
		over := append(slices.Clone(l.plates), z.chart.family[len(l.plates):]...)
		l.terms = append(l.terms, term{v: z.chart.logJ, over: over, span: v.Span, site: s.Name})
	}
	if g.Prior == nil {
		return
	}
	x.family, x.own = family[:len(s.Prior.Family)], family[len(s.Prior.Family):]
	d := l.bindUse(s.Prior, x, g.Prior.Span)
	if z.chart != nil && walled(s, d) {
		l.fail(limits.LocalNotLowered, g.Prior.Span, "%s is drawn by a chain, which may start beyond the bounds of this prior and would never get in: declare it as interval(lo, hi) with these bounds, or as positive above 0; a prior is cut to the type", s.Name)
	}
	f := d.logpdf(x.v)
	if s.Prior.Conditioned && z.chart != nil {
		f = l.conditioned(d, z.chart, f, l.ends(z.chart, nil, nil))
	}
	over := append(slices.Clone(l.plates), x.family...)
	l.terms = append(l.terms, term{v: f, over: over, span: g.Prior.Span, site: s.Name})
}

// nonempty refuses a type without values, or has it seen to when the sizes are known.
func (l *lowerer) nonempty(z *sampled, s *check.Symbol) {
	sizes := []size.Poly{z.Values}
	if z.chart != nil {
		sizes = ir.Sizes(z.chart.xOwn)
	}
	for _, n := range sizes {
		k, known := n.Number()
		switch {
		case !known:
			z.Type, z.Sizes = s.Type.Kind.String(), append(z.Sizes, n)
		case k < 1:
			l.fail(limits.LocalNotLowered, z.Span, "%s of size %d has no value: the local %s", s.Type.Kind, k, z.Name)
		}
	}
}

// gammaPrior reports whether a local is positive with a gamma prior.
func gammaPrior(s *check.Symbol) bool {
	return s.Type.Kind == types.Positive && s.Prior != nil && s.Prior.Def != nil && s.Prior.Def.Name == "gamma" && s.Prior.Trunc == nil
}

// walled reports whether a prior is zero beyond a bound that the type does not
// have. The charts of types lead nowhere else; beyond a bound of the prior alone
// the density has no slope that leads back.
func walled(s *check.Symbol, d *boundDist) bool {
	switch {
	case s.Type.Kind == types.Interval:
		return false
	case d.lo != nil && !d.cens:
		return s.Type.Kind != types.Positive || !d.lo.Is(0) || !d.hi.Is(math.Inf(1))
	}
	return d.def != nil && d.def.Name == "uniform" && s.Type.Kind != types.Unit
}

// coordinates gives a continuous local the chart of its type.
func (l *lowerer) coordinates(s *check.Symbol, g *ast.Group, v *ast.Var) *param {
	p := &param{name: s.Name, doc: s.Doc, typ: s.Type, chart: charts[s.Type.Kind], plates: len(l.plates)}
	if p.chart == nil {
		l.fail(limits.TypeNotLowered, v.Span, "a local of type %s cannot be compiled yet", s.Type.Kind)
	}
	if p.chart.embedded && p.chart.geometry != "sphere" {
		l.fail(limits.LocalNotLowered, v.Span, "a local on the %s manifold cannot be drawn for rows of a minibatch yet", p.chart.geometry)
	}
	p.family = append(slices.Clone(l.plates), l.axesOf(s.Type.Family())...)
	own := s.Type.OwnShape()
	p.xOwn = l.axesOf(own)
	switch {
	case p.chart.embedded:
		p.yOwn = p.xOwn
	case s.Type.Own > 0:
		p.yOwn = l.axesOf(p.chart.state(own))
	}
	p.y = l.b.Leaf(ir.OpLocal, model.LocalPrefix+s.Name, p.yAxes()...)
	if s.Type.Kind == types.Positive {
		p.y = l.b.Logarithm(p.y.Name, p.y.Axes...)
	}
	p.x, p.logJ = p.chart.constrain(l.b, p.args(l, s.Type, g.Type.Ends), p.y)
	return p
}

// sampledNamed finds a sampled local by name.
func (l *lowerer) sampledNamed(name string) *sampled {
	for _, z := range l.sampled {
		if z.Name == name {
			return z
		}
	}
	return nil
}

// noRows says that the rows of a local's plate cannot be drawn each for itself.
func (l *lowerer) noRows(z *sampled) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: limits.LocalNotLowered, File: l.model.File.Source, Span: z.Span,
		Message: fmt.Sprintf("the local %s is drawn by a chain for every row, and the rows of its plate do not depend on the params alone", z.Name)}
	switch dim := z.axes[0].Dim; {
	case dim == "" || !z.axes[0].Size.Equal(dimAxis(l.b, dim).Size):
		d.Message = fmt.Sprintf("the local %s is drawn by a chain for every row, and its plate goes over a part of an axis: plates of such locals go over a whole one", z.Name)
	case l.o.RowDim != "" && l.o.RowDim != dim:
		d.Message = fmt.Sprintf("the local %s is drawn by a chain for every row of %s, and minibatches are to be of %s: take them of %s", z.Name, dim, l.o.RowDim, dim)
	}
	for _, other := range l.sampled {
		if dim := other.axes[0].Dim; dim != z.axes[0].Dim && dim != "" {
			d.Message = fmt.Sprintf("the locals %s and %s are drawn by chains, for rows of %s and of %s, and the rows of one axis alone can be drawn", z.Name, other.Name, z.axes[0].Dim, dim)
		}
	}
	for _, u := range l.model.Unbatchable {
		if u.Axis == z.axes[0].Dim {
			d.NoteAt(l.model.File.Source, u.Span, u.Reason)
		}
	}
	return d
}
