package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// mixture checks mixture(w, d for k in K), mixture(w, d1, d2, …) and mixture(p, d1, d2).
func (c *checker) mixture(d *ast.DistExpr, t target) *DistUse {
	if c.lost("mixture") {
		return nil // the parser has reported the error in its components
	}
	if len(d.Args) == 0 || !d.Call {
		c.report(MixtureForm, d.Span,
			"mixture takes its weights and then distributions: mixture(w, normal(mu[k], s) for k in K)")
		return nil
	}
	if !c.mixtureLead(&d.Args[0]) {
		return nil
	}
	weight := d.Args[0].Value
	w := c.expr(weight)
	use := &DistUse{Form: Mixture, Target: t.t, Sizes: map[string]types.Size{}}
	count, good := c.mixtureComps(d, t, use)
	if !good || w.bad() || len(use.Comps) == 0 {
		return nil
	}
	use.Args, use.Shared = []ast.Expr{weight}, []bool{true}
	use.Family, use.Own = use.Comps[0].Family, use.Comps[0].Own
	for i, m := range use.Comps[1:] {
		if len(m.Family) != len(use.Family) {
			at := d.Args[i+2].Value.(*ast.DistValue).Dist.Span
			c.report(MixtureForm, at,
				"the components of a mixture are distributions of the same thing, and this takes "+
					"values of shape %s where the first takes %s", m.Own, use.Own)
			return nil
		}
	}
	for _, m := range use.Comps {
		use.Conditioned = use.Conditioned || m.Conditioned
	}
	if !c.mixtureKinds(d, use, t) || !c.mixtureWeights(d, use, w, count) {
		return nil
	}
	return use
}

// mixtureLead refuses a first argument of mixture that cannot be its weights.
func (c *checker) mixtureLead(a *ast.Arg) bool {
	if _, ok := a.Value.(*ast.DistValue); ok || a.Name.Name != "" {
		c.report(MixtureForm, a.Value.Pos(), "mixture takes its weights first")
		return false
	}
	if call, ok := a.Value.(*ast.Call); ok {
		if n, ok := call.Fun.(*ast.Name); ok && c.in.fns[n.Name] == nil &&
			(c.in.dists[n.Name] != nil || isDistName(n.Name)) {
			c.report(MixtureForm, a.Value.Pos(),
				"mixture takes its weights first, and this is a distribution").
				Note("for two components the weight is the probability of the first: " +
					"mixture(0.5, d1, d2)")
			return false
		}
	}
	return true
}

// mixtureComps checks the components of a mixture and records them; count is the shape by which
// they are numbered.
func (c *checker) mixtureComps(
	d *ast.DistExpr, t target, use *DistUse,
) (count types.Shape, good bool) {
	good = true
	var comps []*ast.DistExpr
	add := func(e ast.Expr) {
		if v, ok := e.(*ast.DistValue); ok {
			comps = append(comps, v.Dist)
			return
		}
		good = false
		c.report(MixtureForm, e.Pos(), "the components of a mixture are distributions")
	}
	check := func() {
		for _, e := range comps {
			if m := c.distUse(e, t); m != nil {
				use.Comps = append(use.Comps, m)
			} else {
				good = false
			}
		}
	}
	if d.Comp == nil {
		for _, a := range d.Args[1:] {
			add(a.Value)
		}
		if len(comps) < 2 && good {
			c.report(MixtureForm, d.Span, "a mixture has two components or more")
			good = false
		}
		check()
		return types.Shape{size.Const(len(comps))}, good
	}
	use.Comp = d.Comp
	c.within(func() {
		var ok bool
		var syms []*Symbol
		count, syms, ok = c.binds(d.Comp.Binds)
		good = good && ok && c.fixedRanges(syms, "the mixture")
		add(d.Comp.Elem)
		check()
	})
	return count, good
}

// mixtureWeights checks the shape of the weights against that of the components.
func (c *checker) mixtureWeights(d *ast.DistExpr, use *DistUse, w value, count types.Shape) bool {
	at, shape := d.Args[0].Value, w.t.Shape
	full := types.JoinShapes(use.Family, count)
	if d.Comp == nil && len(use.Comps) == 2 && len(shape) == 0 {
		full = use.Family // a number: the probability of the first
	} else if len(shape) == 0 {
		c.report(MixtureForm, at.Pos(),
			"the weights have shape %s; a number is enough only for two components", count)
		return false
	}
	if !shape.Equal(count) {
		use.Shared[0] = false
		if len(shape) < len(count) && len(full) > 0 && len(full) != len(use.Family) {
			c.report(DistArgShape, at.Pos(),
				"the weights have shape %s, and there are %s components", shape, count)
			return false
		}
		if _, ways := types.Fit(shape, full); ways != 1 {
			c.report(DistArgShape, at.Pos(), "the weights have shape %s, which does not fit %s%s",
				shape, full, why(shape, full))
			return false
		}
		if n := len(shape); n > 0 && !shape[n-1].Equal(count[0]) {
			c.report(DistArgShape, at.Pos(),
				"the weights have shape %s, whose last axis is not that of the components, %s",
				shape, count[0]).
				Note("where each row has a probability of its own, write the statement in a " +
					"plate: for n in N { … mixture(p[n], d1, d2) }")
			return false
		}
	}
	if len(shape) == 0 {
		c.takes(at, w.t, types.Scalar(types.Unit), "the weight of a mixture")
	}
	return true
}

// mixtureKinds refuses a point mass among densities.
func (c *checker) mixtureKinds(d *ast.DistExpr, use *DistUse, t target) bool {
	for _, m := range use.Comps {
		if m.Form == PointMass && !t.t.Entry().Discrete() {
			c.report(MixtureForm, d.Span,
				"a point mass has no density, and %s is %s; it goes with discrete data", t.what,
				article(t.t))
			return false
		}
	}
	return true
}

// noSuchDist reports an unknown distribution and what was probably meant.
func (c *checker) noSuchDist(name string, at *ast.Ident, use *ast.DistExpr) {
	if c.lost(name) {
		return
	}
	if s := c.in.fns[name]; s != nil {
		seeAlso(c.report(NoSuchDist, at.Span, "%s is a %s, not a distribution", name, s.Kind), s,
			"declared here")
		return
	}
	if _, ok := builtin.Lookup(name); ok && name != "exp" && name != "logit" {
		c.report(NoSuchDist, at.Span, "%s is a function, not a distribution", name)
		return
	}
	d := c.report(NoSuchDist, at.Span, "there is no distribution %s", name)
	if c.foreignDist(d, name, at.Span, use) {
		return
	}
	if i := strings.LastIndex(name, "_"); i > 0 && foreign.Endings[name[i:]] != "" &&
		c.findDist(name[:i]) != nil {
		d.Note("after ~ stands the name alone: did you mean "+name[:i]+"?").Suggest(at.Span,
			name[:i])
		return
	}
	suggest(d, at.Span, name, c.distNames())
}

// isDistName says that the library has such a distribution.
func isDistName(name string) bool {
	for _, n := range libraryNames() {
		if n == name && n != "nn" && n != "functions" {
			return true
		}
	}
	return name == "mixture"
}
