package lower

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/runtime/engine/model"

	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/types"
)

// These strategies for locals are chosen by the compiler; a model cannot ask for them.
const (
	LawStrategy = "law"       // drawn from its prior when the model is evaluated
	GivenLaw    = "given law" // like LawStrategy, but the value is given
	GivenDraws  = "given"     // draws from its posterior are given
)

// declareLocals lowers declarations of latent values of rows. A discrete local becomes an axis of
// all its values.
func (l *Model) declareLocals(s *ast.Local) {
	for i := range s.Groups {
		g := &s.Groups[i]
		for j := range g.Vars {
			sym := l.Checked.Uses[&g.Vars[j].Name]
			l.failed[sym] = true
			l.Try(func() {
				l.raggedLocal(sym, &g.Vars[j])
				by := l.strategy(sym)
				if l.o.Strategy != nil {
					by = l.o.Strategy(l, sym, by, l.OfEntry(l.plates))
				}
				if l.o.Conditionals && (by != "gmc" || l.Chains() || l.raggedPlate()) {
					l.declareHidden(sym, g, j)
					delete(l.failed, sym)
					return
				}
				switch by {
				case LawStrategy, GivenLaw:
					l.declareDrawn(sym, g, j, by == GivenLaw)
				case GivenDraws:
					l.declareGiven(sym, g, j)
				case "marginal":
					l.declareSummed(sym, g, j)
				case "gmc":
					if l.Chains() {
						l.declareSampled(sym, g, j, by)
					} else {
						l.declareJoined(sym, g, j)
					}
				case "gibbs":
					l.declareSampled(sym, g, j, by)
				case "collapse":
					l.declareCollapsed(sym, g, j)
				default:
					l.Fail(limits.LocalNotLowered, g.Vars[j].Span,
						"the local %s is dealt with by %s, which cannot be compiled yet",
						sym.Name, by)
				}
				delete(l.failed, sym)
			})
		}
	}
}

// raggedLocal refuses a local whose type depends on the length of a ragged row.
func (l *Model) raggedLocal(s *check.Symbol, v *ast.Var) {
	entries := slices.ContainsFunc(s.Type.Family(), ragged)
	switch {
	case entries && s.Type.Own == 0:
		d := &diag.Diagnostic{Code: limits.LocalNotLowered, File: l.Checked.File.Source,
			Span: v.Span,
			Message: fmt.Sprintf("%s has as many entries as its row is long, and an array of "+
				"them cannot be compiled yet", s.Name)}
		l.Diags.Add(d.Note("declare one in a plate: for i in " + s.Type.Shape.String() +
			" { local " + s.Name + " : … }"))
		panic(bail{})
	case entries || slices.ContainsFunc(s.Type.Shape, ragged) ||
		s.Type.Kind == types.Index && ragged(s.Type.Below):
		l.Fail(limits.LocalNotLowered, v.Span,
			"the type of %s has the length of its row in it, which cannot be compiled yet", s.Name)
	}
}

// ragged reports whether a size depends on the length of a ragged row.
func ragged(n types.Size) bool {
	return slices.ContainsFunc(n.Dims(), func(d string) bool {
		_, index := types.SplitRagged(d)
		return index != ""
	})
}

// strategy returns how a local is handled. Locals to be drawn could often be summed out instead, at
// a higher cost; that is done where an exact likelihood is wanted.
func (l *Model) strategy(s *check.Symbol) string {
	by := s.By
	for _, x := range l.Checked.Locals {
		if x.Symbol == s {
			by = x.Strategy
		}
	}
	if by == "gibbs" && l.o.Exact && s.Type.Kind.Finite() && len(s.Type.Shape) == 0 {
		return "marginal"
	}
	return by
}

// declareJoined makes a continuous latent value of a row part of the state like the params, with
// one value for every entry of its plates. Samplers with a Metropolis test move it together with
// the params. Minibatches of rows are then no longer possible along these plates.
func (l *Model) declareJoined(s *check.Symbol, g *ast.Group, i int) {
	v := &g.Vars[i]
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	for _, a := range l.plates {
		if l.masks[a] != nil {
			l.Fail(limits.RaggedNotLowered, v.Span,
				"a continuous local of rows of different lengths cannot be compiled yet")
		}
	}
	if s.Type.Kind == types.Interval {
		for _, e := range g.Type.Ends {
			if end := l.expr(e).v; end.Op != ir.OpConst {
				l.Fail(limits.LocalNotLowered, e.Pos(),
					"the ends of a local's interval are numbers: others cannot be compiled yet")
			}
		}
	}
	p := l.paramAlong(l.plates, s.Name, s.Doc, s.Type, g.Type.Ends, "", &v.Name)
	axes := p.XAxes()[p.plates:]
	l.frame.values[s] = tensor{v: p.X, axes: axes}
	if g.Prior == nil {
		return
	}
	family := axes[:len(s.Prior.Family)]
	d := l.bindUse(s.Prior, Variate{V: p.X, Family: family, Own: axes[len(family):]}, g.Prior.Span)
	f := l.prior(s.Prior, d, p.X, p, nil, nil)
	over := append(slices.Clone(l.plates), family...)
	l.Terms = append(l.Terms, Term{V: f, Over: over, Span: g.Prior.Span, Prior: true, Site: s.Name})
}

// A DrawnLocal is a local of new rows that predictions read as data. It is drawn from its prior
// first, or its draws are given, since chains have drawn it from its posterior.
type DrawnLocal struct {
	Name   string
	Leaf   *ir.Value
	Dist   *Dist  // its prior; nil without one
	In     *Param // describes the values that its type admits
	Symbol *check.Symbol
	Given  bool
}

// declareDrawn declares a local as a leaf of data.
func (l *Model) declareDrawn(s *check.Symbol, g *ast.Group, i int, given bool) {
	axes := l.axesOf(s.Type.Shape)
	z := &DrawnLocal{Name: s.Name, Symbol: s, Given: given}
	z.Leaf = l.B.Leaf(ir.OpData, model.DrawnPrefix+s.Name,
		append(slices.Clone(l.plates), axes...)...)
	z.Leaf.Hint = s.Name
	if !given && !s.Type.Kind.Discrete() {
		z.In = l.coordinates(s, g, &g.Vars[i])
		z.In.xOwn = axes[len(axes)-len(z.In.xOwn):]
		z.In.Family = append(slices.Clone(l.plates), axes[:len(axes)-len(z.In.xOwn)]...)
	}
	l.frame.values[s] = tensor{v: z.Leaf, axes: axes}
	if g.Prior != nil {
		if s.Prior.Conditioned && s.Type.Kind.Discrete() {
			z.In = l.described(s, g, z.Leaf.Axes, nil)
		}
		family := axes[:len(s.Prior.Family)]
		z.Dist = l.bindUse(s.Prior, Variate{V: z.Leaf, Family: family, Own: axes[len(family):]},
			g.Prior.Span)
	}
	l.DrawnLocals = append(l.DrawnLocals, z)
}

// DrawnNamed finds a drawn local by name.
func (l *Model) DrawnNamed(name string) *DrawnLocal {
	for _, z := range slices.Backward(l.DrawnLocals) {
		if z.Name == name {
			return z
		}
	}
	return nil
}

// declareGiven declares a local whose draws, or whose replacement when integrated out, are given.
func (l *Model) declareGiven(s *check.Symbol, g *ast.Group, i int) {
	axes := l.axesOf(s.Type.Shape)
	z := &Sampled{Local: latent.Local{Name: s.Name, Span: g.Vars[i].Span, By: "collapse"},
		Axes: append(slices.Clone(l.plates), axes...)}
	z.Leaf = l.B.Leaf(ir.OpLocal, z.LeafName(), z.Axes...)
	l.Sampled = append(l.Sampled, z)
	l.frame.values[s] = tensor{v: z.Leaf, axes: axes}
}
