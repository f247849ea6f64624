package adapt

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Mapped evaluates a density in coordinates z, with x = L z for the L of a fixed metric. Dynamics
// in z with unit masses are dynamics in x with the inverse masses L Lᵀ, whatever the flows are, and
// have the same invariant law. The density remains that of x; the constant log|L| is left out.
type Mapped struct {
	target.Evaluator
	Metric *Metric // nil: z is x
	X, G   []float64
}

// NewMapped returns an evaluator for n coordinates with z = x, until Metric is set.
func NewMapped(e target.Evaluator, n int) *Mapped {
	return &Mapped{Evaluator: e, X: make([]float64, n), G: make([]float64, n)}
}

// At returns the x that belongs to z.
func (m *Mapped) At(z []float64) []float64 {
	if m.Metric == nil {
		return z
	}
	m.Metric.Apply(z, m.X)
	return m.X
}

func (m *Mapped) Gradient(z []float64, rows []int, scale, jacobian float64, grad []float64) {
	m.Evaluator.Gradient(m.At(z), rows, scale, jacobian, grad)
	m.pull(grad)
}

func (m *Mapped) LogDensity(z []float64, rows []int, scale, jacobian float64) float64 {
	return m.Evaluator.LogDensity(m.At(z), rows, scale, jacobian)
}

func (m *Mapped) LogDensityGradient(
	z []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := m.Evaluator.LogDensityGradient(m.At(z), rows, scale, jacobian, grad)
	m.pull(grad)
	return f
}

func (m *Mapped) Constrain(z, out []float64) { m.Evaluator.Constrain(m.At(z), out) }

func (m *Mapped) Unconstrain(out, z []float64) error {
	err := m.Evaluator.Unconstrain(out, z)
	if err == nil && m.Metric != nil {
		m.Metric.Solve(z)
	}
	return err
}

func (m *Mapped) LogLik(z []float64, rows []int, out []float64) {
	m.Evaluator.LogLik(m.At(z), rows, out)
}

// pull replaces the gradient with respect to x by that with respect to z, Lᵀ∇f.
func (m *Mapped) pull(grad []float64) {
	if m.Metric == nil {
		return
	}
	m.Metric.Transposed(grad, m.G)
	copy(grad, m.G)
}

// Start draws a start from the model. It is used before there is a metric.
func (m *Mapped) Start(src *rng.Source, x []float64) (any bool, err error) {
	if of, ok := m.Evaluator.(start.Starter); ok {
		return of.Start(src, x)
	}
	return false, nil
}
