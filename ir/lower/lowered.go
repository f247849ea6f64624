package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Lowered is a model as terms of the IR. Its methods make functions of them,
// none of which is optimised, in the order in which the compiler wants them.
type Lowered struct {
	Builder *ir.Builder
	State   []ir.Block // one a param

	l *lowerer
}

// Spec describes the inputs and the unknowns.
func (x *Lowered) Spec() *model.Spec {
	spec := x.l.specOf()
	spec.Ranges = x.l.ranges
	return spec
}

// Source is the text of the model.
func (x *Lowered) Source() *source.File { return x.l.model.File.Source }

// Joint puts the terms on the rows of a minibatch.
func (x *Lowered) Joint() *Joint { return x.l.joint() }

// Locals are the latent values of rows that a chain draws; none where none is.
func (x *Lowered) Locals() []latent.Local { return x.l.chained() }

// CountsAndSizes are what a chain takes from the model besides its terms: the
// names of data that are counts, and the sizes of dims that are known.
func (x *Lowered) CountsAndSizes() (counts []string, sizes map[string]int) {
	return x.l.countData(), x.l.knownSizes()
}

// NoRows says why the locals of the model, which a chain draws by row, have none.
func (x *Lowered) NoRows() *diag.Diagnostic { return x.l.noRows(x.l.sampled[0]) }

// Constrain is the function from a state to the params and the tracked values,
// which it enters into the spec.
func (x *Lowered) Constrain(spec *model.Spec) *ir.Func { return x.l.constrain(spec) }

// Unconstrain is the inverse of Constrain for params.
func (x *Lowered) Unconstrain() *ir.Func { return x.l.unconstrain() }

// Predictions are the functions that predict observed names by row, which it
// enters into the spec.
func (x *Lowered) Predictions(spec *model.Spec, j *Joint) []*ir.Func {
	return x.l.predictions(spec, j)
}

// Defaults are the functions of inputs that may be left out.
func (x *Lowered) Defaults() []*ir.Func {
	var out []*ir.Func
	for _, d := range x.l.defaults {
		out = append(out, &ir.Func{ID: fn.Default.Of(d.name), Outputs: []ir.Output{{Name: d.name, Value: d.v, Axes: d.axes}}})
	}
	return out
}

// Observes reports whether a statement ~ observes the name.
func (x *Lowered) Observes(name string) bool {
	return slices.ContainsFunc(x.l.sites, func(s observed) bool { return s.name == name })
}

// Checks are the checks of computed indices, with their functions.
func (x *Lowered) Checks() (funcs []*ir.Func, checks []model.Check) {
	for i, c := range x.l.checks {
		f, check := x.l.checkFunc(i, c)
		funcs, checks = append(funcs, f), append(checks, check)
	}
	return funcs, checks
}

// Density is scale·Σ rows + the rest + jacobian·log|J|.
func (x *Lowered) Density(j *Joint) *ir.Func {
	b := x.Builder
	f := b.Add(j.Rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), j.Jacobian))
	if j.PerRow != nil {
		f = b.Add(b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(j.PerRow, j.Row)), f)
	}
	return &ir.Func{ID: fn.Density.ID(), Outputs: []ir.Output{{Name: "density", Value: f}}}
}

// RowLikelihoods are the functions "loglik" and, where entries may be missing,
// "observed": the log likelihood of every row.
func (x *Lowered) RowLikelihoods(j *Joint) []*ir.Func {
	of := func(kind fn.Kind, v *ir.Value) *ir.Func {
		return &ir.Func{ID: kind.ID(), Outputs: []ir.Output{{Name: string(kind), Value: v, Axes: []*ir.Axis{j.Row}}}}
	}
	funcs := []*ir.Func{of(fn.Loglik, j.PerRow)}
	if j.Seen != nil {
		funcs = append(funcs, of(fn.Observed, j.Seen))
	}
	return slices.Clip(funcs)
}
