package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A DrawnLocal is a local of new rows that predictions read: it is data, which
// its own law is drawn for first, or which is given, since chains have drawn it
// from its posterior.
type DrawnLocal struct {
	Name   string
	Leaf   *ir.Value
	Dist   *Dist  // nil without a law
	In     *Param // what its type admits
	Symbol *check.Symbol
	Given  bool
}

// declareDrawn makes the leaf.
func (l *Model) declareDrawn(s *check.Symbol, g *ast.Group, i int, given bool) {
	axes := l.axesOf(s.Type.Shape)
	z := &DrawnLocal{Name: s.Name, Symbol: s, Given: given}
	z.Leaf = l.B.Leaf(ir.OpData, model.DrawnPrefix+s.Name, append(slices.Clone(l.plates), axes...)...)
	z.Leaf.Hint = s.Name
	if !given && !s.Type.Kind.Discrete() {
		z.In = l.coordinates(s, g, &g.Vars[i])
		z.In.xOwn = axes[len(axes)-len(z.In.xOwn):]
		z.In.Family = append(slices.Clone(l.plates), axes[:len(axes)-len(z.In.xOwn)]...)
	}
	l.frame.values[s] = tensor{v: z.Leaf, axes: axes}
	if g.Prior != nil {
		family := axes[:len(s.Prior.Family)]
		z.Dist = l.bindUse(s.Prior, Variate{V: z.Leaf, Family: family, Own: axes[len(family):]}, g.Prior.Span)
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

// declareGiven makes the leaf of a local whose draws, or what stands for
// them, are given.
func (l *Model) declareGiven(s *check.Symbol, g *ast.Group, i int) {
	axes := l.axesOf(s.Type.Shape)
	z := &Sampled{Local: latent.Local{Name: s.Name, Span: g.Vars[i].Span, By: "collapse"}, Axes: append(slices.Clone(l.plates), axes...)}
	z.Leaf = l.B.Leaf(ir.OpLocal, z.LeafName(), z.Axes...)
	l.Sampled = append(l.Sampled, z)
	l.frame.values[s] = tensor{v: z.Leaf, axes: axes}
}
