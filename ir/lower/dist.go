package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// distCall lowers calls of the lines of a distribution: normal.logpdf(x, mu, sigma), .cdf, .sample,
// ….
func (l *Model) distCall(e *ast.Call, c *check.Callee) tensor {
	item := c.Dist.Items[c.Method]
	if len(c.Args) == 1 && len(c.Dist.Params) > 0 && c.Sizes == nil {
		// A line of the distribution being expanded: its arguments are bound already.
		x := l.expr(c.Args[0])
		return l.in(&frame{values: map[*check.Symbol]tensor{c.Dist.Value[item]: x}},
			func() tensor { return l.expr(item.Body) })
	}
	args, axes := l.arguments(c, c.Args)
	fr := l.distFrame(c.Dist, l.resolved(c.Sizes), e.Span)
	if x := c.Dist.Value[item]; x != nil {
		fr.values[x] = args[0]
		args = args[1:]
	}
	for i, p := range c.Dist.Params {
		fr.values[p] = args[i]
	}
	saved := l.draw
	if c.Method == "sample" {
		(&Dist{l: l, def: c.Dist, fr: fr, Span: e.Span}).trials()
		l.draw = append(l.draw[:len(l.draw):len(l.draw)], axes...)
	}
	out := l.distLine(c.Dist, item, fr)
	l.draw = saved
	if c.Elementwise {
		return l.spread(out, axes)
	}
	return out
}

func (l *Model) distFrame(d *check.DistDef, sizes map[string]types.Size, site source.Span) *frame {
	return &frame{values: map[*check.Symbol]tensor{}, sizes: sizes, site: site,
		lib: d.Symbol.File != l.Checked.File.Source}
}

// distLine expands one line of a dist, with the lets above it.
func (l *Model) distLine(d *check.DistDef, item *ast.DistItem, fr *frame) tensor {
	return l.in(fr, func() tensor {
		for i := range d.Decl.Items {
			it := &d.Decl.Items[i]
			if it == item {
				break
			}
			if it.Let != nil {
				l.let(it.Let)
			}
		}
		return l.expr(item.Body)
	})
}

// A Variate is the left side of ~. Its last axes, Own, are those of one value; the others are the
// axes of the family.
type Variate struct {
	V      *ir.Value
	Family []*ir.Axis
	Own    []*ir.Axis
}

// A Dist is a distribution with its arguments lowered and aligned to a variate.
type Dist struct {
	l     *Model
	def   *check.DistDef
	fr    *frame
	Y     Variate
	Span  source.Span
	comps []mixed   // components of a mixture
	over  *ir.Axis  // index axis of a mixture over an index
	point *ir.Value // the point of point_mass
	lo    *ir.Value // lower end of truncated or censored; nil without
	hi    *ir.Value
	cens  bool
	plane *ir.Axis // draws are projected to the plane where the sum along this axis is 0
	// picked is the component of a mixture that each entry was drawn from; set by sample.
	picked *ir.Value
}

type mixed struct {
	logw *ir.Value
	d    *Dist
}

// bind lowers the arguments of a distribution for a variate.
func (l *Model) bindDist(e *ast.DistExpr, y Variate) *Dist {
	u := l.Checked.Dists[e]
	if u == nil {
		panic("lower: a distribution that means nothing")
	}
	return l.bindUse(u, y, e.Span)
}

func (l *Model) bindUse(u *check.DistUse, y Variate, site source.Span) *Dist {
	d := &Dist{l: l, def: u.Def, Y: y, Span: site}
	switch u.Form {
	case check.Argument:
		arg, ok := l.distArgument(u.Arg)
		if !ok {
			l.Fail(limits.NotLowered, site, "%s cannot be compiled yet", u.Arg.Name)
		}
		return arg(y)
	case check.Mixture:
		l.bindMixture(d, u)
	case check.PointMass:
		d.point = l.alignArg(u, 0, types.Shape{}, y, nil).v
	default:
		d.fr = l.distFrame(u.Def, l.resolved(u.Sizes), site)
		for i, p := range u.Def.Params {
			d.fr.values[p] = l.alignArg(u, i, types.SubstShape(p.Type.Shape, u.Sizes), y,
				&u.Args[i])
		}
	}
	if iv := u.Trunc; iv != nil {
		d.lo, d.hi = l.end(u, iv.Lo, y), l.end(u, iv.Hi, y)
	}
	if iv := u.Cens; iv != nil {
		d.lo, d.hi, d.cens = l.end(u, iv.Lo, y), l.end(u, iv.Hi, y), true
	}
	return d
}

// alignArg lowers argument i, which is declared with the given shape. Its value has that shape, or
// the shape of the variate's family followed by it.
func (l *Model) alignArg(
	u *check.DistUse, i int, declared types.Shape, y Variate, _ *ast.Expr,
) tensor {
	t := l.expr(u.Args[i])
	have := l.typeOf(u.Args[i])
	own := l.axesOf(l.shape(declared))
	if i < len(u.Shared) && u.Shared[i] && len(have) == len(declared) {
		return l.onto(t, own)
	}
	full := append(append(types.Shape{}, u.Family...), declared...)
	target := append(append([]*ir.Axis{}, y.Family...), own...)
	return tensor{v: l.align(t, have, full, target), axes: own}
}

// end lowers a bound of truncated or censored, aligned with the family.
func (l *Model) end(u *check.DistUse, e ast.Expr, y Variate) *ir.Value {
	t := l.expr(e)
	return l.align(t, l.typeOf(e), u.Family, y.Family)
}

// LogPDF is the log density of the variate, along its family axes.
func (d *Dist) LogPDF(x *ir.Value) *ir.Value { return d.l.noteLaw(d, x, d.density(x)) }

func (d *Dist) density(x *ir.Value) *ir.Value {
	b := d.l.B
	f := d.plain(x)
	if d.lo == nil {
		return f
	}
	if d.cens {
		return d.censor(x, f)
	}
	f = b.Sub(f, d.logProb(d.lo, d.hi))
	outside := b.Map(ir.OpOr, b.Map(ir.OpLt, x, d.lo), b.Map(ir.OpGt, x, d.hi))
	return b.Map(ir.OpSelect, outside, b.Num(math.Inf(-1)), f)
}

func (d *Dist) plain(x *ir.Value) *ir.Value {
	b := d.l.B
	switch {
	case d.point != nil:
		return b.Map(ir.OpSelect, b.Map(ir.OpEq, x, d.point), b.Num(0), b.Num(math.Inf(-1)))
	case d.comps != nil:
		return d.weighted(func(c *Dist) *ir.Value { return c.LogPDF(x) })
	}
	return d.Line("logpdf", x)
}

// weighted is the logarithm of the weighted sum over the components of a mixture of what has the
// logarithm f.
func (d *Dist) weighted(f func(c *Dist) *ir.Value) *ir.Value {
	b := d.l.B
	if d.over != nil {
		c := d.comps[0]
		return b.Reduce(ir.OpLogSumExp, b.Add(c.logw, f(c.d)), d.over)
	}
	to := b.Axis("k", sizeNumber(len(d.comps)))
	parts := make([]*ir.Value, len(d.comps))
	for i, c := range d.comps {
		parts[i] = b.Add(c.logw, f(c.d))
	}
	return b.Reduce(ir.OpLogSumExp, b.Stack(to, parts...), to)
}

// Has reports whether the distribution has a line with this name.
func (d *Dist) Has(name string) bool { return d.def != nil && d.def.Items[name] != nil }

// Line returns the value of a line of the distribution, such as logpdf, at x.
func (d *Dist) Line(name string, x *ir.Value) *ir.Value {
	item := d.def.Items[name]
	fr := *d.fr
	fr.values = map[*check.Symbol]tensor{}
	for s, t := range d.fr.values {
		fr.values[s] = t
	}
	if s := d.def.Value[item]; s != nil {
		fr.values[s] = tensor{v: x, axes: d.Y.Own}
	}
	t := d.l.distLine(d.def, item, &fr)
	if len(t.axes) > 0 { // sample and mean of a vector have axes
		return d.l.onto(t, d.Y.Own).v
	}
	return t.v
}

// logcdf and logccdf are log P(x ≤ t) and log P(x > t).
func (d *Dist) logcdf(t *ir.Value) *ir.Value {
	switch {
	case t.Is(math.Inf(1)):
		return d.l.B.Num(0)
	case d.Has("logcdf"):
		return d.Line("logcdf", t)
	case d.Has("cdf"):
		return d.l.B.Map(ir.OpLog, d.Line("cdf", t))
	}
	d.l.Fail(limits.NoCDF, d.Span, "%s has no cdf, which this needs", d.name())
	return nil
}

func (d *Dist) logccdf(t *ir.Value) *ir.Value {
	switch {
	case t.Is(math.Inf(-1)):
		return d.l.B.Num(0)
	case d.Has("logccdf"):
		return d.Line("logccdf", t)
	case d.Has("cdf"):
		return d.l.B.Map(ir.OpLog1p, d.l.B.Neg(d.Line("cdf", t)))
	}
	d.l.Fail(limits.NoCDF, d.Span, "%s has no cdf, which this needs", d.name())
	return nil
}

func (d *Dist) name() string {
	if d.def == nil {
		return "a mixture"
	}
	return d.def.Name
}

// whole reports whether the distribution is on the whole numbers.
func (d *Dist) whole() bool { return d.def != nil && d.def.On.Entry().Discrete() }

// below returns the t with P(x ≥ end) = P(x > t): on whole numbers the number before end.
func (d *Dist) below(end *ir.Value) *ir.Value {
	if !d.whole() {
		return end
	}
	return d.l.B.Sub(d.l.B.Map(ir.OpCeil, end), d.l.B.Num(1))
}

// upTo returns the t with P(x ≤ end) = P(x ≤ t): on whole numbers the floor of end.
func (d *Dist) upTo(end *ir.Value) *ir.Value {
	if !d.whole() {
		return end
	}
	return d.l.B.Map(ir.OpFloor, end)
}

// logProb returns log P(lo ≤ x ≤ hi), computed by the tail that loses fewer digits.
func (d *Dist) logProb(lo, hi *ir.Value) *ir.Value {
	b := d.l.B
	below, above := lo.Is(math.Inf(-1)), hi.Is(math.Inf(1))
	if d.whole() {
		// Bounds outside the support have no effect.
		below = below || d.def.On.Entry() == types.Count && lo.Is(0)
		if !below {
			lo = d.below(lo)
		}
		if !above {
			hi = d.upTo(hi)
		}
	}
	switch {
	case below && above:
		return b.Num(0)
	case below:
		return d.logcdf(hi)
	case above:
		return d.logccdf(lo)
	}
	// log(F(hi) − F(lo)) = log F(hi) + log(1 − exp(log F(lo) − log F(hi))), or
	// the same with upper tails when these are the smaller.
	l, h := d.logcdf(lo), d.logcdf(hi)
	lower := b.Add(h, b.Map(ir.OpLog1mExp, b.Sub(l, h)))
	cl, ch := d.logccdf(lo), d.logccdf(hi)
	upper := b.Add(cl, b.Map(ir.OpLog1mExp, b.Sub(ch, cl)))
	return b.Map(ir.OpSelect, b.Map(ir.OpLt, cl, h), upper, lower)
}

// censor replaces the density of a value at a bound by the probability of lying at or beyond it.
func (d *Dist) censor(x, f *ir.Value) *ir.Value {
	b := d.l.B
	if !d.hi.Is(math.Inf(1)) {
		f = b.Map(ir.OpSelect, b.Map(ir.OpGe, x, d.hi), d.logccdf(d.below(d.hi)), f)
	}
	if !d.lo.Is(math.Inf(-1)) && !d.lo.Is(0) {
		f = b.Map(ir.OpSelect, b.Map(ir.OpLe, x, d.lo), d.logcdf(d.upTo(d.lo)), f)
	}
	return f
}

// bindMixture lowers the weights and the components.
func (l *Model) bindMixture(d *Dist, u *check.DistUse) {
	b := l.B
	w := l.expr(u.Args[0])
	have := l.typeOf(u.Args[0])
	if u.Comp != nil {
		inner := &frame{}
		l.in(inner, func() tensor {
			d.over = l.bind(&u.Comp.Binds[0])
			weight := l.alignWeights(w, have, u, d.Y, d.over)
			c := l.bindUse(u.Comps[0], d.Y, d.Span)
			d.comps = []mixed{{b.Map(ir.OpLog, weight), c}}
			return tensor{}
		})
		return
	}
	if len(w.axes) == 0 || len(have) == 0 {
		d.comps = []mixed{
			{b.Map(ir.OpLog, w.v), l.bindUse(u.Comps[0], d.Y, d.Span)},
			{b.Map(ir.OpLog1p, b.Neg(w.v)), l.bindUse(u.Comps[1], d.Y, d.Span)},
		}
		return
	}
	k := l.B.Axis("k", sizeNumber(len(u.Comps)))
	weight := l.alignWeights(w, have, u, d.Y, k)
	for i, c := range u.Comps {
		d.comps = append(d.comps,
			mixed{b.Map(ir.OpLog, b.At(weight, k, sizeNumber(i))), l.bindUse(c, d.Y, d.Span)})
	}
}

// alignWeights aligns the last axis of a mixture's weights with the components, and the axes before
// it with the family.
func (l *Model) alignWeights(
	w tensor, have types.Shape, u *check.DistUse, y Variate, k *ir.Axis,
) *ir.Value {
	n := len(have) - 1
	at, ways := types.Fit(have[:n], u.Family)
	axes := make([]*ir.Axis, 0, len(have))
	if ways == 1 {
		for _, j := range at {
			axes = append(axes, y.Family[j])
		}
	}
	return l.onto(w, append(axes, k)).v
}
