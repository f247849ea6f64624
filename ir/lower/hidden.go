package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/conditional"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Hidden is a latent value that is drawn from its full conditional and is no param: a local, a
// discrete param, or a param that samplers of other kinds integrate out.
type Hidden struct {
	conditional.Unknown
	Leaf *ir.Value
	in   *Param // describes the values that its type admits
}

// declareHidden declares a latent value as a leaf of the state.
func (l *Model) declareHidden(s *check.Symbol, g *ast.Group, i int) {
	v := &g.Vars[i]
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	if k := s.Type.Kind; k.Discrete() && k != types.Index && k != types.Bool {
		l.Fail(limits.LocalNotLowered, v.Span,
			"%s is %s, and only a discrete unknown of finitely many values can be drawn", s.Name, k)
	}
	axes := l.axesOf(s.Type.Shape)
	family := axes[:len(axes)-s.Type.Own]
	h := &Hidden{Unknown: conditional.Unknown{Name: model.ValuePrefix + s.Name, Said: s.Name,
		Family: append(slices.Clone(l.plates), family...), Own: axes[len(family):],
		Kind: s.Type.Kind, Span: v.Span}}
	switch s.Type.Kind {
	case types.Bool:
		h.Values = sizeNumber(2)
	case types.Index:
		h.Values = l.Size(s.Type.Below)
	}
	h.Leaf = l.B.Leaf(ir.OpState, h.Name, append(slices.Clone(h.Family), h.Own...)...)
	h.in = l.described(s, g, h.Family, h.Own)
	l.Hidden = append(l.Hidden, h)
	l.frame.values[s] = tensor{v: h.Leaf, axes: axes}
	if g.Prior == nil {
		return
	}
	prior := axes[:len(s.Prior.Family)]
	d := l.bindUse(s.Prior, Variate{V: h.Leaf, Family: prior, Own: axes[len(prior):]}, g.Prior.Span)
	over := append(slices.Clone(l.plates), prior...)
	l.Terms = append(l.Terms,
		Term{V: l.prior(s.Prior, d, h.Leaf, h.in, nil, nil), Over: over, Span: g.Prior.Span,
			Prior: true, Site: s.Name})
}

// hiddenNamed returns the hidden value with a name; nil without one.
func (l *Model) hiddenNamed(name string) *Hidden {
	for _, h := range l.Hidden {
		if h.Said == name {
			return h
		}
	}
	return nil
}

// raggedPlate reports whether a plate around has rows of different lengths.
func (l *Model) raggedPlate() bool {
	return slices.ContainsFunc(l.plates, func(a *ir.Axis) bool { return l.masks[a] != nil })
}

// InState puts the charts of params in the place of their values in a function.
func (l *Model) InState(f *ir.Func) *ir.Func {
	out := &ir.Func{ID: f.ID}
	for _, o := range f.Outputs {
		out.Outputs = append(out.Outputs, ir.Output{Name: o.Name, Value: l.inState(o.Value),
			Axes: o.Axes})
	}
	return out
}

func (l *Model) inState(v *ir.Value) *ir.Value {
	return ir.Rewrite(l.B, []*ir.Value{v},
		func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if v.Op != ir.OpState {
				return nil
			}
			for _, p := range l.Params {
				if p.chartX != nil && v.Name == model.ValuePrefix+p.Name {
					if slices.Equal(v.Axes, p.XAxes()) {
						return p.chartX
					}
					return b.OnAxes(p.chartX, p.XAxes(), v.Axes)
				}
			}
			return nil
		})[0]
}

// Unknowns lists all that a sweep draws from full conditionals, latent values first.
func (l *Model) Unknowns() []*conditional.Unknown {
	var out []*conditional.Unknown
	for _, h := range l.Hidden {
		out = append(out, &h.Unknown)
	}
	for _, p := range l.Params {
		out = append(out, &conditional.Unknown{Name: model.ValuePrefix + p.Name, Said: p.Name,
			Family: p.Family, Own: p.xOwn, Kind: p.Type.Kind, Span: p.span})
	}
	return out
}

// hiddenSpec describes the latent values to the runtime.
func (l *Model) hiddenSpec() []model.Param {
	var out []model.Param
	for _, h := range l.Hidden {
		points := []size.Poly{}
		for _, a := range h.Family {
			points = append(points, a.Size)
		}
		shape := append(points, ir.Sizes(h.Own)...)
		out = append(out, model.Param{Name: h.Said, Shape: shape, State: shape, Points: points,
			Support: h.Kind.String()})
	}
	return out
}
