package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// integrated is a distribution with draws in the place of the unknowns that
// were integrated out.
func (x *latents) integrated(d *boundDist) *boundDist {
	if x.l.readsCollapsed(d) == nil {
		return d
	}
	return d.with(func(v *ir.Value) *ir.Value { return x.drawn(v, d.site) })
}

// drawn is a value with draws in the place of the unknowns that were
// integrated out: like other latent values of new rows they come from their
// priors.
func (x *latents) drawn(v *ir.Value, at source.Span) *ir.Value {
	for _, u := range x.l.collapsedIn(v) {
		if !u.Local {
			x.l.fail(limits.CannotSimulate, at, "%s is shared by all rows and was integrated out: what the data say of it is not in the run, so nothing that depends on it can be predicted; without by collapse it can", u.Name)
		}
		name := x.drawOf(u)
		v = ir.Rewrite(x.l.b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if u.Is(v) {
				return b.Leaf(ir.OpData, name, v.Axes...)
			}
			return nil
		})[0]
	}
	return v
}

// drawOf is the name of the draws of an unknown.
func (x *latents) drawOf(u *collapsed) string {
	if name, ok := x.of[u]; ok {
		return name
	}
	prior := x.dist(u.prior)
	id := fn.Latent.At(len(x.funcs))
	name := id.String()
	x.of[u] = name
	axes := append(slices.Clone(u.Plates), append(slices.Clone(u.Family), u.Own...)...)
	x.funcs = append(x.funcs, x.l.drawFunc(id, axes, prior, nil))
	x.draws = append(x.draws, Draw{Name: u.Name, Local: true, Shape: ir.Sizes(axes), Family: len(axes) - len(u.Own), Func: x.funcs[len(x.funcs)-1]})
	x.spec = append(x.spec, model.Datum{Name: name, Shape: ir.Sizes(axes), Derived: true})
	return name
}
