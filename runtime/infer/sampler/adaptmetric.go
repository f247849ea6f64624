package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/special"
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

// A covariance gathers the moments of x by Welford's recursion.
type covariance struct {
	dense bool
	n     float64
	mean  []float64
	m2    []float64 // sums of products of deviations: by coordinate, or the lower triangle by rows
}

func newCovariance(n int, dense bool) covariance {
	c := covariance{dense: dense, mean: make([]float64, n), m2: make([]float64, n)}
	if dense {
		c.m2 = make([]float64, n*n)
	}
	return c
}

func (c *covariance) reset() {
	c.n = 0
	clear(c.mean)
	clear(c.m2)
}

func (c *covariance) walk(d *loop.Codec) {
	d.Float(&c.n)
	d.Floats(c.mean)
	d.Floats(c.m2)
}

// add takes x; scratch has its length.
func (c *covariance) add(x, scratch []float64) {
	c.n++
	n := len(x)
	for i, a := range x {
		d := a - c.mean[i]
		scratch[i] = d
		c.mean[i] += d / c.n
	}
	if !c.dense {
		for i, a := range x {
			c.m2[i] += float64(scratch[i] * (a - c.mean[i]))
		}
		return
	}
	for i, a := range x {
		after := a - c.mean[i]
		row := c.m2[i*n : i*n+i+1]
		for j := range row {
			row[j] += float64(after * scratch[j])
		}
	}
}

// Shrinkage of an estimate from n states towards a small part of the metric's
// diagonal before it: n/(n+5) of it and 5/(n+5) of 1e-3. The first time, when
// the metric is the identity, that is Stan's; later it follows the units of the
// coordinates, so that a deviation of 1e-3 is found as well as one of 1.
const (
	shrinkage = 5
	smallest  = 1e-3
)

// estimate makes M⁻¹ the shrunk covariance. Where that is not finite or, by
// rounding, not positive, the metric stays as it was.
func (m *metric) estimate(c *covariance) {
	if c.n < 2 {
		return
	}
	keep := c.n / ((c.n + shrinkage) * (c.n - 1))
	floor := smallest * shrinkage / (c.n + shrinkage)
	if m.l != nil {
		m.estimateDense(c, keep, floor)
		return
	}
	for i, v := range c.m2 {
		if s := math.Sqrt(float64(keep*v) + float64(floor*float64(m.sd[i]*m.sd[i]))); special.Finite(s) {
			m.sd[i] = s
		}
	}
}

// estimateDense is the Cholesky factor, row by row, over c's own numbers.
func (m *metric) estimateDense(c *covariance, keep, floor float64) {
	n, a := m.n, c.m2
	for i := range n {
		before := 0.0
		for j, l := range m.l[i*n : i*n+i+1] {
			before += float64(l * l)
			a[i*n+j] *= keep
		}
		a[i*n+i] += float64(floor * before)
	}
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= float64(a[i*n+k] * a[j*n+k])
			}
			if i > j {
				a[i*n+j] = sum / a[j*n+j]
				continue
			}
			if !(sum > 0 && special.Finite(sum)) {
				return
			}
			a[i*n+i] = math.Sqrt(sum)
		}
	}
	copy(m.l, a)
}
