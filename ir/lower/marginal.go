package lower

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
)

// A summed unknown takes each of its values along an axis of its own, which is
// summed out where its plate ends.
type summed struct {
	name   string
	axis   *ir.Axis
	plates []*ir.Axis
	prior  *ir.Value // log probability of every value, along axis; nil without
}

// declareLocals lowers the latent values of a row. A discrete one is its every
// value at once.
func (l *lowerer) declareLocals(s *ast.Local) {
	for i := range s.Groups {
		g := &s.Groups[i]
		for j := range g.Vars {
			sym := l.model.Uses[&g.Vars[j].Name]
			l.failed[sym] = true
			l.try(func() {
				l.raggedLocal(sym, &g.Vars[j])
				by := l.strategy(sym)
				if l.completing != nil {
					by = l.completionStrategy(sym, by)
				}
				if l.o.Laws {
					by = l.lawStrategy(by)
				}
				switch by {
				case "law", "given law":
					l.declareDrawn(sym, g, j, by == "given law")
				case "given":
					l.declareGiven(sym, g, j)
				case "marginal":
					l.declareSummed(sym, g, j)
				case "gmc":
					if l.chains() {
						l.declareSampled(sym, g, j, by)
					} else {
						l.declareJoined(sym, g, j)
					}
				case "gibbs":
					l.declareSampled(sym, g, j, by)
				case "collapse":
					l.declareCollapsed(sym, g, j)
				default:
					l.fail(limits.LocalNotLowered, g.Vars[j].Span, "the local %s is dealt with by %s, which cannot be compiled yet", sym.Name, by)
				}
				delete(l.failed, sym)
			})
		}
	}
}

// raggedLocal refuses a local whose type has the length of a ragged row in it.
func (l *lowerer) raggedLocal(s *check.Symbol, v *ast.Var) {
	entries := slices.ContainsFunc(s.Type.Family(), ragged)
	switch {
	case entries && s.Type.Own == 0:
		d := &diag.Diagnostic{Code: limits.LocalNotLowered, File: l.model.File.Source, Span: v.Span,
			Message: fmt.Sprintf("%s has as many entries as its row is long, and an array of them cannot be compiled yet", s.Name)}
		l.diags.Add(d.Note("declare one in a plate: for i in " + s.Type.Shape.String() + " { local " + s.Name + " : … }"))
		panic(bail{})
	case entries || slices.ContainsFunc(s.Type.Shape, ragged) || s.Type.Kind == types.Index && ragged(s.Type.Below):
		l.fail(limits.LocalNotLowered, v.Span, "the type of %s has the length of its row in it, which cannot be compiled yet", s.Name)
	}
}

// ragged reports whether a size is that of a row.
func ragged(n types.Size) bool {
	return slices.ContainsFunc(n.Dims(), func(d string) bool {
		_, index := types.SplitRagged(d)
		return index != ""
	})
}

// strategy is how a local is dealt with. What is drawn could often be summed out,
// at a cost; a likelihood that is wanted exactly is worth it.
func (l *lowerer) strategy(s *check.Symbol) string {
	by := s.By
	for _, x := range l.model.Locals {
		if x.Symbol == s {
			by = x.Strategy
		}
	}
	finite := s.Type.Kind == types.Index || s.Type.Kind == types.Bool
	if by == "gibbs" && l.o.Exact && finite && len(s.Type.Shape) == 0 {
		return "marginal"
	}
	return by
}

// declareSummed makes a discrete unknown with finitely many values.
func (l *lowerer) declareSummed(s *check.Symbol, g *ast.Group, i int) {
	v := &g.Vars[i]
	if len(s.Type.Shape) > 0 && s.Kind == check.Param {
		l.declareGrouped(s, g, i)
		return
	}
	if len(s.Type.Shape) > 0 {
		d := &diag.Diagnostic{Code: limits.StrategyNotLowered, File: l.model.File.Source, Span: v.Span,
			Message: s.Name + " has several entries, which are not summed out together yet"}
		l.diags.Add(d.Note("declare one in a plate: for k in K { local " + s.Name + " : … }"))
		panic(bail{})
	}
	if l.sim != nil {
		l.drawLocal(s, g)
		return
	}
	z := &summed{name: s.Name, axis: l.b.Axis(lowerName(s.Name), l.valuesOf(s)), plates: slices.Clone(l.plates)}
	value := tensor{v: l.b.Iota(z.axis)}
	l.frame.values[s] = value
	l.summed = append(l.summed, z)
	if g.Prior != nil {
		d := l.bindUse(s.Prior, variate{v: value.v}, g.Prior.Span)
		z.prior = d.logpdf(value.v)
		l.terms = append(l.terms, term{v: z.prior, over: l.plates, span: g.Prior.Span, prior: true, site: s.Name})
	}
}

// summedNamed finds the summed unknown of a name that is in sight.
func (l *lowerer) summedNamed(name string) *summed {
	for _, z := range l.summed {
		if z.name == name {
			return z
		}
	}
	return nil
}

// drawLocal draws a latent value from its law, when a model is simulated.
func (l *lowerer) drawLocal(s *check.Symbol, g *ast.Group) {
	axes := l.axesOf(s.Type.Shape)
	leaf := l.b.Leaf(ir.OpData, s.Name, append(slices.Clone(l.plates), axes...)...)
	l.frame.values[s] = tensor{v: leaf, axes: axes}
	if g.Prior == nil {
		if !l.sim.observed[s.Name] {
			l.flatPrior(s.Name, s.Span)
		}
		return
	}
	family := axes[:len(s.Prior.Family)]
	d := l.bindUse(s.Prior, variate{v: leaf, family: family, own: axes[len(family):]}, g.Prior.Span)
	l.addDraw(s.Name, false, s.Type, leaf, leaf.Axes, d, nil)
	l.sim.draws[len(l.sim.draws)-1].Local = true
}

// sumOut replaces, at the end of a plate, the terms that depend on an unknown
// declared in it by the logarithm of the sum over its values, the last
// declared first. terms are those of the plate from the first on.
func (l *lowerer) sumOut(first int, list []*summed) {
	b := l.b
	for i := len(list) - 1; i >= 0; i-- {
		z := list[i]
		kept := l.terms[:first:first]
		joint := term{over: z.plates}
		for _, t := range l.terms[first:] {
			if !t.v.Has(z.axis) {
				kept = append(kept, t)
				continue
			}
			// The plates within are products for one value of the unknown.
			v := b.Sum(t.v, ir.Without(t.over, z.plates)...)
			if joint.v != nil {
				v = b.Add(joint.v, v)
			}
			joint.v = v
			if joint.span.End == 0 || !t.prior {
				joint.span = t.span
			}
			if !t.prior {
				joint.site = t.site
			}
		}
		if joint.v != nil {
			joint.v = b.Reduce(ir.OpLogSumExp, joint.v, z.axis)
			kept = append(kept, joint)
		}
		l.terms = kept
	}
}

// expected is the mean over the values of summed unknowns, by their laws, of
// what depends on them; log says that both are logarithms. It is nil where it is not known.
func (l *lowerer) expected(v *ir.Value, log bool) *ir.Value {
	b := l.b
	if l.groupedIn(v) != nil {
		return nil
	}
	for i := len(l.summed) - 1; i >= 0; i-- {
		z := l.summed[i]
		switch {
		case !v.Has(z.axis):
		case z.prior == nil:
			return nil
		case log:
			v = b.Reduce(ir.OpLogSumExp, b.Add(v, z.prior), z.axis)
		default:
			v = b.Sum(b.Mul(v, b.Map(ir.OpExp, z.prior)), z.axis)
		}
	}
	return v
}
