// Package whitening has linear maps between states of a posterior and coordinates in which the
// posterior is near N(0, I), and fits them to states.
package whitening

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Map takes coordinates z, in which the posterior is near N(0, I), to
// states x = Mean + L z. L is lower triangular, or diagonal.
type Map struct {
	Mean []float64 // m, of length d
	Chol []float64 // L by rows, d × d; nil where L is diagonal
	Diag []float64 // the diagonal of L; nil where L is a triangle
}

// New returns the map x = mean + z, with a triangular L if dense and a diagonal L otherwise. It
// copies mean.
func New(mean []float64, dense bool) *Map {
	n := len(mean)
	w := &Map{Mean: append([]float64(nil), mean...)}
	if !dense {
		w.Diag = make([]float64, n)
		for i := range w.Diag {
			w.Diag[i] = 1
		}
		return w
	}
	w.Chol = identity(n)
	return w
}

func identity(n int) []float64 {
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = 1
	}
	return a
}

// Clone returns a copy that shares nothing.
func (w *Map) Clone() *Map {
	return &Map{append([]float64(nil), w.Mean...), append([]float64(nil), w.Chol...),
		append([]float64(nil), w.Diag...)}
}

// Point writes x = m + L z.
func (w *Map) Point(z, x []float64) {
	w.Apply(z, x)
	for i, m := range w.Mean {
		x[i] += m
	}
}

// Apply writes out = L z. The two may be the same array.
func (w *Map) Apply(z, out []float64) {
	n := len(w.Mean)
	if w.Chol == nil {
		for i, s := range w.Diag {
			out[i] = float64(s * z[i])
		}
		return
	}
	for i := n - 1; i >= 0; i-- { // from the last entry, so that z and out may be the same
		sum := 0.0
		row := w.Chol[i*n : i*n+i+1]
		for j, l := range row {
			sum += float64(l * z[j])
		}
		out[i] = sum
	}
}

// Pull writes out = Lᵀ g: the gradient with respect to z of a function with the gradient g with
// respect to x. The two arrays must differ.
func (w *Map) Pull(g, out []float64) {
	n := len(w.Mean)
	if w.Chol == nil {
		for i, s := range w.Diag {
			out[i] = float64(s * g[i])
		}
		return
	}
	clear(out)
	for i, gi := range g {
		row := w.Chol[i*n : i*n+i+1]
		for j, l := range row {
			out[j] += float64(l * gi)
		}
	}
}

// Solve writes z = L⁻¹ (x − m). The two may be the same array.
func (w *Map) Solve(x, z []float64) {
	n := len(w.Mean)
	for i := range n {
		z[i] = x[i] - w.Mean[i]
	}
	if w.Chol == nil {
		for i, s := range w.Diag {
			z[i] /= s
		}
		return
	}
	for i := range n {
		row := w.Chol[i*n : i*n+i+1]
		sum := z[i]
		for j := range i {
			sum -= float64(row[j] * z[j])
		}
		z[i] = sum / row[i]
	}
}

// Compose replaces L by L C, with C a lower triangle by rows. A diagonal L uses only the lengths of
// the rows of C.
func (w *Map) Compose(c []float64) {
	n := len(w.Mean)
	if w.Chol == nil {
		for i := range w.Diag {
			sum := 0.0
			for _, x := range c[i*n : i*n+i+1] {
				sum += float64(x * x)
			}
			w.Diag[i] *= math.Sqrt(sum)
		}
		return
	}
	out := make([]float64, n*n)
	for i := range n {
		to := out[i*n : i*n+i+1]
		for k := range i + 1 {
			l := w.Chol[i*n+k]
			for j, x := range c[k*n : k*n+k+1] {
				to[j] += float64(l * x)
			}
		}
	}
	w.Chol = out
}

// Scale multiplies L by a number.
func (w *Map) Scale(by float64) {
	for i := range w.Chol {
		w.Chol[i] *= by
	}
	for i := range w.Diag {
		w.Diag[i] *= by
	}
}

// Factor returns the lower triangle C with C Cᵀ = a, a symmetric d × d by rows;
// false where a is not positive definite.
func Factor(a []float64, n int) ([]float64, bool) {
	c := make([]float64, n*n)
	kernel.Cholesky(c, a, 1, n)
	for i := range n {
		if x := c[i*n+i]; !(x > 0) || math.IsInf(x, 0) {
			return nil, false
		}
		clear(c[i*n+i+1 : (i+1)*n])
	}
	return c, true
}

// InverseFactor returns the lower triangle C with C Cᵀ = a⁻¹; false if a is not positive definite.
func InverseFactor(a []float64, n int) ([]float64, bool) {
	// With J the reversal of the order, J a J = R Rᵀ gives a⁻¹ = (J R⁻ᵀ J)(J R⁻ᵀ J)ᵀ,
	// and J R⁻ᵀ J is a lower triangle.
	b := make([]float64, n*n)
	for i := range n {
		for j := range n {
			b[i*n+j] = a[(n-1-i)*n+n-1-j]
		}
	}
	r, ok := Factor(b, n)
	if !ok {
		return nil, false
	}
	inv := make([]float64, n*n) // R⁻¹, a lower triangle
	for j := range n {
		inv[j*n+j] = 1 / r[j*n+j]
		for i := j + 1; i < n; i++ {
			sum := 0.0
			for k := j; k < i; k++ {
				sum += float64(r[i*n+k] * inv[k*n+j])
			}
			inv[i*n+j] = -sum / r[i*n+i]
		}
	}
	c := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			c[i*n+j] = inv[(n-1-j)*n+n-1-i] // entry (n−1−i, n−1−j) of R⁻ᵀ
		}
	}
	return c, true
}
