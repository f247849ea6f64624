package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A drawnLocal is a local of new rows that predictions read: it is data, which
// its own law is drawn for first, or which is given, since chains have drawn it
// from its posterior.
type drawnLocal struct {
	name  string
	leaf  *ir.Value
	dist  *boundDist // nil without a law
	chart *param     // what its type admits
	typ   *check.Symbol
	given bool
}

// lawStrategy is how a local is dealt with where laws are wanted and no density:
// what a chain would draw is drawn from its law.
func (l *lowerer) lawStrategy(by string) string {
	switch {
	case l.o.Given && !l.ofEntry(l.plates):
		return "given law"
	case by == "gibbs", by == "gmc" && l.chains():
		return "law"
	}
	return by
}

// declareDrawn makes the leaf.
func (l *lowerer) declareDrawn(s *check.Symbol, g *ast.Group, i int, given bool) {
	axes := l.axesOf(s.Type.Shape)
	z := &drawnLocal{name: s.Name, typ: s, given: given}
	z.leaf = l.b.Leaf(ir.OpData, model.DrawnPrefix+s.Name, append(slices.Clone(l.plates), axes...)...)
	z.leaf.Hint = s.Name
	if !given && !s.Type.Kind.Discrete() {
		z.chart = l.coordinates(s, g, &g.Vars[i])
		z.chart.xOwn = axes[len(axes)-len(z.chart.xOwn):]
		z.chart.family = append(slices.Clone(l.plates), axes[:len(axes)-len(z.chart.xOwn)]...)
	}
	l.frame.values[s] = tensor{v: z.leaf, axes: axes}
	if g.Prior != nil {
		family := axes[:len(s.Prior.Family)]
		z.dist = l.bindUse(s.Prior, variate{v: z.leaf, family: family, own: axes[len(family):]}, g.Prior.Span)
	}
	l.locals = append(l.locals, z)
}

// drawnNamed finds a drawn local by name.
func (l *lowerer) drawnNamed(name string) *drawnLocal {
	for _, z := range slices.Backward(l.locals) {
		if z.name == name {
			return z
		}
	}
	return nil
}

// needs has all drawn locals that a value reads drawn before what is drawn next.
func (x *latents) needs(v *ir.Value, at source.Span) {
	if v == nil || len(x.l.locals) == 0 {
		return
	}
	for _, r := range ir.Reach(v) {
		if !isLatent(r) {
			continue
		}
		if z := x.l.drawnNamed(r.Name[len(model.DrawnPrefix):]); z != nil {
			x.local(z, at)
		}
	}
}

// local has a drawn local drawn.
func (x *latents) local(z *drawnLocal, at source.Span) {
	name := model.DrawnPrefix + z.name
	if slices.ContainsFunc(x.spec, func(d model.Datum) bool { return d.Name == name }) {
		return
	}
	l := x.l
	draw := Draw{Name: z.name, Local: true, Type: z.typ.Type, Shape: ir.Sizes(z.leaf.Axes)}
	if !z.given {
		if z.dist == nil {
			l.fail(limits.CannotSimulate, at, "%s has no law, so what depends on it cannot be predicted", z.name)
		}
		if x.drawing[z] {
			l.fail(limits.CannotSimulate, at, "the law of an entry of %s reads other entries of it, which is not drawn from its law yet, so what depends on it cannot be predicted", z.name)
		}
		x.drawing[z] = true
		var accept func(v *ir.Value) *ir.Value
		d := x.dist(z.dist)
		if z.chart != nil {
			accept = l.inType(z.chart, d, z.leaf.Axes)
		}
		draw.Func = l.drawFunc(fn.Latent.Of(z.name), z.leaf.Axes, d, accept)
		draw.Family = len(ir.Without(z.leaf.Axes, d.y.own))
		x.funcs = append(x.funcs, draw.Func)
	}
	x.spec = append(x.spec, model.Datum{Name: name, Shape: draw.Shape, Derived: true})
	x.draws = append(x.draws, draw)
}
