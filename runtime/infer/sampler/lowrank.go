package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A diagonal plus low rank metric is L = S (I + Σ_j (√λ_j − 1) u_j u_jᵀ) with a
// diagonal S and orthonormal directions u_j: M⁻¹ = L Lᵀ has the scales of S,
// and along u_j, in coordinates so scaled, λ_j times as much. A product with L
// takes a multiple of n·k operations for k directions, where a dense one takes
// a multiple of n².

// newFoundMetric returns the identity, which may become a metric of any kind.
func newFoundMetric(n int) *metric {
	m := newMetric(n, false)
	m.scratch = make([]float64, n)
	return m
}

// mixes reports whether a product with L mixes coordinates, or may do so later.
func (m *metric) mixes() bool { return m.scratch != nil }

// plain reports whether L is diagonal now.
func (m *metric) plain() bool { return m.l == nil && len(m.root) == 0 }

// rank returns the number of directions of a low-rank metric.
func (m *metric) rank() int { return len(m.root) }

// kind returns the name of the metric that L is, as of Config.Metric.
func (m *metric) kind() string {
	switch {
	case m.l != nil:
		return metricDense
	case len(m.root) > 0:
		return metricLowRank
	}
	return metricDiag
}

// become makes m the metric other, which is of the same dimension.
func (m *metric) become(other *metric) {
	m.l, m.u, m.root, m.part = other.l, other.u, other.root, other.part
	if m.sd == nil {
		m.sd, m.step, m.half = other.sd, other.step, other.half
	} else {
		copy(m.sd, other.sd)
	}
	if m.scratch == nil && !other.plain() {
		m.scratch = make([]float64, m.n)
	}
}

// stretchAlong multiplies the part of out along each direction by root, or by
// its inverse, in place.
func (m *metric) stretchAlong(out []float64, inverse bool) {
	n := m.n
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

// lowApply writes L z.
func (m *metric) lowApply(z, out []float64) {
	copy(out, z)
	m.stretchAlong(out, false)
	for i, s := range m.sd {
		out[i] *= s
	}
}

// lowTransposed writes Lᵀ g.
func (m *metric) lowTransposed(g, out []float64) {
	for i, s := range m.sd {
		out[i] = s * g[i]
	}
	m.stretchAlong(out, false)
}

// lowSolve makes of x the z of x = L z.
func (m *metric) lowSolve(x []float64) {
	for i, s := range m.sd {
		x[i] /= s
	}
	m.stretchAlong(x, true)
}

// walk visits the matrix, for a checkpoint.
func (m *metric) walk(d *loop.Codec) {
	dense, rank := int64(0), int64(len(m.root))
	if m.l != nil {
		dense = 1
	}
	d.Int(&dense)
	d.Int(&rank)
	if d.Reading() {
		m.resize(dense == 1, int(min(max(rank, 0), int64(m.n))))
	}
	for _, x := range [][]float64{m.sd, m.l, m.u, m.root} {
		d.Floats(x)
	}
}

// resize makes the slices of a matrix of a kind, whose numbers are still to come.
func (m *metric) resize(dense bool, rank int) {
	n := m.n
	if m.mixes() && m.sd != nil { // the kind was found
		m.l = nil
		if dense {
			m.l = make([]float64, n*n)
		}
	}
	m.u, m.root, m.part = nil, nil, nil
	if rank > 0 && m.mixes() {
		m.u, m.root, m.part = make([]float64, rank*n), make([]float64, rank), make([]float64, rank)
	}
}

// setDirections makes the metric one of scales, directions and their λ.
func (m *metric) setDirections(scale, u, lambda []float64) {
	copy(m.sd, scale)
	m.l, m.u = nil, u
	m.root, m.part = make([]float64, len(lambda)), make([]float64, len(lambda))
	for j, x := range lambda {
		m.root[j] = math.Sqrt(x)
	}
}
