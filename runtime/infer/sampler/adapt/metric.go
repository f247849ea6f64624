// Package adapt finds the metric and the step of trajectories in a warm-up: its windows,
// the covariance of their states, the kind of metric that is predicted to be cheapest, and
// dual averaging of the step.
package adapt

import "github.com/sgppl/sgppl/runtime/engine/target"

// A Metric is an inverse mass matrix M⁻¹ = L Lᵀ on R^n: diagonal, dense, or
// diagonal plus low rank.
//
// Momenta p ~ N(0, T M) are kept whitened, r = Lᵀp: then r ~ N(0, T I), the
// kinetic energy is r·r/2, and p♯·ρ of the U-turn criterion is r·Lᵀρ, so that only the leapfrog
// step depends on the metric:
//
//	ẋ = M⁻¹p = L r,  ṙ = Lᵀ∇f
type Metric struct {
	N  int
	SD []float64 // diagonal of L if it is diagonal, or S of a low-rank L
	L  []float64 // rows of a dense L, n × n; otherwise nil
	// u has the directions of a low-rank L, one after another, root their √λ; part is scratch memory.
	u, root, part []float64
	// For the current trajectory:
	h          float64
	step, half []float64 // h L and h L/2 of a diagonal L
	scratch    []float64 // L r, where L is not diagonal
}

// The values of Config.Metric: kinds of metric.
const (
	MetricAuto    = "auto"
	MetricUnit    = "unit"
	MetricDiag    = "diag"
	MetricDense   = "dense"
	MetricLowRank = "lowrank"
)

// Metrics lists the names of the metrics.
var Metrics = []string{MetricAuto, MetricDiag, MetricDense, MetricLowRank, MetricUnit}

// MetricNames is the advice of the error about an unknown metric.
const MetricNames = "auto, diag, dense, lowrank or unit"

// Finds reports whether the kind or the rank of the named metric is found in the warm-up.
func Finds(name string) bool { return name == MetricAuto || name == MetricLowRank }

// NewMetricNamed returns the identity as a metric that the warm-up adapts to the named kind.
func NewMetricNamed(n int, name string) *Metric {
	if Finds(name) {
		return NewFoundMetric(n)
	}
	return NewMetric(n, name == MetricDense)
}

// NewMetric returns the identity, as a diagonal or a dense metric.
func NewMetric(n int, dense bool) *Metric {
	m := &Metric{N: n}
	if dense {
		m.L, m.scratch = make([]float64, n*n), make([]float64, n)
		for i := range n {
			m.L[i*n+i] = 1
		}
		return m
	}
	m.SD, m.step, m.half = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range m.SD {
		m.SD[i] = 1
	}
	return m
}

// A Phase is a point of a trajectory.
type Phase struct {
	X, R, G []float64 // position, whitened momentum, ∇f(x)
	W       []float64 // Lᵀ g, for a metric that is not diagonal
	Density float64   // f(x)
}

// NewPhase returns a point of n coordinates at the origin. mixes says that the metric may be other
// than diagonal.
func NewPhase(n int, mixes bool) Phase {
	p := Phase{X: make([]float64, n), R: make([]float64, n), G: make([]float64, n)}
	if mixes {
		p.W = make([]float64, n)
	}
	return p
}

// Set sets the point to a position with its gradient and density, and a new momentum.
func (p *Phase) Set(x, r, g []float64, density float64) {
	copy(p.X, x)
	copy(p.R, r)
	copy(p.G, g)
	p.Density = density
}

// Aim sets the step size of the leapfrog steps that follow; negative steps go back in time.
func (m *Metric) Aim(h float64) {
	m.h = h
	if !m.Plain() {
		return
	}
	step, half := m.step[:len(m.SD)], m.half[:len(m.SD)]
	for i, s := range m.SD {
		a := float64(h * s)
		step[i], half[i] = a, 0.5*a
	}
}

// Leap replaces p by the point one leapfrog step later, with one gradient. If the metric is not
// diagonal, p.W must be Lᵀg.
func (m *Metric) Leap(e target.Evaluator, temperature float64, p *Phase) {
	if !m.Plain() {
		m.mixedLeap(e, temperature, p)
		return
	}
	n := len(p.X)
	x, r, g, step, half := p.X[:n], p.R[:n], p.G[:n], m.step[:n], m.half[:n]
	for i := range x {
		v := r[i] + float64(half[i]*g[i])
		r[i] = v
		x[i] += float64(step[i] * v)
	}
	p.Density = e.LogDensityGradient(x, nil, 1, temperature, g)
	for i := range r {
		r[i] += float64(half[i] * g[i])
	}
}

func (m *Metric) mixedLeap(e target.Evaluator, temperature float64, p *Phase) {
	half := 0.5 * m.h
	for i, w := range p.W {
		p.R[i] += float64(half * w)
	}
	m.Apply(p.R, m.scratch)
	for i, v := range m.scratch {
		p.X[i] += float64(m.h * v)
	}
	p.Density = e.LogDensityGradient(p.X, nil, 1, temperature, p.G)
	m.Whiten(p)
	for i, w := range p.W {
		p.R[i] += float64(half * w)
	}
}

// multiply writes L r to out, for a dense L.
func (m *Metric) multiply(r, out []float64) {
	for i := range out {
		row := m.L[i*m.N : i*m.N+i+1]
		sum := 0.0
		for j, a := range row {
			sum += float64(a * r[j])
		}
		out[i] = sum
	}
}

// Whiten sets p.W to Lᵀg. A diagonal metric needs no W: it scales during the step.
func (m *Metric) Whiten(p *Phase) {
	if !m.Plain() {
		m.Transposed(p.G, p.W)
	}
}
