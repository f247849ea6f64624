// Package probe evaluates every function of a bound model and writes down the
// bits. It runs in process on the VM and, copied, in a program made of
// generated code: the two texts must be one.
package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// Report lists the bits of every result at a few states, for all rows and for
// minibatches of several sizes.
func Report(m *model.Model) string {
	capacity := min(m.Rows(), 7)
	r := &report{m: m, e: m.Evaluator(capacity), capacity: capacity, random: 12345}
	for _, d := range m.Spec.Constants {
		r.line("derived "+d.Name, m.Constants[d.Name]...)
	}
	r.e.Locals(target.LocalOptions{BurnIn: 2, Kept: 3, Thin: 2, Leapfrog: 3}, 7, 0)
	for visit := range 3 {
		r.e.Visit(uint64(visit), visit == 1)
		x := make([]float64, m.Dim())
		for i := range x {
			x[i] = r.next()
		}
		for _, rows := range r.batches() {
			r.densities(x, rows)
			r.likelihoods(x, rows)
		}
		r.differences(x)
		out := make([]float64, m.OutputLen())
		r.e.Constrain(x, out)
		r.line("constrain", out...)
		back := make([]float64, m.Dim())
		if err := r.e.Unconstrain(out, back); err != nil {
			r.text.WriteString("unconstrain: " + err.Error() + "\n")
		}
		r.line("unconstrain", back...)
	}
	r.training()
	if m.Single() {
		walks(m, r.line)
	}
	return r.text.String()
}

// A report is the text of the results of a model, so far.
type report struct {
	m        *model.Model
	e        *model.Evaluator
	capacity int // rows of the largest minibatch
	random   uint64
	text     strings.Builder
}

// line writes the bits of a result.
func (r *report) line(name string, values ...float64) {
	r.text.WriteString(name)
	for _, v := range values {
		bits := math.Float64bits(v)
		if v != v {
			bits = math.Float64bits(math.NaN()) // one NaN is as good as another
		}
		fmt.Fprintf(&r.text, " %016x", bits)
	}
	r.text.WriteByte('\n')
}

// next is a random number from -2 to 2.
func (r *report) next() float64 {
	r.random = r.random*6364136223846793005 + 1442695040888963407
	return float64(r.random>>11)/(1<<53)*4 - 2
}

// batches are nil for all rows, a single row, and some rows.
func (r *report) batches() [][]int {
	n := r.m.Rows()
	if n == 0 {
		return [][]int{nil}
	}
	some := []int{}
	for i := range r.capacity {
		some = append(some, (i*5+3)%n)
	}
	return [][]int{nil, {n - 1}, some}
}

// densities writes the density of rows, and its gradient, at a state.
func (r *report) densities(x []float64, rows []int) {
	m, e := r.m, r.e
	scale, jacobian := 1.0, 1.0
	if rows != nil {
		scale, jacobian = float64(m.Rows())/float64(len(rows)), 0.5
	}
	gradient := make([]float64, m.Dim())
	e.Gradient(x, rows, scale, jacobian, gradient)
	r.line("gradient", gradient...)
	if m.Single() { // a state of the caller's, which is another at every call
		x32, gradient32 := make([]float32, len(x)), make([]float32, len(x))
		for i, v := range x {
			x32[i] = float32(v)
		}
		e.GradientSingle(x32, rows, scale, jacobian, gradient32)
		for i, v := range gradient32 {
			gradient[i] = float64(v)
		}
		r.line("gradient of a state in single precision", gradient...)
	}
	r.line("density", e.LogDensity(x, rows, scale, jacobian))
	r.line("evaluate", append([]float64{e.LogDensityGradient(x, rows, scale, jacobian, gradient)},
		gradient...)...)
}

// training writes gradients that drop entries, of a model with dropout.
func (r *report) training() {
	if len(r.m.Masks()) == 0 {
		return
	}
	e, x := r.m.Evaluator(r.capacity), make([]float64, r.m.Dim())
	e.Train(7, 1)
	for step := range uint64(2) {
		e.MaskStep(step)
		for i := range x {
			x[i] = r.next()
		}
		for _, rows := range r.batches() {
			gradient := make([]float64, len(x))
			e.Gradient(x, rows, 2, 1, gradient)
			r.line("gradient of a training", gradient...)
		}
	}
}

// likelihoods writes the log likelihoods, means and classes of rows.
func (r *report) likelihoods(x []float64, rows []int) {
	m, e, n := r.m, r.e, len(rows)
	if rows == nil {
		n = m.Rows()
	}
	if n == 0 || m.Spec.Chain != nil { // chains leave rows without likelihood
		return
	}
	out := make([]float64, n)
	e.LogLik(x, rows, out)
	r.line("loglik", out...)
	for _, s := range m.Spec.Sites {
		if s.Mean && e.Mean(s.Name, x, rows, out) {
			r.line("mean "+s.Name, out...)
		}
		if k, ok := s.Classes.Eval(m.Dims); ok && k > 0 {
			table := make([]float64, n*k)
			if e.Classes(s.Name, x, rows, k, table) {
				r.line("classes "+s.Name, table...)
			}
		}
	}
}

// differences writes differences of gradients to those at an anchor near x.
func (r *report) differences(x []float64) {
	d, ok := target.DifferenceOf(r.e)
	if !ok {
		return
	}
	anchor, gradient, weights := make([]float64, len(x)), make([]float64, len(x)), []float64{}
	for i := range x {
		anchor[i] = x[i] + r.next()/8
	}
	var rows []int // some twice, and more than the capacity
	for i := range r.capacity + 2 {
		rows, weights = append(rows, (i*5+3)%r.m.Rows()), append(weights, r.next())
	}
	for _, n := range []int{0, 1, len(rows)} {
		d.Difference(x, anchor, rows[:n], weights[:n], 0.5, gradient)
		r.line("difference", gradient...)
	}
}

// walks take a few steps of samplers and optimisers, whose state is in single precision
// too, and write down where they end or why they do not begin.
func walks(m *model.Model, line func(name string, values ...float64)) {
	// Errors of generated packages name options, those of the VM fields.
	spell := setting.Spell
	setting.Spell = setting.Field
	defer func() { setting.Spell = spell }()
	start := make([]float64, m.Dim())
	for i := range start {
		start[i] = 0.1 + 0.3/float64(i+1)
	}
	for _, name := range []string{"msgnht", "sghmc", "psgld", "sgnht"} {
		c := sampler.DefaultConfig()
		c.Sampler, c.Step, c.Chains, c.Init = name, 1e-3, 1, [][]float64{start}
		if c.FullBatch = m.Rows() < 2; !c.FullBatch {
			c.Batch = min(m.Rows()-1, 7)
		}
		chain, err := sampler.NewChain(m, c, 0)
		if err == nil {
			err = chain.Advance(9)
		}
		if err != nil {
			line(name + ": " + err.Error())
			continue
		}
		line(name, append(slices.Clone(chain.Position()), chain.Xi()...)...)
	}
	for _, name := range []string{"santa", "adam"} {
		c := optimize.DefaultConfig()
		c.Algorithm, c.Step, c.Steps, c.FullBatch, c.Init = name, 1e-3, 9, true, [][]float64{start}
		chain, err := optimize.NewChain(m, nil, c, 0)
		for err == nil && !chain.Done() {
			err = chain.Step()
		}
		if err != nil {
			line(name + ": " + err.Error())
			continue
		}
		line(name, chain.Position()...)
	}
}
