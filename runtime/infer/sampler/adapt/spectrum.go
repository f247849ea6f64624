package adapt

import (
	"cmp"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A spectrum is an estimate of M⁻¹ from states and their gradients, given by its eigenvectors in
// scaled coordinates.
//
// With the covariances A of x and B of ∇f it is the geometric mean A # B⁻¹, the symmetric M⁻¹ with
// M⁻¹ B M⁻¹ = A. It is the metric in which ∇f is nearest to −x (Seyboldt, Carlson and Carpenter
// 2026, "Preconditioning Hamiltonian Monte Carlo by minimizing Fisher divergence"). For a Gaussian
// it equals the covariance as soon as there are more states than coordinates, however noisy A and B
// are.
type spectrum struct {
	scale  []float64 // of the coordinates
	value  []float64 // eigenvalues λ, in falling order of |log λ|
	vector []float64 // their eigenvectors in scaled coordinates, one per row
	whole  bool      // all eigenvalues are present
}

// newSpectrum estimates M⁻¹ from the pairs from ≤ i < to. keep is the weight of A and B against the
// identity. It returns nil if the states allow no estimate.
func newSpectrum(p *pairs, from, to int, keep float64) *spectrum {
	n, rows := p.dim, to-from
	x, g := p.copies(rows * n)
	copy(x, p.x[from*n:to*n])
	copy(g, p.g[from*n:to*n])
	centre(x, rows, n)
	centre(g, rows, n)
	s := &spectrum{scale: make([]float64, n)}
	for i := range n {
		a, b := 0.0, 0.0
		for k := range rows {
			a += float64(x[k*n+i] * x[k*n+i])
			b += float64(g[k*n+i] * g[k*n+i])
		}
		c := math.Sqrt(math.Sqrt(a / b))
		if !(c > 0 && special.Finite(c)) {
			return nil
		}
		s.scale[i] = c
		for k := range rows {
			x[k*n+i] /= c
			g[k*n+i] *= c
		}
	}
	if n <= largestEigen {
		s.whole = true
		if !s.mean(x, g, rows, n, keep) {
			return nil
		}
		return s
	}
	basis, width := span(x, g, rows, n)
	if width == 0 {
		return nil
	}
	in := func(a []float64) []float64 {
		out := make([]float64, rows*width)
		kernel.Gemm(kernel.Matrix{Data: out, Stride: width}, kernel.Matrix{Data: a, Stride: n},
			kernel.Matrix{Data: basis, Stride: n}, rows, width, n, false, true, false)
		return out
	}
	if !s.mean(in(x), in(g), rows, width, keep) {
		return nil
	}
	vector := make([]float64, width*n)
	kernel.Gemm(kernel.Matrix{Data: vector, Stride: n},
		kernel.Matrix{Data: s.vector, Stride: width}, kernel.Matrix{Data: basis, Stride: n}, width,
		n, width, false, false, false)
	s.vector = vector
	return s
}

// span returns an orthonormal basis, one vector per row, of the space spanned by the rows of x and
// g, computed from the eigenvectors of their inner products.
func span(x, g []float64, rows, n int) (basis []float64, width int) {
	both, m := make([]float64, 2*rows*n), 2*rows
	copy(both, x)
	copy(both[rows*n:], g)
	for i := range m { // states are normalised, so that an outlier does not hide the others
		row := both[i*n : (i+1)*n]
		if norm := math.Sqrt(kernel.Dot(row, row)); norm > 0 {
			for j := range row {
				row[j] /= norm
			}
		}
	}
	gram, eigen := make([]float64, m*m), make([]float64, (m+2)*m)
	of := kernel.Matrix{Data: both, Stride: n}
	kernel.Gemm(kernel.Matrix{Data: gram, Stride: m}, of, of, m, m, n, false, true, false)
	kernel.EigenSym(eigen, gram, 1, m)
	const least = 1e-8
	value, vectors := eigen[:m], eigen[m:]
	for j := m - 1; j >= 0 && value[j] > least*value[m-1]; j-- {
		row := make([]float64, n)
		for i := range m {
			kernel.Axpy(vectors[i*m+j]/math.Sqrt(value[j]), both[i*n:(i+1)*n], row)
		}
		basis = append(basis, row...)
		width++
	}
	return basis, width
}

// mean computes the geometric mean of the covariances of x and g, which have rows of p numbers, and
// its eigenvectors.
func (s *spectrum) mean(x, g []float64, rows, p int, keep float64) bool {
	cov := func(a []float64) []float64 {
		out := make([]float64, p*p)
		of := kernel.Matrix{Data: a, Stride: p}
		kernel.Gemm(kernel.Matrix{Data: out, Stride: p}, of, of, p, p, rows, true, false, false)
		for i := range out {
			out[i] *= keep / float64(rows-1)
		}
		for i := range p {
			out[i*p+i] += 1 - keep
		}
		return out
	}
	times := func(a, b []float64, transA, transB bool) []float64 {
		out := make([]float64, p*p)
		kernel.Gemm(kernel.Matrix{Data: out, Stride: p}, kernel.Matrix{Data: a, Stride: p},
			kernel.Matrix{Data: b, Stride: p}, p, p, p, transA, transB, false)
		return out
	}
	// With B = R Rᵀ and Rᵀ A R = V K Vᵀ, the mean is F Fᵀ, F = R⁻ᵀ V K^¼.
	r := cov(g)
	kernel.Cholesky(r, r, 1, p)
	k := times(times(r, cov(x), true, false), r, false, false)
	eigen := make([]float64, (p+2)*p)
	kernel.EigenSym(eigen, k, 1, p)
	value, v := eigen[:p], eigen[p:p+p*p]
	f := make([]float64, p*p) // Fᵀ: each row is a column of F
	for j := range p {
		if !(value[j] > 0) {
			return false
		}
		q := math.Sqrt(math.Sqrt(value[j]))
		for i := range p {
			f[j*p+i] = q * v[i*p+j]
		}
	}
	kernel.TriangularSolveT(f, r, f, 1, 1, p, p)
	kernel.EigenSym(eigen, times(f, f, true, false), 1, p)
	order := make([]int, p)
	size := make([]float64, p)
	for j := range p {
		if order[j] = j; !(value[j] > 0) {
			return false
		}
		size[j] = math.Abs(special.Log(value[j]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	s.value, s.vector = make([]float64, p), make([]float64, p*p)
	for to, j := range order {
		s.value[to] = value[j]
		for i := range p {
			s.vector[to*p+i] = v[i*p+j]
		}
	}
	return true
}

// remains returns the factor by which a trajectory is longer if the metric has only the first k
// eigenvectors: √(λ/λ') with the largest and the smallest of the other eigenvalues.
func (s *spectrum) remains(k int) float64 {
	low, high := 1.0, 1.0
	if k == 0 && s.whole && len(s.value) > 0 {
		low, high = s.value[0], s.value[0]
	}
	for _, v := range s.value[k:] {
		low, high = min(low, v), max(high, v)
	}
	return math.Sqrt(high / low)
}

// lowRank returns the metric with the first k eigenvectors.
func (s *spectrum) lowRank(k int) *Metric {
	n := len(s.scale)
	m := NewFoundMetric(n)
	m.SetDirections(s.scale, slices.Clone(s.vector[:k*n]), s.value[:k])
	return m
}

// dense returns the dense metric of all eigenvectors; nil where rounding makes it indefinite.
func (s *spectrum) dense() *Metric {
	n := len(s.scale)
	m := NewFoundMetric(n)
	f := make([]float64, n*n)
	for j, v := range s.value {
		root := math.Sqrt(v)
		for i, c := range s.scale {
			f[j*n+i] = root * c * s.vector[j*n+i]
		}
	}
	m.L = make([]float64, n*n)
	of := kernel.Matrix{Data: f, Stride: n}
	kernel.Gemm(kernel.Matrix{Data: m.L, Stride: n}, of, of, n, n, n, true, false, false)
	kernel.Cholesky(m.L, m.L, 1, n)
	if !special.Finite(m.L[0]) {
		return nil
	}
	copy(m.SD, s.scale)
	return m
}
