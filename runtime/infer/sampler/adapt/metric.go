// Package adapt finds the metric and the step of trajectories in a warm-up: its windows,
// the covariance of their states, the kind of metric that is predicted to be cheapest, and
// dual averaging of the step.
package adapt

import "github.com/sgppl/sgppl/runtime/engine/target"

// A Metric is an inverse mass matrix M⁻¹ = L Lᵀ on R^n: diagonal, dense, or
// diagonal plus low rank.
//
// Momenta p ~ N(0, T M) are kept whitened, r = Lᵀp: then r ~ N(0, T I), the
// kinetic energy is r·r/2, and p♯·ρ of the U-turn criterion is r·Lᵀρ, so that
// nothing but the leapfrog step knows the metric:
//
//	ẋ = M⁻¹p = L r,  ṙ = Lᵀ∇f
type Metric struct {
	N  int
	SD []float64 // the diagonal of a diagonal L, or S of a low-rank one
	L  []float64 // L by rows, n × n, of a dense one; else nil
	// Of a low-rank one: its directions, one after another, their √λ, and scratch memory.
	u, root, part []float64
	// Of the trajectory:
	h          float64
	step, half []float64 // h L and h L/2, diagonal
	scratch    []float64 // L r, where L mixes coordinates
}

// The values of Config.Metric: kinds of metric.
const (
	MetricAuto    = "auto"
	MetricUnit    = "unit"
	MetricDiag    = "diag"
	MetricDense   = "dense"
	MetricLowRank = "lowrank"
)

// Metrics has the name of each metric.
var Metrics = []string{MetricAuto, MetricDiag, MetricDense, MetricLowRank, MetricUnit}

// MetricNames is advice where another metric was asked for.
const MetricNames = "auto, diag, dense, lowrank or unit"

// Finds reports whether a metric of that name has a kind or a rank that the
// warm-up finds.
func Finds(name string) bool { return name == MetricAuto || name == MetricLowRank }

// NewMetricNamed returns the identity, to become a metric of that name.
func NewMetricNamed(n int, name string) *Metric {
	if Finds(name) {
		return NewFoundMetric(n)
	}
	return NewMetric(n, name == MetricDense)
}

// NewMetric is the identity.
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
	W       []float64 // Lᵀg of a metric that mixes coordinates
	Density float64   // f(x)
}

// NewPhase returns a point of n coordinates at the origin, for a metric that mixes them or not.
func NewPhase(n int, mixes bool) Phase {
	p := Phase{X: make([]float64, n), R: make([]float64, n), G: make([]float64, n)}
	if mixes {
		p.W = make([]float64, n)
	}
	return p
}

// Set copies a point of which the momentum is new.
func (p *Phase) Set(x, r, g []float64, density float64) {
	copy(p.X, x)
	copy(p.R, r)
	copy(p.G, g)
	p.Density = density
}

// Aim sets the step of the leapfrogs that follow; below 0 it goes back in time.
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

// Leap is one leapfrog step with one gradient, from p to p. Of a metric that is
// not diagonal p.w must be Lᵀg.
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

// multiply writes L r.
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

// Whiten makes p.w = Lᵀg; nothing for a diagonal metric, which scales on the way.
func (m *Metric) Whiten(p *Phase) {
	if !m.Plain() {
		m.Transposed(p.G, p.W)
	}
}
