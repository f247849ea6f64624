package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Apply writes L z to out.
func (m *Metric) Apply(z, out []float64) {
	switch {
	case m.L != nil:
		m.multiply(z, out)
	case len(m.root) > 0:
		m.lowApply(z, out)
	default:
		for i, s := range m.SD {
			out[i] = s * z[i]
		}
	}
}

// Transposed writes Lᵀ g to out.
func (m *Metric) Transposed(g, out []float64) {
	switch {
	case len(m.root) > 0:
		m.lowTransposed(g, out)
		return
	case m.L == nil:
		m.Apply(g, out)
		return
	}
	clear(out)
	for i, a := range g {
		row := m.L[i*m.N : i*m.N+i+1]
		w := out[:len(row)]
		for j, l := range row {
			w[j] += float64(l * a)
		}
	}
}

// Solve replaces x by the z with x = L z.
func (m *Metric) Solve(x []float64) {
	switch {
	case len(m.root) > 0:
		m.lowSolve(x)
		return
	case m.L == nil:
		for i, s := range m.SD {
			x[i] /= s
		}
		return
	}
	for i := range x {
		row := m.L[i*m.N : i*m.N+i+1]
		sum := x[i]
		for j, l := range row[:i] {
			sum -= float64(l * x[j])
		}
		x[i] = sum / row[i]
	}
}

// manyStates is the number of states per coordinate from which a covariance is not shrunk.
const manyStates = 20

// Whitens sets the factor L so that L Lᵀ is the covariance of n states. Off-diagonal entries are
// multiplied by n/(n + 5), which matters when states are few. Unlike Estimate it adds nothing to
// the diagonal, since such a term would depend on the units of the coordinates and make strongly
// correlated directions stiff. It returns false, and leaves the metric unchanged, if the states do
// not span the space.
func (m *Metric) Whitens(c *Covariance) bool {
	if c.N < 2 {
		return false
	}
	n, stride := m.N, 1
	if m.L != nil {
		stride = n + 1
	}
	sd := make([]float64, n)
	for i := range sd {
		sd[i] = math.Sqrt(c.M2[i*stride] / (c.N - 1))
		if !(sd[i] > 0 && special.Finite(sd[i])) {
			return false
		}
	}
	if m.L == nil {
		copy(m.SD, sd)
		return true
	}
	// The factor of the correlation matrix, row by row, multiplied by the scales at the end.
	l, keep := make([]float64, n*n), 1/(c.N-1)
	if c.N < float64(manyStates*n) {
		keep *= c.N / (c.N + shrinkage)
	}
	for i := range n {
		for j := range i + 1 {
			sum := 1.0
			if j < i {
				sum = keep * c.M2[i*n+j] / (sd[i] * sd[j])
			}
			for k := range j {
				sum -= float64(l[i*n+k] * l[j*n+k])
			}
			switch {
			case j < i:
				l[i*n+j] = sum / l[j*n+j]
			case sum > 0:
				l[i*n+i] = math.Sqrt(sum)
			default:
				return false
			}
		}
	}
	for i := range n {
		for j := range i + 1 {
			m.L[i*n+j] = sd[i] * l[i*n+j]
		}
	}
	return true
}
