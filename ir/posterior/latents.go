package posterior

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A latents has the values that predictions draw before the statements that read them: unknowns
// that were summed or integrated out, and locals that have no value for new rows.
type latents struct {
	l     *lower.Model
	spec  []model.Datum
	funcs []*ir.Func
	leaf  map[*lower.Summed]*ir.Value
	of    map[*lower.Collapsed]string
	draws []Draw // one for each of spec

	drawing map[*lower.DrawnLocal]bool // locals whose draws are being made or have been made
	redraws []*Redraw                  // the same for missing entries
}

// dist returns the distribution with every summed-out latent value replaced by a draw. A row of new
// data has its own latent values, whose distribution is their prior given the unknowns.
func (x *latents) dist(d *lower.Dist) *lower.Dist {
	d.Map(func(v *ir.Value) *ir.Value { x.noGrouped(v, d.Span); return v })
	for _, z := range slices.Backward(x.l.Summed) {
		if d.Reads(z.Axis) {
			d = d.At(z.Axis, x.draw(z, d))
		}
	}
	d = x.integrated(d)
	d.Map(func(v *ir.Value) *ir.Value { x.needs(v, d.Span); return v })
	return d
}

// noGrouped refuses values that depend on a grouped unknown.
func (x *latents) noGrouped(v *ir.Value, at source.Span) {
	if u := x.l.GroupedIn(v); u != nil {
		x.l.Fail(limits.CannotSimulate, at,
			sharedAndGone+"; as a local in a plate over its entries, with their rows as a ragged "+
				"dim, it is drawn from its law", u.Name)
	}
}

const sharedAndGone = "%s is shared by all rows and was summed out: what the data say of it is " +
	"not in the run, so nothing that depends on it can be predicted"

// draw returns a latent value as data, drawn by the function "latent".
func (x *latents) draw(z *lower.Summed, d *lower.Dist) *ir.Value {
	if v, ok := x.leaf[z]; ok {
		return v
	}
	l, b := x.l, x.l.B
	if slices.ContainsFunc(l.Checked.Symbols, func(s *check.Symbol) bool {
		return s.Name == z.Name && s.Kind == check.Param
	}) {
		l.Fail(limits.CannotSimulate, d.Span, sharedAndGone, z.Name)
	}
	if z.Prior == nil {
		l.Fail(limits.CannotSimulate, d.Span,
			"%s has no law, so what depends on it cannot be predicted", z.Name)
	}
	x.noGrouped(z.Prior, d.Span)
	prior := z.Prior
	for _, other := range slices.Backward(l.Summed) {
		if other != z && prior.Has(other.Axis) {
			prior = lower.Pick(b, prior, other.Axis, x.draw(other, d))
		}
	}
	prior = x.drawn(prior, d.Span)
	x.needs(prior, d.Span)
	u := b.Random(ir.OpRandUniform, z.Plates)
	pick := b.Sum(b.Map(ir.OpGt, u, b.CumSum(b.Map(ir.OpExp, prior), z.Axis, false)), z.Axis)
	pick = b.Map(ir.OpMin, pick, b.Sub(b.AxisSize(z.Axis), b.Num(1)))
	id := fn.Latent.At(len(x.funcs))
	name := id.String()
	x.funcs = append(x.funcs, &ir.Func{ID: id,
		Outputs: []ir.Output{{Name: "draw", Value: pick, Axes: z.Plates}}})
	x.draws = append(x.draws, Draw{Name: z.Name, Local: true, Shape: ir.Sizes(z.Plates),
		Family: len(z.Plates), Func: x.funcs[len(x.funcs)-1]})
	x.spec = append(x.spec, model.Datum{Name: name, Shape: ir.Sizes(z.Plates), Derived: true})
	x.leaf[z] = b.Leaf(ir.OpData, name, z.Plates...)
	return x.leaf[z]
}

// integrated returns a distribution with unknowns that were integrated out replaced by draws.
func (x *latents) integrated(d *lower.Dist) *lower.Dist {
	if x.l.ReadsCollapsed(d) == nil {
		return d
	}
	return d.Map(func(v *ir.Value) *ir.Value { return x.drawn(v, d.Span) })
}

// drawn returns a value with unknowns that were integrated out replaced by draws from their priors,
// as for other latent values of new rows.
func (x *latents) drawn(v *ir.Value, at source.Span) *ir.Value {
	for _, u := range x.l.CollapsedIn(v) {
		if !u.Local {
			x.l.Fail(limits.CannotSimulate, at,
				"%s is shared by all rows and was integrated out: what the data say of it is not "+
					"in the run, so nothing that depends on it can be predicted; without by "+
					"collapse it can", u.Name)
		}
		name := x.drawOf(u)
		v = ir.Rewrite(x.l.B, []*ir.Value{v},
			func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
				if u.Is(v) {
					return b.Leaf(ir.OpData, name, v.Axes...)
				}
				return nil
			})[0]
	}
	return v
}

// drawOf returns the name under which an unknown's draws are read.
func (x *latents) drawOf(u *lower.Collapsed) string {
	if name, ok := x.of[u]; ok {
		return name
	}
	prior := x.dist(u.Law)
	id := fn.Latent.At(len(x.funcs))
	name := id.String()
	x.of[u] = name
	axes := u.Axes()
	x.funcs = append(x.funcs, prior.DrawFunc(id, axes, nil))
	x.draws = append(x.draws, Draw{Name: u.Name, Local: true, Shape: ir.Sizes(axes),
		Family: len(axes) - len(u.Own), Func: x.funcs[len(x.funcs)-1]})
	x.spec = append(x.spec, model.Datum{Name: name, Shape: ir.Sizes(axes), Derived: true})
	return name
}

// isLatent reports whether a value is a latent value that has been drawn.
func isLatent(v *ir.Value) bool { return v.Op == ir.OpData && model.Drawn(v.Name) }

// needs makes draws of all drawn locals that a value reads, ahead of the next draw.
func (x *latents) needs(v *ir.Value, at source.Span) {
	if v == nil || len(x.l.DrawnLocals)+len(x.l.Redrawn) == 0 {
		return
	}
	for _, r := range ir.Reach(v) {
		if !isLatent(r) {
			continue
		}
		for _, m := range x.l.Redrawn {
			if m.Leaf == r {
				x.redraw(m)
			}
		}
		if z := x.l.DrawnNamed(r.Name[len(model.DrawnPrefix):]); z != nil {
			x.local(z, at)
		}
	}
}

// local makes the draw of a drawn local.
func (x *latents) local(z *lower.DrawnLocal, at source.Span) {
	name := model.DrawnPrefix + z.Name
	if slices.ContainsFunc(x.spec, func(d model.Datum) bool { return d.Name == name }) {
		return
	}
	l := x.l
	draw := Draw{Name: z.Name, Local: true, Type: z.Symbol.Type, Shape: ir.Sizes(z.Leaf.Axes)}
	if !z.Given {
		if z.Dist == nil {
			l.Fail(limits.CannotSimulate, at,
				"%s has no law, so what depends on it cannot be predicted", z.Name)
		}
		if x.drawing[z] {
			l.Fail(limits.CannotSimulate, at,
				"the law of an entry of %s reads other entries of it, which is not drawn from "+
					"its law yet, so what depends on it cannot be predicted", z.Name)
		}
		x.drawing[z] = true
		var accept func(v *ir.Value) *ir.Value
		d := x.dist(z.Dist)
		if z.In != nil {
			accept = l.InType(z.In, d, z.Leaf.Axes)
		}
		draw.Func = d.DrawFunc(fn.Latent.Of(z.Name), z.Leaf.Axes, accept)
		draw.Family = len(ir.Without(z.Leaf.Axes, d.Y.Own))
		x.funcs = append(x.funcs, draw.Func)
	}
	x.spec = append(x.spec, model.Datum{Name: name, Shape: draw.Shape, Derived: true})
	x.draws = append(x.draws, draw)
}
