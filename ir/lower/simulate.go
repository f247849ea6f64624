package lower

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Draw is one step of simulating a model: the value of a param from its
// prior, or of an observed name from its distribution. Func has the outputs
// "draw"; where entries may have to be drawn again because they left the
// type or the truncation, "accept" (0 or 1); and of a mixture "component", which
// of them each member of the family was drawn from. It reads what was drawn
// before as data.
type Draw struct {
	Name   string
	Param  bool
	Local  bool // a latent value of a row
	Type   types.Type
	Shape  []size.Poly
	Family int // how many of the leading axes are the family's: those of "component"
	Func   *ir.Func
	// Functions of a Posterior, see there; empty where there is none: an array
	// without Place is drawn whole.
	Place, Expect, Chances fn.ID
}

// A Simulation is a model turned into a sequence of draws.
type Simulation struct {
	*Lowered
	Spec  *model.Spec
	Draws []Draw
}

// simulation collects the draws while statements are lowered.
type simulation struct {
	draws    []Draw
	observed map[string]bool // names that a ~ observes
	drawn    map[string]bool
	given    map[string]bool // params whose values the user gives
}

// Simulate lowers a model for drawing from its prior. A flat prior or a
// factor cannot be simulated: diagnostics say which. Params that are given are
// read and not drawn.
func Simulate(m *check.Model, o Options, given map[string]bool) (*Simulation, diag.List) {
	l := newLowerer(m, o)
	l.sim = &simulation{observed: map[string]bool{}, drawn: map[string]bool{}, given: given}
	for _, s := range m.File.Stmts {
		l.sim.observe(s)
	}
	l.file()
	if l.diags.Errors() {
		return nil, l.diags
	}
	low := l.lowered()
	return &Simulation{Lowered: low, Spec: low.Spec(), Draws: l.sim.draws}, l.diags
}

// observe notes the names left of ~, in plates too.
func (s *simulation) observe(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.Tilde:
		s.observed[rootName(st.Left)] = true
	case *ast.For:
		for _, x := range st.Body {
			s.observe(x)
		}
	}
}

// drawPrior adds the draw of a param.
func (l *lowerer) drawPrior(p *param, s *check.Symbol, d *boundDist) {
	accept := l.inType(p, d, p.xAxes())
	l.addDraw(p.name, true, s.Type, p.x, p.xAxes(), d, accept)
}

// inType says which entries of a draw along axes lie in the param's type. Where
// the type is as wide as the distribution, all do. A hyperplane is never hit,
// and drawn on.
func (l *lowerer) inType(p *param, d *boundDist, axes []*ir.Axis) func(x *ir.Value) *ir.Value {
	if p.typ.Kind == types.SumToZero {
		d.plane = planeAxis(d, p)
		if _, _, ok := d.normal(d.plane); d.plane == nil || !ok {
			l.fail(limits.CannotSimulate, d.site, "%s is drawn on the plane where its sum is 0, which is done for a normal with one deviation", p.name)
		}
		return nil
	}
	accept := l.inSet(p)
	if accept == nil {
		return nil
	}
	return func(x *ir.Value) *ir.Value {
		own := p.xAxes()
		for i, a := range axes {
			x = l.b.Rename(x, a, own[i])
		}
		x = accept(x)
		for i, a := range axes {
			x = l.b.Rename(x, own[i], a)
		}
		return x
	}
}

// inSet is inType along the axes of the param.
func (l *lowerer) inSet(p *param) func(x *ir.Value) *ir.Value {
	b := l.b
	within := func(lo, hi *ir.Value) func(x *ir.Value) *ir.Value {
		return func(x *ir.Value) *ir.Value {
			return b.Map(ir.OpAnd, b.Map(ir.OpGt, x, lo), b.Map(ir.OpLt, x, hi))
		}
	}
	rising := func(x *ir.Value) *ir.Value {
		a := p.xOwn[0]
		first := b.Map(ir.OpEq, b.Iota(a), b.Num(0))
		ok := b.Map(ir.OpOr, first, b.Map(ir.OpGt, x, before(b, x, a)))
		return b.Map(ir.OpEq, b.Sum(b.Map(ir.OpNot, ok), a), b.Num(0))
	}
	switch p.typ.Kind {
	case types.Positive, types.Nonnegative:
		return within(b.Num(0), b.Num(math.Inf(1)))
	case types.Unit:
		return within(b.Num(0), b.Num(1))
	case types.Interval:
		c := p.args(l, p.typ, p.ends[:])
		return within(c.lo, c.hi)
	case types.Ordered:
		return rising
	case types.PositiveOrdered:
		return func(x *ir.Value) *ir.Value {
			positive := b.Map(ir.OpGt, b.Reduce(ir.OpReduceMin, x, p.xOwn[0]), b.Num(0))
			return b.Map(ir.OpAnd, rising(x), positive)
		}
	}
	return nil
}

// drawSite adds the draw of an observed name.
func (l *lowerer) drawSite(s *ast.Tilde, y variate, t tensor, d *boundDist) {
	name := rootName(s.Left)
	leaf := t.v
	switch {
	case l.sim.drawn[name]:
		l.fail(limits.CannotSimulate, s.Span, "%s is observed twice, so it cannot be simulated", name)
	case leaf.Op != ir.OpData || leaf.Name != name || !l.wholeLeaf(leaf):
		l.fail(limits.CannotSimulate, s.Left.Pos(), "only a part of %s is observed here, so it cannot be simulated", name)
	}
	if p := l.paramNamed(name); p != nil {
		if !l.sim.given[name] {
			l.addDraw(name, true, p.typ, leaf, leaf.Axes, d, l.inType(p, d, leaf.Axes))
		}
		return
	}
	l.addDraw(name, false, l.model.Types[s.Left], leaf, leaf.Axes, d, nil)
}

// wholeLeaf reports whether every axis of a datum is run over from end to end.
func (l *lowerer) wholeLeaf(v *ir.Value) bool {
	if p := l.paramNamed(v.Name); p != nil {
		for i, a := range p.xAxes() {
			if !a.Size.Equal(v.Axes[i].Size) {
				return false
			}
		}
		return true
	}
	for _, in := range l.schema().Inputs {
		if in.Name != v.Name {
			continue
		}
		for i, p := range in.Shape {
			if !p.Equal(v.Axes[i].Size) {
				return false
			}
		}
	}
	return true
}

func (l *lowerer) addDraw(name string, isParam bool, t types.Type, like *ir.Value, axes []*ir.Axis, d *boundDist, accept func(x *ir.Value) *ir.Value) {
	family := ir.Without(axes, d.y.own)
	f := l.drawFunc(fn.Draw.Of(name), axes, d, accept)
	l.sim.drawn[name] = true
	l.sim.draws = append(l.sim.draws, Draw{Name: name, Param: isParam, Type: t, Shape: ir.Sizes(axes), Family: len(family), Func: f})
}

// sample is a draw along l.draw.
func (d *boundDist) sample() *ir.Value {
	l := d.l
	x := d.sampleFree()
	if d.plane != nil {
		return d.centred(x)
	}
	if d.cens {
		x = l.b.Map(ir.OpMin, l.b.Map(ir.OpMax, x, d.lo), d.hi)
	}
	return x
}

func (d *boundDist) sampleFree() *ir.Value {
	l, b := d.l, d.l.b
	switch {
	case d.point != nil:
		return d.point
	case d.comps != nil:
		return d.sampleMixture()
	case !d.has("sample"):
		l.fail(limits.CannotSimulate, d.site, "%s has no generator (a line sample = …), so it cannot be simulated", d.name())
	}
	d.trials()
	saved := l.draw
	defer func() { l.draw = saved }()
	x := d.line("sample", nil)
	if len(d.y.own) == 0 {
		return b.Add(x, b.Num(0))
	}
	return x
}

// sampleMixture draws a component for every entry, and then a value from it.
// Of components over an index the arguments are picked first, so that no other
// component is drawn; of a list each draws, and one is kept.
func (d *boundDist) sampleMixture() *ir.Value {
	l, b := d.l, d.l.b
	for _, c := range d.comps {
		if c.d.lo != nil && !c.d.cens {
			// Drawing the whole again would favour the components that lose least.
			l.fail(limits.CannotSimulate, d.site, "a truncated component of a mixture cannot be drawn again by itself, so this cannot be simulated")
		}
	}
	u := b.Random(ir.OpRandUniform, l.draw)
	if k := d.over; k != nil {
		c := d.comps[0]
		total := b.CumSum(b.Map(ir.OpExp, c.logw), k, false)
		pick := b.Sum(b.Map(ir.OpGt, u, total), k)
		d.picked = b.Map(ir.OpMin, pick, b.Sub(b.AxisSize(k), b.Num(1)))
		return c.d.at(k, d.picked).sample()
	}
	below, pick, out := b.Num(0), b.Num(0), (*ir.Value)(nil)
	for i, c := range d.comps {
		x := c.d.sample()
		if i == 0 {
			out = x
		} else {
			here := b.Map(ir.OpGe, u, below)
			pick = b.Map(ir.OpSelect, here, b.Num(float64(i)), pick)
			out = b.Map(ir.OpSelect, here, x, out)
		}
		below = b.Add(below, b.Map(ir.OpExp, c.logw))
	}
	d.picked = pick
	return out
}

// at is the distribution with the index k of a comprehension replaced by pick.
func (d *boundDist) at(k *ir.Axis, pick *ir.Value) *boundDist {
	p := picker{d.l.b, k, pick, map[*ir.Value]*ir.Value{}}
	return d.with(p.value)
}

// A picker replaces an axis by an index into it.
type picker struct {
	b    *ir.Builder
	k    *ir.Axis
	pick *ir.Value
	done map[*ir.Value]*ir.Value
}

// with is the distribution with other arguments, each made of what it was.
func (d *boundDist) with(f func(v *ir.Value) *ir.Value) *boundDist {
	out := *d
	out.lo, out.hi, out.point = f(d.lo), f(d.hi), f(d.point)
	if d.fr != nil {
		fr := *d.fr
		fr.values = map[*check.Symbol]tensor{}
		for _, s := range inOrder(d.fr.values) {
			t := d.fr.values[s]
			fr.values[s] = tensor{v: f(t.v), axes: t.axes}
		}
		out.fr = &fr
	}
	out.comps = nil
	for _, c := range d.comps {
		out.comps = append(out.comps, mixed{f(c.logw), c.d.with(f)})
	}
	return &out
}

// inOrder are symbols in the order of their declaration: what is made of each must
// not depend on the order of a map.
func inOrder(values map[*check.Symbol]tensor) []*check.Symbol {
	return slices.SortedFunc(maps.Keys(values), func(a, b *check.Symbol) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Name, b.Name))
	})
}

// value is v at the picked entries. Arithmetic, and sums over other axes, are
// done on what is picked of their arguments: K means of length D become one for
// every entry before anything is computed from them.
func (p *picker) value(v *ir.Value) *ir.Value {
	if v == nil || !v.Has(p.k) {
		return v
	}
	if out, ok := p.done[v]; ok {
		return out
	}
	var out *ir.Value
	if p.inside(v) {
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = p.value(a)
		}
		out = p.b.Like(v, args)
	} else {
		out = p.b.Gather(v, p.pick, p.k)
	}
	p.done[v] = out
	return out
}

// inside reports whether picking may go before the op.
func (p *picker) inside(v *ir.Value) bool {
	switch v.Op.Class {
	case ir.Map:
		return true
	case ir.Reduce, ir.Product:
		for _, a := range v.Over {
			if a == p.k || p.pick.Has(a) {
				return false
			}
		}
		return true
	}
	return false
}

// accept says which entries a truncation keeps; nil when it keeps all.
func (d *boundDist) accept(x *ir.Value) *ir.Value {
	if d.lo == nil || d.cens {
		return nil
	}
	b := d.l.b
	return b.Map(ir.OpAnd, b.Map(ir.OpGe, x, d.lo), b.Map(ir.OpLe, x, d.hi))
}

// flatPrior refuses a param without prior.
func (l *lowerer) flatPrior(name string, at source.Span) {
	l.fail(limits.CannotSimulate, at, "%s has no prior (its density is flat on its type), so it cannot be simulated", name)
}
