package typed

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// Rows are rows that a model was not fitted to, bound to it: its parameters have the sizes of
// the fit, and values such as mean(x) are the fit's. They may be used by several goroutines.
type Rows struct {
	fitted *model.Model
	rows   *model.Model
	eval   Evaluators
	sites  []model.Site
	absent []string // observed names that were not given
}

// NewRows binds rows to a fitted model. Data without the row axis are those of fit, whatever the
// inputs have. The observed names in optional may be missing if only predictions are needed.
func NewRows(fitted *model.Model, fit *data.Bound, in *Inputs, optional []string) (*Rows, error) {
	s := &fitted.Spec.Schema
	o := data.Options{Fixed: map[string]int{}}
	fix := func(shape []size.Poly) {
		for _, p := range shape {
			for _, d := range p.Dims() {
				if n, ok := fitted.Dims[d]; ok && d != fitted.Spec.RowDim {
					o.Fixed[d] = n
				}
			}
		}
	}
	for _, p := range fitted.Spec.Params {
		fix(p.Shape)
		fix(p.State)
	}
	r := &Rows{fitted: fitted, sites: fitted.Spec.RowSites()}
	given := *in
	given.values = maps.Clone(in.values)
	for i := range s.Inputs {
		x := &s.Inputs[i]
		switch {
		case !byRow(x, fitted.Spec.RowDim):
			fix(x.Shape)
			delete(given.values, x.Name)
			o.Absent = append(o.Absent, x.Name)
		case given.values[x.Name] == nil && slices.Contains(optional, x.Name):
			o.Absent = append(o.Absent, x.Name)
			r.absent = append(r.absent, x.Name)
		}
	}
	bound, err := given.bind(s, o)
	if err != nil {
		return nil, err
	}
	for _, name := range o.Absent {
		if slices.Contains(r.absent, name) {
			bound.Values[name] = blank(s.Input(name), bound.Dims)
		} else if v := fit.Values[name]; v != nil {
			bound.Values[name] = v
		}
	}
	constants := map[string][]float64{}
	for _, name := range fitted.Spec.Fitted {
		if x, ok := fitted.Constants[name]; ok {
			constants[name] = x
		}
	}
	if r.rows, err = fitted.Rebind(bound, constants); err != nil {
		return nil, err
	}
	r.eval = NewEvaluators(r.rows)
	return r, nil
}

// byRow reports whether an input has an entry, or some, for each row.
func byRow(in *data.Input, axis string) bool {
	for _, p := range in.Shape {
		if slices.Contains(p.Dims(), axis) {
			return true
		}
	}
	return false
}

// blank is what stands for an observed name that is not known: no prediction reads it.
func blank(in *data.Input, dims map[string]int) *array.Value {
	n, shape := 1, []int{}
	for _, p := range in.Shape {
		k, _ := p.Eval(dims)
		n, shape = n*k, append(shape, k)
	}
	entries := make([]float64, n)
	for i := range entries {
		switch in.Kind {
		case data.Positive:
			entries[i] = 1
		case data.Unit:
			entries[i] = 0.5
		}
	}
	return array.Dense(entries, shape...)
}

// Len is the number of rows.
func (r *Rows) Len() int { return r.rows.Rows() }

// widths are how many numbers each site has for a row.
func (r *Rows) widths() []int {
	out := make([]int, len(r.sites))
	for i, s := range r.sites {
		out[i] = 1
		if !s.Mean {
			out[i], _ = s.Classes.Eval(r.rows.Dims)
		}
	}
	return out
}

// Predict writes what a draw says of every row into fields, one for each of RowSites: a
// *[]float64 for expected values, a *[][]float64 for probabilities of classes.
func (r *Rows) Predict(params, fields []any) error {
	x, err := Pack(r.fitted, params)
	if err != nil {
		return err
	}
	r.fill(r.at(x), fields)
	return nil
}

// at is what a state says of the rows: site by site, row by row.
func (r *Rows) at(x []float64) (out []float64) {
	for i, w := range r.widths() {
		part := make([]float64, w*r.Len())
		s := &r.sites[i]
		r.eval.Do(func(e target.Evaluator) {
			own := e.(*model.Evaluator)
			if s.Mean {
				own.Mean(s.Name, x, nil, part)
				return
			}
			own.Classes(s.Name, x, nil, w, part)
			for k, l := range part {
				part[k] = special.Exp(l)
			}
		})
		out = append(out, part...)
	}
	return out
}

// fill sets fields to numbers that are laid out as at returns them.
func (r *Rows) fill(numbers []float64, fields []any) {
	for i, w := range r.widths() {
		n := r.Len()
		part := numbers[: w*n : w*n]
		numbers = numbers[w*n:]
		switch f := fields[i].(type) {
		case *[]float64:
			*f = part
		case *[][]float64:
			*f = make([][]float64, n)
			for k := range *f {
				(*f)[k] = part[k*w : (k+1)*w : (k+1)*w]
			}
		}
	}
}

// LogLik returns the log likelihood of each row at parameters.
func (r *Rows) LogLik(params []any) ([]float64, error) {
	x, err := Pack(r.fitted, params)
	if err != nil {
		return nil, err
	}
	if err := r.known(); err != nil {
		return nil, err
	}
	return r.logLik(x), nil
}

func (r *Rows) logLik(x []float64) []float64 {
	out := make([]float64, r.Len())
	r.eval.Do(func(e target.Evaluator) { e.LogLik(x, nil, out) })
	return out
}

// known refuses a likelihood of what was not given.
func (r *Rows) known() error {
	if len(r.absent) > 0 {
		return fmt.Errorf("the likelihood of a row needs %s, which is not given", r.absent[0])
	}
	return nil
}

// errNoDraws is of a posterior without draws.
var errNoDraws = errors.New("the posterior has no draws")

// states are the draws as states of the model, chain by chain.
func (s *Set) states(t target.Target) ([][]float64, error) {
	if t.OutputLen() != s.draws.Width {
		return nil, fmt.Errorf("the rows are of a model with %d numbers a draw, the draws have %d",
			t.OutputLen(), s.draws.Width)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.inner != nil {
		return s.inner, nil
	}
	e := t.NewEvaluator(1)
	var out [][]float64
	for c := range s.Chains() {
		for i := range s.Len() {
			x := make([]float64, t.Dim())
			if err := e.Unconstrain(s.draws.Draw(c, i), x); err != nil {
				return nil, fmt.Errorf("draw %d of chain %d: %w", i, c, err)
			}
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return nil, errNoDraws
	}
	s.inner = out
	return out, nil
}

// Predict writes the means over all draws of what each says of the rows; see Rows.Predict.
func (s *Set) Predict(r *Rows, fields []any) error {
	states, err := s.states(r.fitted)
	if err != nil {
		return err
	}
	var sum []float64
	for _, x := range states {
		at := r.at(x)
		if sum == nil {
			sum = at
			continue
		}
		for i, v := range at {
			sum[i] += v
		}
	}
	for i := range sum {
		sum[i] /= float64(len(states))
	}
	r.fill(sum, fields)
	return nil
}

// LogLik returns, for each row, the log of the mean likelihood over all draws: the log of its
// predictive density.
func (s *Set) LogLik(r *Rows) ([]float64, error) {
	if err := r.known(); err != nil {
		return nil, err
	}
	states, err := s.states(r.fitted)
	if err != nil {
		return nil, err
	}
	mean := predictive.NewMean(r.Len())
	for _, x := range states {
		mean.Add(r.logLik(x))
	}
	out := make([]float64, r.Len())
	for i := range out {
		out[i] = mean.Log(i)
	}
	return out, nil
}
