package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// mixture is mixture(w, d for k in K), mixture(w, d1, d2, …) and mixture(p, d1, d2).
func (c *checker) mixture(d *ast.DistExpr, t target) *DistUse {
	use := &DistUse{Form: Mixture, Target: t.t, Sizes: map[string]types.Size{}}
	if c.lost("mixture") {
		return nil // the parser has told what is wrong with its components
	}
	if len(d.Args) == 0 || !d.Call {
		c.report(MixtureForm, d.Span, "mixture takes its weights and then distributions: mixture(w, normal(mu[k], s) for k in K)")
		return nil
	}
	var comps []*ast.DistExpr
	var count types.Shape
	good := true
	weight := d.Args[0].Value
	if _, ok := weight.(*ast.DistValue); ok || d.Args[0].Name.Name != "" {
		c.report(MixtureForm, weight.Pos(), "mixture takes its weights first")
		return nil
	} else if call, ok := weight.(*ast.Call); ok {
		if n, ok := call.Fun.(*ast.Name); ok && c.in.fns[n.Name] == nil && (c.in.dists[n.Name] != nil || isDistName(n.Name)) {
			c.report(MixtureForm, weight.Pos(), "mixture takes its weights first, and this is a distribution").
				Note("for two components the weight is the probability of the first: mixture(0.5, d1, d2)")
			return nil
		}
	}
	w := c.expr(weight)
	parts := func() {
		for _, e := range comps {
			m := c.distUse(e, t)
			if m == nil {
				good = false
				continue
			}
			use.Comps = append(use.Comps, m)
		}
	}
	if d.Comp != nil {
		use.Comp = d.Comp
		c.within(func() {
			var ok bool
			var syms []*Symbol
			count, syms, ok = c.binds(d.Comp.Binds)
			good = good && ok && c.fixedRanges(syms, "the mixture")
			if dv, isDist := d.Comp.Elem.(*ast.DistValue); isDist {
				comps = append(comps, dv.Dist)
			} else {
				good = false
				c.report(MixtureForm, d.Comp.Elem.Pos(), "the components of a mixture are distributions")
			}
			parts()
		})
	} else {
		for _, a := range d.Args[1:] {
			dv, ok := a.Value.(*ast.DistValue)
			if !ok {
				c.report(MixtureForm, a.Value.Pos(), "the components of a mixture are distributions")
				good = false
				continue
			}
			comps = append(comps, dv.Dist)
		}
		count = types.Shape{size.Const(len(comps))}
		if len(comps) < 2 && good {
			c.report(MixtureForm, d.Span, "a mixture has two components or more")
			good = false
		}
		parts()
	}
	if !good || w.bad() || len(use.Comps) == 0 {
		return nil
	}
	use.Args, use.Shared = []ast.Expr{weight}, []bool{true}
	use.Family, use.Own = use.Comps[0].Family, use.Comps[0].Own
	for i, m := range use.Comps[1:] {
		if len(m.Family) != len(use.Family) {
			c.report(MixtureForm, comps[i+1].Span, "the components of a mixture are distributions of the same thing, and this takes values of shape %s where the first takes %s", m.Own, use.Own)
			return nil
		}
	}
	if !c.mixtureKinds(d, use, t) {
		return nil
	}
	full := types.JoinShapes(use.Family, count)
	if d.Comp == nil && len(comps) == 2 && len(w.t.Shape) == 0 {
		full = use.Family // a number: the probability of the first
	} else if len(w.t.Shape) == 0 {
		c.report(MixtureForm, weight.Pos(), "the weights have shape %s; a number is enough only for two components", count)
		return nil
	}
	if !w.t.Shape.Equal(count) {
		use.Shared[0] = false
		if len(w.t.Shape) < len(count) && len(full) > 0 && len(full) != len(use.Family) {
			c.report(DistArgShape, weight.Pos(), "the weights have shape %s, and there are %s components", w.t.Shape, count)
			return nil
		}
		if _, ways := types.Fit(w.t.Shape, full); ways != 1 {
			c.report(DistArgShape, weight.Pos(), "the weights have shape %s, which does not fit %s%s", w.t.Shape, full, why(w.t.Shape, full))
			return nil
		}
		if n := len(w.t.Shape); n > 0 && !w.t.Shape[n-1].Equal(count[0]) {
			c.report(DistArgShape, weight.Pos(), "the weights have shape %s, whose last axis is not that of the components, %s", w.t.Shape, count[0]).
				Note("where each row has a probability of its own, write the statement in a plate: for n in N { … mixture(p[n], d1, d2) }")
			return nil
		}
	}
	if len(w.t.Shape) == 0 {
		c.takes(weight, w.t, types.Scalar(types.Unit), "the weight of a mixture")
	}
	return use
}

// mixtureKinds refuses a point mass among densities.
func (c *checker) mixtureKinds(d *ast.DistExpr, use *DistUse, t target) bool {
	for _, m := range use.Comps {
		if m.Form == PointMass && !t.t.Entry().Discrete() {
			c.report(MixtureForm, d.Span, "a point mass has no density, and %s is %s; it goes with discrete data", t.what, article(t.t))
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
		seeAlso(c.report(NoSuchDist, at.Span, "%s is a %s, not a distribution", name, s.Kind), s, "declared here")
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
	if i := strings.LastIndex(name, "_"); i > 0 && foreign.Endings[name[i:]] != "" && c.findDist(name[:i]) != nil {
		d.Note("after ~ stands the name alone: did you mean "+name[:i]+"?").Suggest(at.Span, name[:i])
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
