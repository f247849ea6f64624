package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Spec describes the inputs and the unknowns.
func (l *Model) Spec() *model.Spec {
	spec := &model.Spec{Doc: l.Checked.File.Doc, Text: l.Checked.File.Source.Text,
		Schema: l.schema(), Ranges: l.ranges, Hidden: l.hiddenSpec()}
	for _, p := range l.Params {
		spec.Params = append(spec.Params, p.spec())
	}
	return spec
}

// Source is the text of the model.
func (l *Model) Source() *source.File { return l.Checked.File.Source }

// Defaults returns the functions that compute inputs which the user may leave out.
func (l *Model) Defaults() []*ir.Func {
	var out []*ir.Func
	for _, d := range l.defaults {
		out = append(out, &ir.Func{ID: fn.Default.Of(d.name),
			Outputs: []ir.Output{{Name: d.name, Value: d.v, Axes: d.axes}}})
	}
	return out
}

// Observes reports whether a statement ~ observes the name.
func (l *Model) Observes(name string) bool {
	return slices.ContainsFunc(l.Sites, func(s Site) bool { return s.Name == name })
}

// Checks returns the checks that are made when data are bound, and the functions that compute their
// values.
func (l *Model) Checks() (funcs []*ir.Func, checks []model.Check) {
	for i, c := range l.checks {
		f, check := l.checkFunc(i, c)
		funcs, checks = append(funcs, f), append(checks, check)
	}
	return funcs, checks
}

// Density returns the log density as a function: scale·Σ rows + rest + jacobian·log|J|.
func (l *Model) Density(j *Joint) *ir.Func {
	b := l.B
	f := b.Add(j.Rest, b.Mul(b.Leaf(ir.OpScalar, "jacobian"), j.Jacobian))
	if j.PerRow != nil {
		f = b.Add(b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(j.PerRow, j.Row)), f)
	}
	return &ir.Func{ID: fn.Density.ID(), Outputs: []ir.Output{{Name: "density", Value: f}}}
}

// RowLikelihoods returns the functions "loglik" and, where entries may be missing, "observed": the
// log likelihood of every row.
func (l *Model) RowLikelihoods(j *Joint) []*ir.Func {
	of := func(kind fn.Kind, v *ir.Value) *ir.Func {
		return &ir.Func{ID: kind.ID(),
			Outputs: []ir.Output{{Name: string(kind), Value: v, Axes: []*ir.Axis{j.Row}}}}
	}
	funcs := []*ir.Func{of(fn.Loglik, j.PerRow)}
	if j.Seen != nil {
		funcs = append(funcs, of(fn.Observed, j.Seen))
	}
	return slices.Clip(funcs)
}

// Locals returns the locals that a chain draws, in the order of their declaration.
func (l *Model) Locals() []latent.Local {
	var out []latent.Local
	for _, z := range l.Sampled {
		out = append(out, z.Local)
	}
	return out
}

// ChainRows returns the summands of the log density of a row in the form that package latent takes.
func (j *Joint) ChainRows() latent.Rows {
	rows := latent.Rows{Row: j.Row, Full: j.Full, Terms: j.Parts}
	for _, o := range j.Rows {
		if o.Kind == PosteriorOf {
			rows.Posterior = append(rows.Posterior, o.Output)
		}
	}
	return rows
}

// CountsAndSizes returns the names of data that are counts, and the sizes of dims that are known; a
// chain needs both besides the terms.
func (l *Model) CountsAndSizes() (counts []string, sizes map[string]int) {
	return l.countData(), l.knownSizes()
}

// knownSizes returns the sizes of dims that the model gives as defaults.
func (l *Model) knownSizes() map[string]int {
	out := map[string]int{}
	for _, s := range l.Checked.Symbols {
		if n, ok := s.Default.Number(); ok && s.Kind == check.Dim && n > 0 {
			out[s.Name] = n
		}
	}
	return out
}

// countData returns the names of data that are non-negative whole numbers.
func (l *Model) countData() []string {
	var out []string
	for _, s := range l.Checked.Symbols {
		if slices.Contains([]types.Kind{types.Count, types.Bool, types.Bag}, s.Type.Kind) {
			out = append(out, s.Name)
		}
		if s.Type.Kind == types.Bag {
			out = append(out, data.CountsOf(s.Name))
		}
	}
	return out
}
