package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Spec describes the inputs and the unknowns.
func (l *Model) Spec() *model.Spec {
	spec := &model.Spec{Doc: l.Checked.File.Doc, Text: l.Checked.File.Source.Text, Schema: l.schema(), Ranges: l.ranges}
	for _, p := range l.Params {
		spec.Params = append(spec.Params, p.spec())
	}
	return spec
}

// Source is the text of the model.
func (l *Model) Source() *source.File { return l.Checked.File.Source }

// Defaults are the functions of inputs that may be left out.
func (l *Model) Defaults() []*ir.Func {
	var out []*ir.Func
	for _, d := range l.defaults {
		out = append(out, &ir.Func{ID: fn.Default.Of(d.name), Outputs: []ir.Output{{Name: d.name, Value: d.v, Axes: d.axes}}})
	}
	return out
}

// Observes reports whether a statement ~ observes the name.
func (l *Model) Observes(name string) bool {
	return slices.ContainsFunc(l.Sites, func(s Site) bool { return s.Name == name })
}

// Checks are the checks of computed indices, with their functions.
func (l *Model) Checks() (funcs []*ir.Func, checks []model.Check) {
	for i, c := range l.checks {
		f, check := l.checkFunc(i, c)
		funcs, checks = append(funcs, f), append(checks, check)
	}
	return funcs, checks
}

// Density is scale·Σ rows + the rest + jacobian·log|J|.
func (l *Model) Density(j *Joint) *ir.Func {
	b := l.B
	f := b.Add(j.Rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), j.Jacobian))
	if j.PerRow != nil {
		f = b.Add(b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(j.PerRow, j.Row)), f)
	}
	return &ir.Func{ID: fn.Density.ID(), Outputs: []ir.Output{{Name: "density", Value: f}}}
}

// RowLikelihoods are the functions "loglik" and, where entries may be missing,
// "observed": the log likelihood of every row.
func (l *Model) RowLikelihoods(j *Joint) []*ir.Func {
	of := func(kind fn.Kind, v *ir.Value) *ir.Func {
		return &ir.Func{ID: kind.ID(), Outputs: []ir.Output{{Name: string(kind), Value: v, Axes: []*ir.Axis{j.Row}}}}
	}
	funcs := []*ir.Func{of(fn.Loglik, j.PerRow)}
	if j.Seen != nil {
		funcs = append(funcs, of(fn.Observed, j.Seen))
	}
	return slices.Clip(funcs)
}
