package driver

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// RowLatents is a model made ready for drawing the latent values of its rows
// from their posterior (see posterior.RowLatents).
type RowLatents struct {
	Compiled
	Values []posterior.RowLatent

	keys fittedKeys // find its fitted values among the run's
}

// Latents compiles a model for the latent values of those names; without any, of
// all that the entries of a row share. With errors among the diagnostics it is nil.
func Latents(src *source.File, o Options, names []string) (*RowLatents, diag.List) {
	_, m := Check(src, o)
	if m.Diags.Errors() {
		return nil, m.Diags
	}
	low, diags := posterior.Latents(m, lowering(o), names)
	if diags = append(m.Diags, diags...); diags.Errors() {
		return nil, diags
	}
	r := &RowLatents{Compiled: Compiled{Source: src, Check: m, Spec: low.Spec}}
	module, refused := stageChain(&low.RowChain, func() (funcs []*ir.Func, d diag.List) {
		funcs, r.Values, d = low.Values()
		return funcs, d
	})
	if diags = append(diags, refused...); diags.Errors() {
		return nil, diags
	}
	r.Fitted = module.Fitted
	r.Spec.Name = Name(src.Name)
	var d *diag.Diagnostic
	if r.Programs, d = plans(m, module); d != nil {
		return nil, append(diags, d)
	}
	r.keys = keysOf(module, constantsOf(src, o))
	return r, diags
}

// Bind binds rows. ran has values such as mean(x) of the run.
func (r *RowLatents) Bind(
	bound *data.Bound, ran Recorded,
) (*model.Model, *model.RowLatents, error) {
	m, err := r.bindFitted(bound, ran, r.keys)
	if err != nil {
		return nil, nil, err
	}
	return m, model.NewRowLatents(m), nil
}

// Sites are the latent values as predicted names, one after another in a draw.
func (r *RowLatents) Sites(m *model.Model) []Predicted {
	var out []Predicted
	offset := 0
	for _, v := range r.Values {
		s := Predicted{Name: v.Name, Latent: true, Kind: lower.DataKind(v.Type.Kind),
			Missing: !v.Shared, Offset: offset}
		s.Dims, s.Shape = []string{r.Spec.RowDim},
			append([]int{m.Rows()}, size.Shape(v.Shape, m.Dims)...)
		for _, n := range v.Shape {
			dim, _ := n.Name()
			s.Dims = append(s.Dims, dim)
		}
		switch v.Type.Kind {
		case types.Index:
			s.Classes, _ = v.Type.Below.Eval(m.Dims)
			s.ClassDim, _ = v.Type.Below.Name()
		}
		s.Len = array.Len(s.Shape)
		offset += s.Len
		out = append(out, s)
	}
	return out
}
