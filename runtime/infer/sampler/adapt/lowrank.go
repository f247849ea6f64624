package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A metric that is diagonal plus low rank has L = S (I + Σ_j (√λ_j − 1) u_j u_jᵀ), with a diagonal
// S and orthonormal directions u_j. So M⁻¹ = L Lᵀ has the scales of S and, in coordinates scaled by
// S, the variance λ_j along u_j and 1 in other directions. With k directions a product with L takes
// a multiple of n·k operations, with a dense L a multiple of n².

// NewFoundMetric returns the identity as a metric that may later become one of any kind.
func NewFoundMetric(n int) *Metric {
	m := NewMetric(n, false)
	m.scratch = make([]float64, n)
	return m
}

// Mixes reports whether a product with L mixes coordinates, or may do so later.
func (m *Metric) Mixes() bool { return m.scratch != nil }

// Plain reports whether L is diagonal now.
func (m *Metric) Plain() bool { return m.L == nil && len(m.root) == 0 }

// Rank returns the number of directions of a low-rank metric.
func (m *Metric) Rank() int { return len(m.root) }

// Kind returns the name of the metric's present kind, as in Config.Metric.
func (m *Metric) Kind() string {
	switch {
	case m.L != nil:
		return MetricDense
	case len(m.root) > 0:
		return MetricLowRank
	}
	return MetricDiag
}

// Become makes m a copy of other, which has the same dimension and may share its memory.
func (m *Metric) Become(other *Metric) {
	m.L, m.u, m.root, m.part = other.L, other.u, other.root, other.part
	if m.SD == nil {
		m.SD, m.step, m.half = other.SD, other.step, other.half
	} else {
		copy(m.SD, other.SD)
	}
	if m.scratch == nil && !other.Plain() {
		m.scratch = make([]float64, m.N)
	}
}

// stretchAlong multiplies the part of out along each direction by root, or by
// its inverse, in place.
func (m *Metric) stretchAlong(out []float64, inverse bool) {
	n := m.N
	for j, r := range m.root {
		u := m.u[j*n : (j+1)*n]
		if inverse {
			r = 1 / r
		}
		m.part[j] = float64((r - 1) * kernel.Dot(u, out))
	}
	for j, c := range m.part {
		kernel.Axpy(c, m.u[j*n:(j+1)*n], out)
	}
}

// lowApply writes L z to out, for a low-rank metric.
func (m *Metric) lowApply(z, out []float64) {
	copy(out, z)
	m.stretchAlong(out, false)
	for i, s := range m.SD {
		out[i] *= s
	}
}

// lowTransposed writes Lᵀ g to out, for a low-rank metric.
func (m *Metric) lowTransposed(g, out []float64) {
	for i, s := range m.SD {
		out[i] = s * g[i]
	}
	m.stretchAlong(out, false)
}

// lowSolve replaces x by the z with x = L z, for a low-rank metric.
func (m *Metric) lowSolve(x []float64) {
	for i, s := range m.SD {
		x[i] /= s
	}
	m.stretchAlong(x, true)
}

// Walk reads or writes the metric, for a checkpoint.
func (m *Metric) Walk(d *loop.Codec) {
	dense, rank := int64(0), int64(len(m.root))
	if m.L != nil {
		dense = 1
	}
	d.Int(&dense)
	d.Int(&rank)
	if d.Reading() {
		m.resize(dense == 1, int(min(max(rank, 0), int64(m.N))))
	}
	for _, x := range [][]float64{m.SD, m.L, m.u, m.root} {
		d.Floats(x)
	}
}

// resize allocates the slices for a metric of a kind; their numbers are set afterwards.
func (m *Metric) resize(dense bool, rank int) {
	n := m.N
	if m.Mixes() && m.SD != nil { // the kind is found in the warm-up
		m.L = nil
		if dense {
			m.L = make([]float64, n*n)
		}
	}
	m.u, m.root, m.part = nil, nil, nil
	if rank > 0 && m.Mixes() {
		m.u, m.root, m.part = make([]float64, rank*n), make([]float64, rank), make([]float64, rank)
	}
}

// SetDirections makes the metric a low-rank one with these scales, directions and λ.
func (m *Metric) SetDirections(scale, u, lambda []float64) {
	copy(m.SD, scale)
	m.L, m.u = nil, u
	m.root, m.part = make([]float64, len(lambda)), make([]float64, len(lambda))
	for j, x := range lambda {
		m.root[j] = math.Sqrt(x)
	}
}
