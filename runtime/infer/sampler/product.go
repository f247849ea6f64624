package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// apply writes L z.
func (m *metric) apply(z, out []float64) {
	switch {
	case m.l != nil:
		m.multiply(z, out)
	case len(m.root) > 0:
		m.lowApply(z, out)
	default:
		for i, s := range m.sd {
			out[i] = s * z[i]
		}
	}
}

// transposed writes Lᵀ g.
func (m *metric) transposed(g, out []float64) {
	switch {
	case len(m.root) > 0:
		m.lowTransposed(g, out)
		return
	case m.l == nil:
		m.apply(g, out)
		return
	}
	clear(out)
	for i, a := range g {
		row := m.l[i*m.n : i*m.n+i+1]
		w := out[:len(row)]
		for j, l := range row {
			w[j] += float64(l * a)
		}
	}
}

// solve makes of x the z of x = L z.
func (m *metric) solve(x []float64) {
	switch {
	case len(m.root) > 0:
		m.lowSolve(x)
		return
	case m.l == nil:
		for i, s := range m.sd {
			x[i] /= s
		}
		return
	}
	for i := range x {
		row := m.l[i*m.n : i*m.n+i+1]
		sum := x[i]
		for j, l := range row[:i] {
			sum -= float64(l * x[j])
		}
		x[i] = sum / row[i]
	}
}

// manyStates for each coordinate make a covariance that is good enough as it is.
const manyStates = 20

// whitens makes L Lᵀ the covariance of n states. Unlike estimate it adds
// nothing to it, which would depend on the units of the coordinates and make
// what is strongly correlated stiff; where states are few it takes n/(n + 5) of
// what there is beside the diagonal. It is false, and the metric as it was,
// where the states do not span the space.
func (m *metric) whitens(c *covariance) bool {
	if c.n < 2 {
		return false
	}
	n, stride := m.n, 1
	if m.l != nil {
		stride = n + 1
	}
	sd := make([]float64, n)
	for i := range sd {
		sd[i] = math.Sqrt(c.m2[i*stride] / (c.n - 1))
		if !(sd[i] > 0 && special.Finite(sd[i])) {
			return false
		}
	}
	if m.l == nil {
		copy(m.sd, sd)
		return true
	}
	// The factor of the correlations, row by row, and then its scales.
	l, keep := make([]float64, n*n), 1/(c.n-1)
	if c.n < float64(manyStates*n) {
		keep *= c.n / (c.n + shrinkage)
	}
	for i := range n {
		for j := range i + 1 {
			sum := 1.0
			if j < i {
				sum = keep * c.m2[i*n+j] / (sd[i] * sd[j])
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
			m.l[i*n+j] = sd[i] * l[i*n+j]
		}
	}
	return true
}
