// Package probe evaluates every function of a bound model and writes down the
// bits. It runs in process on the VM and, copied, in a program made of
// generated code: the two texts must be one.
package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// Report lists the bits of every result at a few states, for all rows and for
// minibatches of several sizes.
func Report(m *model.Model) string {
	var b strings.Builder
	line := func(name string, values ...float64) {
		fmt.Fprintf(&b, "%s", name)
		for _, v := range values {
			bits := math.Float64bits(v)
			if v != v {
				bits = math.Float64bits(math.NaN()) // one NaN is as good as another
			}
			fmt.Fprintf(&b, " %016x", bits)
		}
		b.WriteByte('\n')
	}
	for _, d := range m.Spec.Constants {
		line("derived "+d.Name, m.Constants[d.Name]...)
	}
	capacity := min(m.Rows(), 7)
	e := m.Evaluator(capacity)
	e.Locals(target.LocalOptions{BurnIn: 2, Kept: 3, Thin: 2, Leapfrog: 3}, 7, 0)
	random := uint64(12345)
	next := func() float64 {
		random = random*6364136223846793005 + 1442695040888963407
		return float64(random>>11)/(1<<53)*4 - 2
	}
	for visit := range 3 {
		e.Visit(uint64(visit), visit == 1)
		x := make([]float64, m.Dim())
		for i := range x {
			x[i] = next()
		}
		batches := [][]int{nil}
		if n := m.Rows(); n > 0 {
			one, some := []int{n - 1}, []int{}
			for i := range capacity {
				some = append(some, (i*5+3)%n)
			}
			batches = append(batches, one, some)
		}
		for _, rows := range batches {
			scale, jacobian := 1.0, 1.0
			if rows != nil {
				scale, jacobian = float64(m.Rows())/float64(len(rows)), 0.5
			}
			gradient := make([]float64, m.Dim())
			e.Gradient(x, rows, scale, jacobian, gradient)
			line("gradient", gradient...)
			if m.Single() { // a state of the caller's, which is another at every call
				x32, gradient32 := make([]float32, len(x)), make([]float32, len(x))
				for i, v := range x {
					x32[i] = float32(v)
				}
				e.GradientSingle(x32, rows, scale, jacobian, gradient32)
				for i, v := range gradient32 {
					gradient[i] = float64(v)
				}
				line("gradient of a state in single precision", gradient...)
			}
			line("density", e.LogDensity(x, rows, scale, jacobian))
			line("evaluate", append([]float64{e.LogDensityGradient(x, rows, scale, jacobian, gradient)}, gradient...)...)
			n := len(rows)
			if rows == nil {
				n = m.Rows()
			}
			if n > 0 && m.Spec.Chain == nil { // chains leave rows without likelihood
				out := make([]float64, n)
				e.LogLik(x, rows, out)
				line("loglik", out...)
				for _, s := range m.Spec.Sites {
					if s.Mean && e.Mean(s.Name, x, rows, out) {
						line("mean "+s.Name, out...)
					}
					if k, ok := s.Classes.Eval(m.Dims); ok && k > 0 {
						table := make([]float64, n*k)
						if e.Classes(s.Name, x, rows, k, table) {
							line("classes "+s.Name, table...)
						}
					}
				}
			}
		}
		if d, ok := target.DifferenceOf(e); ok {
			anchor, gradient, weights := make([]float64, len(x)), make([]float64, len(x)), []float64{}
			for i := range x {
				anchor[i] = x[i] + next()/8
			}
			var rows []int // some twice, and more than the capacity
			for i := range capacity + 2 {
				rows, weights = append(rows, (i*5+3)%m.Rows()), append(weights, next())
			}
			for _, n := range []int{0, 1, len(rows)} {
				d.Difference(x, anchor, rows[:n], weights[:n], 0.5, gradient)
				line("difference", gradient...)
			}
		}
		out := make([]float64, m.OutputLen())
		e.Constrain(x, out)
		line("constrain", out...)
		back := make([]float64, m.Dim())
		if err := e.Unconstrain(out, back); err != nil {
			b.WriteString("unconstrain: " + err.Error() + "\n")
		}
		line("unconstrain", back...)
	}
	if m.Single() {
		walks(m, line)
	}
	return b.String()
}

// walks take a few steps of samplers and optimisers, whose state is in single precision
// too, and write down where they end or why they do not begin.
func walks(m *model.Model, line func(name string, values ...float64)) {
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
