package approximate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Normal is a normal law in R^d. With Chol, a lower triangle C by rows, it is that of
// mean + C u for u ~ N(0, I). Without, it has r directions, the orthonormal rows of Q, and is
// the law of
//
//	mean + scale ⊙ (u + Qᵀ (L − I) Q u),  L a lower triangle, r × r
//
// whose covariance is diag(scale) (I + Qᵀ (L Lᵀ − I) Q) diag(scale).
type Normal struct {
	Mean  []float64
	Chol  []float64
	Scale []float64
	Q     []float64
	L     []float64
	r     int
	log   float64 // of the density at the mean
}

// newDense makes the law of a lower triangle.
func newDense(mean, chol []float64) *Normal {
	n := &Normal{Mean: mean, Chol: chol}
	d := len(mean)
	for i := range d {
		n.log -= special.Log(math.Abs(chol[i*d+i]))
	}
	n.log -= float64(halfLog2Pi * float64(d))
	return n
}

// newLow makes the law of a diagonal and r directions.
func newLow(mean, scale, q, l []float64) *Normal {
	n := &Normal{Mean: mean, Scale: scale, Q: q, L: l, r: len(q) / max(len(mean), 1)}
	for _, s := range scale {
		n.log -= special.Log(s)
	}
	for i := range n.r {
		n.log -= special.Log(math.Abs(l[i*n.r+i]))
	}
	n.log -= float64(halfLog2Pi * float64(len(mean)))
	return n
}

const halfLog2Pi = 0.918938533204672741780329736405617639861397473637783412817151540483

// scratch is memory for the methods of Normal: at least as long as this.
func (n *Normal) scratch() int { return len(n.Mean) + 2*n.r }

// point writes the point of standard normal numbers u.
func (n *Normal) point(u, x, scratch []float64) {
	d := len(n.Mean)
	if n.Chol != nil {
		for i := range d {
			x[i] = n.Mean[i] + kernel.Dot(n.Chol[i*d:i*d+i+1], u[:i+1])
		}
		return
	}
	y := scratch[:d]
	copy(y, u)
	n.inDirections(y, scratch[d:], func(a, b []float64) {
		for i := range n.r {
			b[i] = kernel.Dot(n.L[i*n.r:i*n.r+i+1], a[:i+1])
		}
	})
	for i, v := range y {
		x[i] = n.Mean[i] + float64(n.Scale[i]*v)
	}
}

// inDirections replaces the part of y in the directions, whose coordinates are a, by that with
// the coordinates b that to writes.
func (n *Normal) inDirections(y, scratch []float64, to func(a, b []float64)) {
	d, a, b := len(y), scratch[:n.r], scratch[n.r:2*n.r]
	for k := range n.r {
		a[k] = kernel.Dot(n.Q[k*d:(k+1)*d], y)
	}
	to(a, b)
	for k := range n.r {
		kernel.Axpy(b[k]-a[k], n.Q[k*d:(k+1)*d], y)
	}
}

// standard writes the standard normal numbers of a point.
func (n *Normal) standard(x, u, scratch []float64) {
	d := len(n.Mean)
	if n.Chol != nil {
		for i := range d {
			row := n.Chol[i*d : i*d+i]
			u[i] = (x[i] - n.Mean[i] - kernel.Dot(row, u[:i])) / n.Chol[i*d+i]
		}
		return
	}
	for i, v := range x {
		u[i] = (v - n.Mean[i]) / n.Scale[i]
	}
	n.inDirections(u, scratch, func(a, b []float64) {
		for i := range n.r {
			b[i] = (a[i] - kernel.Dot(n.L[i*n.r:i*n.r+i], b[:i])) / n.L[i*n.r+i]
		}
	})
}

// pull writes the gradient of log q at a point from its standard normal numbers, −C⁻ᵀ u. The
// two may be the same slice.
func (n *Normal) pull(u, grad, scratch []float64) {
	d := len(n.Mean)
	copy(grad, u)
	if n.Chol != nil {
		for i := d - 1; i >= 0; i-- {
			grad[i] /= n.Chol[i*d+i]
			kernel.Axpy(-grad[i], n.Chol[i*d:i*d+i], grad[:i])
		}
	} else {
		n.inDirections(grad, scratch, func(a, b []float64) {
			copy(b, a)
			for i := n.r - 1; i >= 0; i-- {
				b[i] /= n.L[i*n.r+i]
				for j := range i {
					b[j] -= float64(n.L[i*n.r+j] * b[i])
				}
			}
		})
		for i := range grad {
			grad[i] /= n.Scale[i]
		}
	}
	for i := range grad {
		grad[i] = -grad[i]
	}
}

// logAt is the log density of the point of standard normal numbers.
func (n *Normal) logAt(u []float64) float64 { return n.log - float64(kernel.Dot(u, u)/2) }

// variances are those of the coordinates.
func (n *Normal) variances() []float64 {
	d := len(n.Mean)
	out := make([]float64, d)
	if n.Chol != nil {
		for i := range d {
			row := n.Chol[i*d : i*d+i+1]
			out[i] = kernel.Dot(row, row)
		}
		return out
	}
	m := make([]float64, n.r*n.r) // L Lᵀ − I
	for i := range n.r {
		for j := range n.r {
			k := min(i, j) + 1
			m[i*n.r+j] = kernel.Dot(n.L[i*n.r:i*n.r+k], n.L[j*n.r:j*n.r+k])
		}
		m[i*n.r+i]--
	}
	for c := range d {
		v := 1.0
		for i := range n.r {
			for j := range n.r {
				v += float64(float64(n.Q[i*d+c]*m[i*n.r+j]) * n.Q[j*d+c])
			}
		}
		out[c] = float64(n.Scale[c]*n.Scale[c]) * v
	}
	return out
}

// orthonormal makes the rows of a, of length d, orthonormal by the method of Gram and Schmidt,
// twice, and returns those that are left and R, by rows, with a = Rᵀ Q. Rows that depend on
// others are left out of Q.
func orthonormal(a [][]float64, d int) (q []float64, r [][]float64) {
	var basis [][]float64
	coefficients := make([][]float64, len(a))
	for k, row := range a {
		v := append([]float64(nil), row...)
		size := math.Sqrt(kernel.Dot(v, v))
		c := make([]float64, len(basis))
		for range 2 {
			for j, b := range basis {
				by := kernel.Dot(b, v)
				c[j] += by
				kernel.Axpy(-by, b, v)
			}
		}
		if norm := math.Sqrt(kernel.Dot(v, v)); norm > 1e-10*size && len(basis) < d {
			for i := range v {
				v[i] /= norm
			}
			basis, c = append(basis, v), append(c, norm)
		}
		coefficients[k] = c
	}
	n := len(basis)
	r = make([][]float64, n)
	for i := range r {
		r[i] = make([]float64, len(a))
		for k, c := range coefficients {
			if i < len(c) {
				r[i][k] = c[i]
			}
		}
		q = append(q, basis[i]...)
	}
	return q, r
}
