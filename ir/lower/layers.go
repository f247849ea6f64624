package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
)

// A layerFrame has the weights of the layer instance whose body is being expanded; for a member of
// a family, without the axes of the family's index.
type layerFrame struct{ weights map[*check.Symbol]tensor }

// A distArg binds a distribution that was given to a layer to a variate.
type distArg func(y Variate) *Dist

// declareLayer declares the weights of an instance or family, with their priors.
func (l *Model) declareLayer(item *ast.LayerItem) {
	s := l.Checked.Uses[&item.Name]
	use := s.Inst
	weights := map[*check.Symbol]tensor{}
	for _, w := range use.Params {
		p := l.param(s.Name+"."+w.Param.Name, w.Param.Doc, w.Type, nil, "", item)
		p.starts(l, w.Init)
		weights[w.Param] = tensor{v: p.X, axes: p.XAxes()}
		if w.Prior == nil {
			continue
		}
		u := w.Use
		if u == nil {
			l.Fail(limits.NotLowered, item.Span, "the prior of %s.%s cannot be compiled yet",
				s.Name, w.Param.Name)
		}
		axes := p.XAxes()
		own := len(u.Own)
		y := Variate{V: p.X, Family: axes[:len(axes)-own], Own: axes[len(axes)-own:]}
		d := l.bindUse(u, y, item.Span)
		if l.drawing() {
			l.o.Draw(l, &Drawn{Name: p.Name, Param: true, Type: w.Type, Leaf: p.X, Dist: d,
				In: p})
			continue
		}
		l.Terms = append(l.Terms,
			Term{V: l.prior(u, d, p.X, p, nil, nil), Over: y.Family, Span: item.Span, Prior: true,
				Site: p.Name})
	}
	l.weights[s] = weights
}

// weight lowers hid.W, the weights of a layer as a value.
func (l *Model) weight(e *ast.Select) tensor {
	if n, ok := e.X.(*ast.Name); ok {
		if s := l.Checked.Uses[n]; s != nil && s.Kind == check.Layer {
			for p, t := range l.weights[s] {
				if p.Name == e.Name.Name {
					return l.fresh(t)
				}
			}
		}
	}
	l.Fail(limits.NotLowered, e.Span, "this part of a layer cannot be compiled yet")
	return tensor{}
}

// layerParam lowers a weight inside the layer's own body.
func (l *Model) layerParam(s *check.Symbol) tensor {
	for f := l.frame; f != nil; f = f.up {
		if f.layer != nil {
			if t, ok := f.layer.weights[s]; ok {
				return l.fresh(t)
			}
		}
	}
	panic("lower: a weight outside its layer: " + s.Name)
}

// distArgument returns the distribution given as an argument to the current layer.
func (l *Model) distArgument(s *check.Symbol) (distArg, bool) {
	for f := l.frame; f != nil; f = f.up {
		if d, ok := f.dists[s.Name]; ok {
			return d, true
		}
	}
	return nil, false
}

// applyLayer lowers l1(x), or hid[l](x) for a member of a family.
func (l *Model) applyLayer(e *ast.Call, c *check.Callee) tensor {
	weights := map[*check.Symbol]tensor{}
	for p, t := range l.weights[c.Layer] {
		t = l.fresh(t)
		v, axes := t.v, t.axes
		for _, sub := range c.Subs {
			var kept []*ir.Axis
			v, kept = l.subscript(subject{span: e.Span}, v, axes[0], sub)
			if len(kept) > 0 {
				l.Fail(limits.NotLowered, e.Span,
					"an array of members of a family of layers cannot be compiled yet")
			}
			axes = axes[1:]
		}
		weights[p] = tensor{v: v, axes: axes}
	}
	fr := &frame{values: map[*check.Symbol]tensor{}, site: e.Span, lib: c.Fn.Symbol == nil ||
		c.Fn.Symbol.File != l.Checked.File.Source, layer: &layerFrame{weights}}
	args, axes := l.arguments(c, c.Args)
	for i, p := range c.Fn.Params {
		fr.values[p] = args[i]
	}
	for p, v := range c.Layer.Inst.Values {
		fr.values[p] = l.expr(v)
	}
	fr.sizes = l.resolved(c.Layer.Inst.Sizes)
	for name, p := range l.resolved(c.Sizes) {
		fr.sizes[name] = p
	}
	fr.along = axes
	out := l.in(fr, func() tensor {
		for _, d := range c.Layer.Inst.Def.Decl.Decls {
			if let, ok := d.(*ast.Let); ok {
				l.let(let)
			}
		}
		return l.block(c.Fn.Decl.Body)
	})
	if c.Elementwise {
		return l.spread(out, axes)
	}
	return out
}
