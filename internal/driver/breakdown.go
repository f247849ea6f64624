package driver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Breakdown is a model's log density by its summands, compiled.
type Breakdown struct {
	Parts []Part
	spec  *model.Spec
	plans []map[fn.ID]*plan.Program
	// defaults compute inputs that were left out
	defaults map[fn.ID]*plan.Program
}

// A Part is one summand of the log density.
type Part struct {
	Kind posterior.PartKind
	Name string // what is observed, has the prior or the transform; empty for a factor
	Text string // the first line of its statement; empty for a Jacobian
	Line int    // where that is; 0 for a Jacobian
	// Reads are the unknowns that it depends on, by name, and Data says that it reads data.
	Reads []string
	Data  bool
	axes  []*ir.Axis
}

// String names a summand in a report: y ~ normal(mu, s), or log|J| of s.
func (p *Part) String() string {
	switch p.Kind {
	case posterior.JacobianPart:
		return "log|J| of the transform of " + p.Name
	case posterior.PriorPart:
		if !strings.Contains(p.Text, "~") { // the prior of a declaration
			return p.Name + " ~ " + p.Text
		}
	}
	return p.Text
}

// Break compiles a checked model by its summands.
func Break(m *check.Model) (*Breakdown, diag.List, error) {
	b, diags := posterior.Break(m, lowering(Options{}))
	if diags.Errors() {
		return nil, diags, nil
	}
	funcs, defaults, refused := stageBreakdown(b)
	if diags = append(diags, refused...); diags.Errors() {
		return nil, diags, nil
	}
	out := &Breakdown{spec: b.Spec}
	planned := func(funcs []*ir.Func) (map[fn.ID]*plan.Program, error) {
		plans := map[fn.ID]*plan.Program{}
		for _, f := range funcs {
			var err error
			if plans[f.ID], err = plan.Build(b.Model.B, f); err != nil {
				return nil, err
			}
		}
		return plans, nil
	}
	var err error
	if out.defaults, err = planned(defaults); err != nil {
		return nil, diags, err
	}
	for i := range b.Parts {
		p := &b.Parts[i]
		plans, err := planned(funcs[i])
		var dense *plan.DenseError
		switch {
		case errors.As(err, &dense):
			diags.Add(madeDense(m, dense.Name))
			return nil, diags, nil
		case err != nil:
			return nil, diags, err
		}
		out.plans = append(out.plans, plans)
		part := Part{Kind: p.Kind, Name: p.Name, Reads: p.Reads, Data: p.Data, axes: p.Axes}
		if p.Span.End > p.Span.Start {
			_, at := m.File.Source.Seen(p.Span.Start)
			part.Text, part.Line = firstLine(m.File.Source, p.Span), at.Line
		}
		out.Parts = append(out.Parts, part)
	}
	return out, diags, nil
}

func firstLine(f *source.File, s source.Span) string {
	text, rest, more := strings.Cut(f.Text[s.Start:s.End], "\n")
	if more && strings.TrimSpace(rest) != "" {
		text = strings.TrimRight(text, " ") + " …"
	}
	return text
}

// Terms evaluates the summands of a model bound to data, in one goroutine.
type Terms struct {
	*Breakdown
	dims  map[string]int
	frame model.Frame
	funcs []map[string]model.Func
	out   []float64
}

// Bind makes an evaluator for data, which has a value for every input.
func (b *Breakdown) Bind(bound *data.Bound) (*Terms, error) {
	t := &Terms{Breakdown: b, dims: bound.Dims, frame: model.Frame{Scale: 1, Jacobian: 1}}
	bound, err := model.WithDefaults(b.spec, &vm.Code{Spec: b.spec, Programs: b.defaults}, bound)
	if err != nil {
		return nil, err
	}
	for _, d := range b.spec.Data {
		v := bound.Value(d.Name)
		var rows kernel.Rows
		var dense []float64
		switch {
		case v == nil:
			return nil, fmt.Errorf("input %s is missing", d.Name)
		case d.Sparse:
			rows = kernel.Rows{Lo: v.CSR.Indptr[:v.CSR.Rows], Hi: v.CSR.Indptr[1 : v.CSR.Rows+1],
				Index: v.CSR.Columns(), Value: v.CSR.Values()}
		default:
			dense = v.Floats()
		}
		t.frame.Dense, t.frame.Sparse = append(t.frame.Dense, dense), append(t.frame.Sparse, rows)
	}
	for range b.plans {
		t.funcs = append(t.funcs, map[string]model.Func{})
	}
	return t, nil
}

// run calls a function of summand i, which is made at its first use.
func (t *Terms) run(i int, name string, x, out []float64) {
	f := t.funcs[i][name]
	if f == nil {
		f = (&vm.Code{Spec: t.spec, Programs: t.plans[i]}).Func(name, t.dims, 0)
		t.funcs[i][name] = f
	}
	t.frame.X, t.frame.Out = x, out
	f.Prepare(&t.frame)
	f.Finish(&t.frame)
}

// Len is the number of summands.
func (t *Terms) Len() int { return len(t.Parts) }

// Values are the entries of summand i at a state, good until the next call.
func (t *Terms) Values(i int, x []float64) []float64 {
	n := 1
	for _, a := range t.Parts[i].axes {
		k, _ := a.Size.Eval(t.dims)
		n *= k
	}
	if cap(t.out) < n {
		t.out = make([]float64, n)
	}
	t.run(i, "terms", x, t.out[:n])
	return t.out[:n]
}

// LogDensity is the sum of the entries of summand i.
func (t *Terms) LogDensity(i int, x []float64) float64 {
	var out [1]float64
	t.run(i, "density", x, out[:])
	return out[0]
}

// Gradient writes the gradient of summand i by the state.
func (t *Terms) Gradient(i int, x, grad []float64) { t.run(i, "gradient", x, grad) }

// LogLikelihood is the sum of all that is observed; false when nothing is.
func (t *Terms) LogLikelihood(x []float64) (float64, bool) {
	sum, any := 0.0, false
	for i := range t.Parts {
		if t.Parts[i].Kind == posterior.ObservedPart {
			sum, any = sum+t.LogDensity(i, x), true
		}
	}
	return sum, any
}

// Entry says where entry k of summand i stands: "at n = 3"; empty for a summand
// without axes.
func (t *Terms) Entry(i, k int) string {
	axes := t.Parts[i].axes
	at := make([]string, len(axes))
	for j := len(axes) - 1; j >= 0; j-- {
		n, _ := axes[j].Size.Eval(t.dims)
		lo, _ := axes[j].Lo.Eval(t.dims)
		at[j] = fmt.Sprintf("%s = %d", axes[j].Name, lo+k%max(n, 1))
		k /= max(n, 1)
	}
	if len(at) == 0 {
		return ""
	}
	return "at " + strings.Join(at, ", ")
}
