package lower

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// A Drawn is a value that a simulation draws: an unknown from its prior, or an observed name from
// its distribution.
type Drawn struct {
	Name  string
	Param bool // an unknown that all rows share
	Local bool // a latent value of a row
	Type  types.Type
	Leaf  *ir.Value // the value, which later draws read as data
	Dist  *Dist     // nil where the declaration gives none
	In    *Param    // describes the values that the type admits; nil if it admits all
	Span  source.Span
	Site  *ast.Tilde // the statement that draws it; nil for a declaration
}

// drawing reports whether the model is lowered for simulation, without a density.
func (l *Model) drawing() bool { return l.o.Draw != nil }

// drawLocal draws a latent value from its prior in a simulation.
func (l *Model) drawLocal(s *check.Symbol, g *ast.Group) {
	axes := l.axesOf(s.Type.Shape)
	whole := append(slices.Clone(l.plates), axes...)
	leaf := l.B.Leaf(ir.OpData, s.Name, whole...)
	l.frame.values[s] = tensor{v: leaf, axes: axes}
	x := &Drawn{Name: s.Name, Local: true, Type: s.Type, Leaf: leaf, Span: s.Span}
	in := l.described(s, g, whole[:len(whole)-s.Type.Own], whole[len(whole)-s.Type.Own:])
	if l.latents == nil {
		l.latents = map[string]*Param{}
	}
	l.latents[s.Name] = in
	if g.Prior != nil {
		if s.Prior.Conditioned {
			x.In = in
		}
		family := axes[:len(s.Prior.Family)]
		x.Dist = l.bindUse(s.Prior, Variate{V: leaf, Family: family, Own: axes[len(family):]},
			g.Prior.Span)
	}
	l.o.Draw(l, x)
}

// WholeLeaf reports whether every axis of a datum is used from end to end.
func (l *Model) WholeLeaf(v *ir.Value) bool {
	if p := l.ParamNamed(v.Name); p != nil {
		for i, a := range p.XAxes() {
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

// InType returns a function that computes which draws along axes lie in the param's type; nil where
// the type admits all. For a sum-to-zero type, whose hyperplane draws never hit, the draws are
// projected to it instead.
func (l *Model) InType(p *Param, d *Dist, axes []*ir.Axis) func(x *ir.Value) *ir.Value {
	if p.Type.Kind == types.SumToZero {
		d.plane = l.ownAxis(d, p, nil)
		if _, _, ok := d.normal(d.plane); d.plane == nil || !ok {
			l.Fail(limits.CannotSimulate, d.Span,
				"%s is drawn on the plane where its sum is 0, which is done for a normal with "+
					"one deviation", p.Name)
		}
		return nil
	}
	accept := l.inSet(p)
	if accept == nil {
		return nil
	}
	return func(x *ir.Value) *ir.Value {
		own := p.XAxes()
		for i, a := range axes {
			x = l.B.Rename(x, a, own[i])
		}
		x = accept(x)
		for i, a := range axes {
			x = l.B.Rename(x, own[i], a)
		}
		return x
	}
}

// inSet is InType along the axes of the param.
func (l *Model) inSet(p *Param) func(x *ir.Value) *ir.Value {
	b := l.B
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
	switch p.Type.Kind {
	case types.Positive, types.Nonnegative:
		return within(b.Num(0), b.Num(math.Inf(1)))
	case types.Unit:
		return within(b.Num(0), b.Num(1))
	case types.Interval:
		c := p.args(l, p.Type, p.ends[:])
		return within(c.lo, c.hi)
	case types.Bool, types.Index:
		return func(x *ir.Value) *ir.Value {
			below := b.Map(ir.OpLt, x, b.Size(l.valuesOf(p.Type)))
			return b.Map(ir.OpAnd, b.Map(ir.OpGe, x, b.Num(0)), below)
		}
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
