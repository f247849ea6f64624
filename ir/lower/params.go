package lower

import (
	"cmp"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Param is an unknown of the state, with its chart and its leaves in the functions of the module.
type Param struct {
	Name   string
	doc    string
	span   source.Span
	Type   types.Type
	chart  *chart
	Family []*ir.Axis // for a local, those of its plates come first
	plates int        // how many axes of Family are plates
	y      *ir.Value  // the unknown's coordinates in the state, a leaf
	yOwn   []*ir.Axis
	X      *ir.Value // the value in the model's coordinates
	chartX *ir.Value // the same of the state, where X is a leaf; see Options.Conditionals
	xOwn   []*ir.Axis
	given  *ir.Value // a leaf for the value itself, which unconstrain reads
	ends   [2]ast.Expr
	LogJ   *ir.Value // log Jacobian of the chart, for each member of the family
	dims   []string
	init   model.Law
	// Of an ordered vector: how many statements give single entries a law that does not keep them in
	// order, and whether such a law depends on other unknowns.
	loose  int
	varies bool
}

func (p *Param) XAxes() []*ir.Axis { return append(append([]*ir.Axis{}, p.Family...), p.xOwn...) }
func (p *Param) yAxes() []*ir.Axis { return append(append([]*ir.Axis{}, p.Family...), p.yOwn...) }

// param declares an unknown: its state block, its chart, its Jacobian. by, if not empty, names a
// chart of the type other than the default.
func (l *Model) param(
	name, doc string, t types.Type, ends []ast.Expr, by string, at ast.Node,
) *Param {
	return l.paramAlong(nil, name, doc, t, ends, by, at)
}

// paramAlong is param for an unknown with one value for every entry of the plates.
func (l *Model) paramAlong(
	plates []*ir.Axis, name, doc string, t types.Type, ends []ast.Expr, by string, at ast.Node,
) *Param {
	c := charts[t.Kind]
	if other, ok := namedCharts[by]; ok {
		c = other
	}
	if c == nil {
		l.Fail(limits.TypeNotLowered, at.Pos(), "a param of type %s cannot be compiled yet", t.Kind)
	}
	for _, own := range t.OwnShape() {
		if l.isRagged(own) {
			l.Fail(limits.TypeNotLowered, at.Pos(),
				"the type %s of %s has as many entries as a row is long, which cannot be "+
					"compiled yet: what is behind the end of a short row would be a part of it",
				t, name)
		}
		if n, ok := own.Number(); ok && n < 1 {
			l.Fail(limits.TypeNotLowered, at.Pos(), "a %s of size %d has no value", t.Kind, n)
		}
	}
	p := &Param{Name: name, doc: doc, Type: t, chart: c, plates: len(plates), span: at.Pos()}
	p.Family = append(slices.Clone(plates), l.axesOf(t.Family())...)
	own := t.OwnShape()
	p.xOwn = l.axesOf(own)
	switch {
	case c.embedded:
		p.yOwn = p.xOwn // the state holds the value itself
	case t.Own > 0:
		p.yOwn = l.axesOf(c.state(own))
	}
	for _, s := range append(ir.Sizes(plates), t.Shape...) {
		n, _ := s.Name()
		p.dims = append(p.dims, n)
	}
	l.Params = append(l.Params, p)
	if l.drawing() {
		// A value that has been drawn is read as data.
		p.X = l.B.Leaf(ir.OpData, name, p.XAxes()...)
		p.args(l, t, ends)
		return p
	}
	p.y = l.B.Leaf(ir.OpState, name, p.yAxes()...)
	p.given = l.B.Leaf(ir.OpState, name, p.XAxes()...)
	args := p.args(l, t, ends)
	p.X, p.LogJ = c.constrain(l.B, args, p.y)
	if l.o.Conditionals {
		p.chartX = l.inState(p.X)
		p.X = l.B.Leaf(ir.OpState, model.ValuePrefix+name, p.XAxes()...)
	}
	if p.X.Hint == "" {
		p.X.Hint = name
	}
	return p
}

func (p *Param) args(l *Model, t types.Type, ends []ast.Expr) chartArgs {
	var c chartArgs
	if t.Own > 0 && !p.chart.embedded {
		c.y, c.x = p.yOwn[0], p.xOwn[0]
		if t.Own == 2 {
			c.cols = p.xOwn[1]
		}
		if len(p.yOwn) == 2 {
			c.yCols = p.yOwn[1]
		}
	}
	if t.Kind == types.Interval {
		for i, e := range ends {
			p.ends[i] = e
			v := l.expr(e)
			w := l.align(v, l.typeOf(e), t.Family(), p.Family[p.plates:])
			if i == 0 {
				c.lo = w
			} else {
				c.hi = w
			}
		}
	}
	return c
}

// starts sets the distribution that the param's start is drawn from.
func (p *Param) starts(l *Model, i *check.Init) {
	if i == nil {
		return
	}
	p.init = model.Law{Name: i.Law.Name}
	for _, a := range i.Args {
		n := model.Number{Value: a.Value}
		if a.Sized {
			n.Size = l.Size(a.Size)
		}
		p.init.Args = append(p.init.Args, n)
	}
}

// inverse returns the state that has the given value. An end of an interval that depends on other
// unknowns reads their given values.
func (p *Param) inverse(l *Model) *ir.Value {
	c := p.args(l, p.Type, p.ends[:])
	return p.chart.unconstrain(l.B, c, p.given)
}

// spec describes the parameter to the runtime.
func (p *Param) spec() model.Param {
	points := []size.Poly{}
	for _, a := range p.Family {
		points = append(points, a.Size)
	}
	return model.Param{Name: p.Name, Doc: p.doc, Dims: p.dims, Shape: ir.Sizes(p.XAxes()),
		State:    ir.Sizes(p.yAxes()),
		Geometry: cmp.Or(p.chart.geometry, "euclidean"), Points: points,
		Support: p.Type.Kind.String(), Init: p.init}
}

// declareParams lowers one group of params with their priors.
func (l *Model) declareParams(g *ast.Group) {
	for i := range g.Vars {
		v := &g.Vars[i]
		s := l.Checked.Uses[&v.Name]
		l.failed[s] = true
		l.Try(func() {
			if l.o.Conditionals && (s.Type.Kind.Discrete() || s.By == "collapse") {
				l.declareHidden(s, g, i)
				delete(l.failed, s)
				return
			}
			if s.Type.Kind.Discrete() && l.strategy(s) == "marginal" {
				l.declareSummed(s, g, i)
				delete(l.failed, s)
				return
			}
			if s.By == "collapse" && !l.drawing() {
				l.declareCollapsed(s, g, i)
				delete(l.failed, s)
				return
			}
			p := l.param(s.Name, s.Doc, s.Type, g.Type.Ends, s.By, &v.Name)
			p.starts(l, s.Init)
			l.frame.values[s] = tensor{v: p.X, axes: p.XAxes()}
			delete(l.failed, s)
			if g.Prior == nil {
				l.lawOfPadding(p)
				// The prior may be a statement further down.
				if l.drawing() {
					l.o.Draw(l,
						&Drawn{Name: s.Name, Param: true, Type: s.Type, Leaf: p.X, Span: v.Span})
				}
				return
			}
			own := len(s.Type.Shape) - len(s.Prior.Family)
			y := Variate{V: p.X, Family: p.XAxes()[:len(s.Prior.Family)],
				Own: p.XAxes()[len(p.XAxes())-own:]}
			d := l.bindUse(s.Prior, y, g.Prior.Span)
			if l.drawing() {
				l.o.Draw(l, &Drawn{Name: s.Name, Param: true, Type: s.Type, Leaf: p.X,
					Dist: d, In: p})
				return
			}
			if s.By == "expanded_mean" {
				l.radial(p, d)
			}
			f := l.prior(s.Prior, d, p.X, p, nil, nil)
			l.Terms = append(l.Terms,
				Term{V: f, Over: y.Family, Span: g.Prior.Span, Prior: true, Site: s.Name})
		})
	}
}

// lawOfPadding gives the padding entries of ragged params a standard normal density in the
// coordinates of the state. No statement gives them a prior, and nothing depends on them; without a
// density they would drift away.
func (l *Model) lawOfPadding(p *Param) {
	if l.drawing() || p.chart.embedded {
		return
	}
	b, here := l.B, (*ir.Value)(nil)
	for i, a := range p.Family {
		if mask := l.inside(a, p.Type.Shape[i], p.Type.Shape, p.Family); mask != nil {
			if here != nil {
				mask = b.Map(ir.OpAnd, here, mask)
			}
			here = mask
		}
	}
	if here == nil {
		return
	}
	if p.chart.geometry != "positive_definite" { // there the Jacobian makes the law proper
		p.LogJ = b.Map(ir.OpSelect, here, p.LogJ, b.Num(0))
	}
	square := b.Sum(b.Mul(p.y, p.y), p.yOwn...)
	l.Terms = append(l.Terms, Term{V: b.Map(ir.OpSelect, here, b.Num(0),
		b.Mul(b.Num(-0.5), square)), Over: p.Family, Prior: true, Site: p.Name})
}

// radial makes ρ_k ~ gamma(α_k, 1), independently, under a Dirichlet prior of concentration α on
// the expanded-mean chart: the total, which nothing else depends on, becomes gamma(Σ α, 1) instead
// of gamma(K, 1). The distribution of the simplex point does not change.
func (l *Model) radial(p *Param, d *Dist) {
	if d.def == nil || d.def.Name != "dirichlet" {
		return
	}
	b := l.B
	alpha := d.fr.values[d.def.Params[0]]
	a := b.Sum(alpha.v, alpha.axes[0])
	k := b.AxisSize(p.yOwn[0])
	r := b.Sum(b.Map(ir.OpAbs, p.y), p.yOwn[0])
	p.LogJ = b.Add(p.LogJ, b.Sub(b.Mul(b.Sub(a, k), b.Map(ir.OpLog, r)),
		b.Sub(b.Map(ir.OpLgamma, a), b.Map(ir.OpLgamma, k))))
}

func (d *Dist) hasCDF() bool {
	return d.def != nil && (d.Has("cdf") || d.Has("logcdf") && d.Has("logccdf"))
}

// state reports whether an argument depends on the unknowns.
func (d *Dist) state() bool {
	if d.fr != nil {
		for _, t := range d.fr.values {
			if t.v != nil && t.v.State() {
				return true
			}
		}
	}
	for _, c := range d.comps {
		if c.logw.State() || c.d.state() {
			return true
		}
	}
	return false
}
