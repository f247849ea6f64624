package stage

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Data lists the data that functions read.
func Data(spec *model.Spec, funcs []*ir.Func) []model.Datum {
	var out []model.Datum
	type kind struct {
		name         string
		rows, sparse bool
	}
	have := map[kind]bool{}
	add := func(d model.Datum) {
		if k := (kind{d.Name, d.Rows, d.Sparse}); !have[k] {
			have[k] = true
			out = append(out, d)
		}
	}
	derived := map[string]model.Datum{}
	for _, d := range slices.Concat(spec.Constants, spec.Derived, spec.Given, spec.Latent,
		spec.StatisticData(), spec.Totals) {
		derived[d.Name] = d
	}
	late := map[string]bool{} // read as a whole by functions that run after the model is bound
	for _, f := range funcs {
		if f.ID.Kind == fn.Locals {
			for _, o := range f.Outputs {
				add(model.Datum{Name: o.Name, Shape: ir.Sizes(o.Axes), Rows: true, Filled: true})
			}
		}
		for _, v := range f.Values() {
			if v.Op != ir.OpData && v.Op != ir.OpLocal {
				continue
			}
			d := model.Datum{Name: v.Name, Sparse: v.Sparse, Shape: spec.OfAllRows(ir.Sizes(v.Axes)),
				Filled: v.Op == ir.OpLocal}
			_, d.Derived = derived[v.Name]
			for i, a := range v.Axes {
				if a.Rows {
					d.Rows, d.Lead = true, i
				}
			}
			add(d)
			late[d.Name] = late[d.Name] ||
				!d.Rows && !f.ID.Kind.Early() && f.ID.Kind != fn.Constants && f.ID.Kind != fn.Derive
		}
	}
	for i := range out {
		d := &out[i]
		d.Early = !d.Rows && !d.Derived && !d.Filled && !late[d.Name] && len(d.Shape) > 1
	}
	return out
}
