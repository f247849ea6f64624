package sampler

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A metric is an inverse mass matrix M⁻¹ = L Lᵀ on R^n: diagonal, dense, or
// diagonal plus low rank.
//
// Momenta p ~ N(0, T M) are kept whitened, r = Lᵀp: then r ~ N(0, T I), the
// kinetic energy is r·r/2, and p♯·ρ of the U-turn criterion is r·Lᵀρ, so that
// nothing but the leapfrog step knows the metric:
//
//	ẋ = M⁻¹p = L r,  ṙ = Lᵀ∇f
type metric struct {
	n  int
	sd []float64 // the diagonal of a diagonal L, or S of a low-rank one
	l  []float64 // L by rows, n × n, of a dense one; else nil
	// Of a low-rank one: its directions, one after another, their √λ, and scratch memory.
	u, root, part []float64
	// Of the trajectory:
	h          float64
	step, half []float64 // h L and h L/2, diagonal
	scratch    []float64 // L r, where L mixes coordinates
}

// The metrics of Config.Metric.
const (
	metricAuto    = "auto"
	metricUnit    = "unit"
	metricDiag    = "diag"
	metricDense   = "dense"
	metricLowRank = "lowrank"
)

var metrics = []string{metricAuto, metricDiag, metricDense, metricLowRank, metricUnit}

// metricNames is advice where another metric was asked for.
const metricNames = "auto, diag, dense, lowrank or unit"

// finds reports whether a metric of that name has a kind or a rank that the
// warm-up finds.
func finds(name string) bool { return name == metricAuto || name == metricLowRank }

// newMetricNamed returns the identity, to become a metric of that name.
func newMetricNamed(n int, name string) *metric {
	if finds(name) {
		return newFoundMetric(n)
	}
	return newMetric(n, name == metricDense)
}

// newMetric is the identity.
func newMetric(n int, dense bool) *metric {
	m := &metric{n: n}
	if dense {
		m.l, m.scratch = make([]float64, n*n), make([]float64, n)
		for i := range n {
			m.l[i*n+i] = 1
		}
		return m
	}
	m.sd, m.step, m.half = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range m.sd {
		m.sd[i] = 1
	}
	return m
}

// A phase is a point of a trajectory.
type phase struct {
	x, r, g []float64 // position, whitened momentum, ∇f(x)
	w       []float64 // Lᵀg of a metric that mixes coordinates
	density float64   // f(x)
}

func newPhase(n int, mixes bool) phase {
	p := phase{x: make([]float64, n), r: make([]float64, n), g: make([]float64, n)}
	if mixes {
		p.w = make([]float64, n)
	}
	return p
}

// set copies a point of which the momentum is new.
func (p *phase) set(x, r, g []float64, density float64) {
	copy(p.x, x)
	copy(p.r, r)
	copy(p.g, g)
	p.density = density
}

// aim sets the step of the leapfrogs that follow; below 0 it goes back in time.
func (m *metric) aim(h float64) {
	m.h = h
	if !m.plain() {
		return
	}
	step, half := m.step[:len(m.sd)], m.half[:len(m.sd)]
	for i, s := range m.sd {
		a := float64(h * s)
		step[i], half[i] = a, 0.5*a
	}
}

// leap is one leapfrog step with one gradient, from p to p. Of a metric that is
// not diagonal p.w must be Lᵀg.
func (m *metric) leap(e target.Evaluator, temperature float64, p *phase) {
	if !m.plain() {
		m.mixedLeap(e, temperature, p)
		return
	}
	n := len(p.x)
	x, r, g, step, half := p.x[:n], p.r[:n], p.g[:n], m.step[:n], m.half[:n]
	for i := range x {
		v := r[i] + float64(half[i]*g[i])
		r[i] = v
		x[i] += float64(step[i] * v)
	}
	p.density = e.LogDensityGradient(x, nil, 1, temperature, g)
	for i := range r {
		r[i] += float64(half[i] * g[i])
	}
}

func (m *metric) mixedLeap(e target.Evaluator, temperature float64, p *phase) {
	half := 0.5 * m.h
	for i, w := range p.w {
		p.r[i] += float64(half * w)
	}
	m.apply(p.r, m.scratch)
	for i, v := range m.scratch {
		p.x[i] += float64(m.h * v)
	}
	p.density = e.LogDensityGradient(p.x, nil, 1, temperature, p.g)
	m.whiten(p)
	for i, w := range p.w {
		p.r[i] += float64(half * w)
	}
}

// multiply writes L r.
func (m *metric) multiply(r, out []float64) {
	for i := range out {
		row := m.l[i*m.n : i*m.n+i+1]
		sum := 0.0
		for j, a := range row {
			sum += float64(a * r[j])
		}
		out[i] = sum
	}
}

// whiten makes p.w = Lᵀg; nothing for a diagonal metric, which scales on the way.
func (m *metric) whiten(p *phase) {
	if !m.plain() {
		m.transposed(p.g, p.w)
	}
}
