package lower

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// DrawFunc returns a function that draws from the distribution for every entry of the axes. accept,
// which may be nil, computes whether the type admits a draw.
func (d *Dist) DrawFunc(id fn.ID, axes []*ir.Axis, accept func(x *ir.Value) *ir.Value) *ir.Func {
	l, family := d.l, ir.Without(axes, d.Y.Own)
	l.draw = append([]*ir.Axis{}, family...) // not nil, even for a single value
	x := d.sample()
	l.draw = nil
	f := &ir.Func{ID: id, Outputs: []ir.Output{{Name: "draw", Value: x, Axes: axes}}}
	ok := d.accept(x)
	if accept != nil {
		a := accept(x)
		if ok != nil {
			// What a type admits as a whole, as an order, is kept or drawn again as a whole.
			for _, axis := range ir.Without(ok.Axes, a.Axes) {
				ok = l.B.Reduce(ir.OpReduceMin, ok, axis)
			}
			a = l.B.Map(ir.OpAnd, a, ok)
		}
		ok = a
	}
	if ok != nil {
		f.Outputs = append(f.Outputs, ir.Output{Name: "accept", Value: ok, Axes: axes})
	}
	if d.picked != nil {
		f.Outputs = append(f.Outputs, ir.Output{Name: "component", Value: d.picked, Axes: family})
	}
	return f
}

// HasMean reports whether the distribution gives the expected value of a number.
func (d *Dist) HasMean() bool {
	return d.Has("mean") && len(d.Y.Own) == 0 && d.point == nil && d.comps == nil && d.lo == nil
}

// IsA reports whether the distribution has one of the given names in the library or the model.
func (d *Dist) IsA(names ...string) bool {
	return d.def != nil && slices.Contains(names, d.def.Name)
}

// sample returns a draw for every entry along l.draw.
func (d *Dist) sample() *ir.Value {
	l := d.l
	x := d.sampleFree()
	if d.plane != nil {
		return d.centred(x)
	}
	if d.cens {
		x = l.B.Map(ir.OpMin, l.B.Map(ir.OpMax, x, d.lo), d.hi)
	}
	return x
}

func (d *Dist) sampleFree() *ir.Value {
	l, b := d.l, d.l.B
	switch {
	case d.point != nil:
		return d.point
	case d.comps != nil:
		return d.sampleMixture()
	case !d.Has("sample"):
		l.Fail(limits.CannotSimulate, d.Span,
			"%s has no generator (a line sample = …), so it cannot be simulated", d.name())
	}
	d.trials()
	saved := l.draw
	defer func() { l.draw = saved }()
	x := d.Line("sample", nil)
	if len(d.Y.Own) == 0 {
		return b.Add(x, b.Num(0))
	}
	return x
}

// sampleMixture draws a component for every entry, and then a value from it. For components over an
// index, the arguments of the picked component are selected before drawing; for a list of
// components, each is drawn and one is kept.
func (d *Dist) sampleMixture() *ir.Value {
	l, b := d.l, d.l.B
	for _, c := range d.comps {
		if c.d.lo != nil && !c.d.cens {
			// Drawing the whole mixture again would favour the components that are truncated least.
			l.Fail(limits.CannotSimulate, d.Span,
				"a truncated component of a mixture cannot be drawn again by itself, so this "+
					"cannot be simulated")
		}
	}
	u := b.Random(ir.OpRandUniform, l.draw)
	if k := d.over; k != nil {
		c := d.comps[0]
		total := b.CumSum(b.Map(ir.OpExp, c.logw), k, false)
		pick := b.Sum(b.Map(ir.OpGt, u, total), k)
		d.picked = b.Map(ir.OpMin, pick, b.Sub(b.AxisSize(k), b.Num(1)))
		return c.d.At(k, d.picked).sample()
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

// At returns the distribution with the index k of a comprehension replaced by pick.
func (d *Dist) At(k *ir.Axis, pick *ir.Value) *Dist {
	p := picker{d.l.B, k, pick, map[*ir.Value]*ir.Value{}}
	return d.Map(p.value)
}

// Pick returns v at an index into the axis k.
func Pick(b *ir.Builder, v *ir.Value, k *ir.Axis, index *ir.Value) *ir.Value {
	p := picker{b, k, index, map[*ir.Value]*ir.Value{}}
	return p.value(v)
}

// A picker replaces an axis by an index into it.
type picker struct {
	b    *ir.Builder
	k    *ir.Axis
	pick *ir.Value
	done map[*ir.Value]*ir.Value
}

// Map returns the distribution with f applied to every argument.
func (d *Dist) Map(f func(v *ir.Value) *ir.Value) *Dist {
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
		out.comps = append(out.comps, mixed{f(c.logw), c.d.Map(f)})
	}
	return &out
}

// inOrder returns symbols in the order of their declaration, so that results do not depend on the
// order of a map.
func inOrder(values map[*check.Symbol]tensor) []*check.Symbol {
	return slices.SortedFunc(maps.Keys(values), func(a, b *check.Symbol) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Name, b.Name))
	})
}

// value returns v at the picked entries. Arithmetic and sums over other axes are applied after
// picking: of K means of length D, one is picked for every entry before anything is computed from
// it.
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

// inside reports whether the arguments can be picked before the op is applied.
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

// accept returns which entries a truncation keeps; nil when it keeps all.
func (d *Dist) accept(x *ir.Value) *ir.Value {
	if d.lo == nil || d.cens {
		return nil
	}
	b := d.l.B
	return b.Map(ir.OpAnd, b.Map(ir.OpGe, x, d.lo), b.Map(ir.OpLe, x, d.hi))
}

// Reads reports whether an argument runs along the axis.
func (d *Dist) Reads(k *ir.Axis) bool {
	has := func(v *ir.Value) bool { return v != nil && v.Has(k) }
	if has(d.lo) || has(d.hi) || has(d.point) {
		return true
	}
	if d.fr != nil {
		for _, t := range d.fr.values {
			if has(t.v) {
				return true
			}
		}
	}
	return slices.ContainsFunc(d.comps, func(c mixed) bool { return has(c.logw) || c.d.Reads(k) })
}
