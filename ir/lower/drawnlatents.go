package lower

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// latents are the unknowns that predictions draw: summed or integrated out.
type latents struct {
	l     *lowerer
	spec  []model.Datum
	funcs []*ir.Func
	leaf  map[*summed]*ir.Value
	of    map[*collapsed]string
	draws []Draw // of spec

	drawing map[*drawnLocal]bool // those whose draws are being made or have been
}

// dist is the distribution with a draw of every latent value that it depends
// on in the place of all its values: a row of new data has latent values of
// its own, whose law is their prior given the unknowns.
func (x *latents) dist(d *boundDist) *boundDist {
	d.with(func(v *ir.Value) *ir.Value { x.noGrouped(v, d.site); return v })
	for _, z := range slices.Backward(x.l.summed) {
		if d.reads(z.axis) {
			d = d.at(z.axis, x.draw(z, d))
		}
	}
	d = x.integrated(d)
	d.with(func(v *ir.Value) *ir.Value { x.needs(v, d.site); return v })
	return d
}

// noGrouped refuses what depends on a grouped unknown.
func (x *latents) noGrouped(v *ir.Value, at source.Span) {
	if u := x.l.groupedIn(v); u != nil {
		x.l.fail(limits.CannotSimulate, at, sharedAndGone+"; as a local in a plate over its entries, with their rows as a ragged dim, it is drawn from its law", u.name)
	}
}

const sharedAndGone = "%s is shared by all rows and was summed out: what the data say of it is not in the run, so nothing that depends on it can be predicted"

// draw is a latent value as data, which the function of its name draws.
func (x *latents) draw(z *summed, d *boundDist) *ir.Value {
	if v, ok := x.leaf[z]; ok {
		return v
	}
	l, b := x.l, x.l.b
	if slices.ContainsFunc(l.model.Symbols, func(s *check.Symbol) bool { return s.Name == z.name && s.Kind == check.Param }) {
		l.fail(limits.CannotSimulate, d.site, sharedAndGone, z.name)
	}
	if z.prior == nil {
		l.fail(limits.CannotSimulate, d.site, "%s has no law, so what depends on it cannot be predicted", z.name)
	}
	x.noGrouped(z.prior, d.site)
	prior := z.prior
	for _, other := range slices.Backward(l.summed) {
		if other != z && prior.Has(other.axis) {
			p := picker{b, other.axis, x.draw(other, d), map[*ir.Value]*ir.Value{}}
			prior = p.value(prior)
		}
	}
	prior = x.drawn(prior, d.site)
	x.needs(prior, d.site)
	u := b.Random(ir.OpRandUniform, z.plates)
	pick := b.Sum(b.Map(ir.OpGt, u, b.CumSum(b.Map(ir.OpExp, prior), z.axis, false)), z.axis)
	pick = b.Map(ir.OpMin, pick, b.Sub(b.AxisSize(z.axis), b.Num(1)))
	id := fn.Latent.At(len(x.funcs))
	name := id.String()
	x.funcs = append(x.funcs, &ir.Func{ID: id, Outputs: []ir.Output{{Name: "draw", Value: pick, Axes: z.plates}}})
	x.draws = append(x.draws, Draw{Name: z.name, Local: true, Shape: ir.Sizes(z.plates), Family: len(z.plates), Func: x.funcs[len(x.funcs)-1]})
	x.spec = append(x.spec, model.Datum{Name: name, Shape: ir.Sizes(z.plates), Derived: true})
	x.leaf[z] = b.Leaf(ir.OpData, name, z.plates...)
	return x.leaf[z]
}

// reads reports whether an argument runs along the axis.
func (d *boundDist) reads(k *ir.Axis) bool {
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
	return slices.ContainsFunc(d.comps, func(c mixed) bool { return has(c.logw) || c.d.reads(k) })
}

// isLatent reports whether a value is a drawn latent one.
func isLatent(v *ir.Value) bool {
	return v.Op == ir.OpData && strings.HasPrefix(v.Name, model.DrawnPrefix)
}
