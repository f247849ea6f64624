package driver

import (
	"errors"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Posterior is a model made ready for what comes after a run: its functions
// are evaluated at the draws of the unknowns.
type Posterior struct {
	Compiled
	Draws []posterior.Draw // of Predict: function "predict I"
	Terms []posterior.Term // of Pointwise: function "pointwise I"

	latents   []posterior.Draw // of Spec.Latent
	redraws   []posterior.Redraw
	generated []posterior.Generated

	fitted *Compiled  // computes Spec.Given from the data of the run
	keys   fittedKeys // find Spec.Given among the run's constants
}

// Predict compiles a model for draws of its observed names given the unknowns.
// With errors among the diagnostics the Posterior is nil.
func Predict(src *source.File, o Options) (*Posterior, diag.List) {
	return afterRun(src, src, o, posterior.Predict)
}

// Pointwise compiles a model for the log likelihood of each observed entry: of
// models of which no axis can be taken by rows.
func Pointwise(src *source.File, o Options) (*Posterior, diag.List) {
	return afterRun(src, src, o, posterior.Pointwise)
}

// afterRun compiles a model as lowered has it. ran is the model of the run, to which src may have
// added.
func afterRun(
	src, ran *source.File, o Options,
	lowered func(*check.Model, posterior.Options) (*posterior.Posterior, diag.List),
) (*Posterior, diag.List) {
	_, m := Check(src, o)
	if m.Diags.Errors() {
		return nil, m.Diags
	}
	low, diags := lowered(m, lowering(o))
	diags = append(m.Diags, diags...)
	if diags.Errors() {
		return nil, diags
	}
	whole, fitted := stagePosterior(low)
	p := &Posterior{Compiled: Compiled{Source: src, Check: m, Spec: low.Spec,
		ties: tiesOf(whole.Funcs, nil)}, Draws: low.Draws,
		Terms: low.Terms, latents: low.Latents, redraws: low.Redraws,
		generated: low.Generated}
	p.Spec.Name = Name(src.Name)
	var d *diag.Diagnostic
	if p.Programs, d = plans(m, whole); d != nil {
		return nil, append(diags, d)
	}
	if fitted.Spec == nil {
		return p, diags
	}
	p.fitted = &Compiled{Source: src, Check: m, Spec: fitted.Spec}
	if p.fitted.Programs, d = plans(m, fitted); d != nil {
		return nil, append(diags, d)
	}
	p.keys = keysOf(fitted, constantsOf(ran, o))
	return p, diags
}

// constantsOf are the names of the constants of a run of a model, by digests of what they compute,
// if the run was made with the defaults of how it computes.
func constantsOf(ran *source.File, o Options) map[string]string {
	o = Options{Set: o.Set, RowDim: o.RowDim, Sampled: o.Sampled, Charts: o.Charts}
	_, m := Check(ran, o)
	return constantKeys(ran, m, o)
}

// plans schedules the functions of a module.
func plans(m *check.Model, mod *stage.Module) ([]*plan.Program, *diag.Diagnostic) {
	var out []*plan.Program
	for _, f := range mod.Funcs {
		p, err := plan.Build(mod.Builder, f)
		if err != nil {
			var dense *plan.DenseError
			if !errors.As(err, &dense) {
				panic("sgppl: compiler bug: " + err.Error())
			}
			return nil, madeDense(m, dense.Name)
		}
		out = append(out, p)
	}
	mod.Spec.Work = plan.Work(out)
	return out, nil
}

// Known are the fitted values, such as mean(x), that a run's record holds. all
// is false when some are not in it: then Fit computes them.
func (p *Posterior) Known(r Recorded) (known map[string][]float64, all bool) {
	known = map[string][]float64{}
	for _, d := range p.Spec.Given {
		x, ok := p.keys.value(d.Name, r)
		if !ok {
			return nil, false
		}
		known[d.Name] = x
	}
	return known, true
}

// FitSchema is what Fit needs of the run's data; nil when there is nothing to fit.
func (p *Posterior) FitSchema() *data.Schema {
	if p.fitted == nil {
		return nil
	}
	return &p.fitted.Spec.Schema
}

// Fit computes the fitted values from the data of the run.
func (p *Posterior) Fit(bound *data.Bound) (map[string][]float64, error) {
	m, err := p.fitted.VM(bound, nil)
	if err != nil {
		return nil, err
	}
	return m.Constants, nil
}

// Absent are the observed names that need not be in new data: no function
// reads them.
func (p *Posterior) Absent() []string {
	read := map[string]bool{}
	for _, d := range p.Spec.Data {
		read[d.Name] = true
	}
	var out []string
	for _, d := range p.Draws {
		if !read[d.Name] {
			out = append(out, d.Name)
		}
	}
	return out
}

// code makes functions of their own, whose generator is the caller's.
func (p *Posterior) code() *vm.Code { return &vm.Code{Spec: p.Spec, Programs: p.Table()} }

// call runs a function without row axis at a state.
func call(f model.Func, frame *model.Frame, x, out []float64) {
	frame.X, frame.Out = x, out
	f.Prepare(frame)
	f.Finish(frame)
}

// A Likelihood evaluates the log likelihood of every observed entry. One
// goroutine uses it at a time.
type Likelihood struct {
	funcs []model.Func
	sizes []int
	frame *model.Frame
}

// Likelihood makes an evaluator for a model bound to data.
func (p *Posterior) Likelihood(m *model.Model) *Likelihood {
	l := &Likelihood{frame: m.Frame()}
	code := p.code()
	for i, t := range p.Terms {
		l.funcs = append(l.funcs, code.Func(fn.Pointwise.At(i).String(), m.Dims, 0))
		l.sizes = append(l.sizes, array.Len(size.Shape(t.Shape, m.Dims)))
	}
	return l
}

// Len is the number of entries.
func (l *Likelihood) Len() int {
	n := 0
	for _, k := range l.sizes {
		n += k
	}
	return n
}

// Eval writes the log likelihoods at a state, term by term.
func (l *Likelihood) Eval(x, out []float64) {
	for i, f := range l.funcs {
		call(f, l.frame, x, out[:l.sizes[i]])
		out = out[l.sizes[i]:]
	}
}
