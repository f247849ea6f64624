package sampler

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A mapped evaluator is one in the coordinates z of x = L z, with L of a metric
// that stays as it is: dynamics in z with unit masses are those in x with the
// inverse masses L Lᵀ, whatever the flows are, and have the same invariant law.
// The density is still that of x; the constant log|L| is left out.
type mapped struct {
	target.Evaluator
	metric *adapt.Metric // nil: z is x
	x, g   []float64
}

func newMapped(e target.Evaluator, n int) *mapped {
	return &mapped{Evaluator: e, x: make([]float64, n), g: make([]float64, n)}
}

// at is x of z.
func (m *mapped) at(z []float64) []float64 {
	if m.metric == nil {
		return z
	}
	m.metric.Apply(z, m.x)
	return m.x
}

func (m *mapped) Gradient(z []float64, rows []int, scale, jacobian float64, grad []float64) {
	m.Evaluator.Gradient(m.at(z), rows, scale, jacobian, grad)
	m.pull(grad)
}

func (m *mapped) LogDensity(z []float64, rows []int, scale, jacobian float64) float64 {
	return m.Evaluator.LogDensity(m.at(z), rows, scale, jacobian)
}

func (m *mapped) LogDensityGradient(z []float64, rows []int, scale, jacobian float64, grad []float64) float64 {
	f := m.Evaluator.LogDensityGradient(m.at(z), rows, scale, jacobian, grad)
	m.pull(grad)
	return f
}

func (m *mapped) Constrain(z, out []float64) { m.Evaluator.Constrain(m.at(z), out) }

func (m *mapped) Unconstrain(out, z []float64) error {
	err := m.Evaluator.Unconstrain(out, z)
	if err == nil && m.metric != nil {
		m.metric.Solve(z)
	}
	return err
}

func (m *mapped) LogLik(z []float64, rows []int, out []float64) {
	m.Evaluator.LogLik(m.at(z), rows, out)
}

// pull makes of ∇f by x that by z, Lᵀ∇f.
func (m *mapped) pull(grad []float64) {
	if m.metric == nil {
		return
	}
	m.metric.Transposed(grad, m.g)
	copy(grad, m.g)
}

// Start is that of the model, before there is a metric.
func (m *mapped) Start(src *rng.Source, x []float64) (any bool, err error) {
	if of, ok := m.Evaluator.(starter); ok {
		return of.Start(src, x)
	}
	return false, nil
}
