package adapt

import (
	"cmp"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A spectrum is an estimate of M⁻¹ from states and their gradients, by its
// eigenvectors in coordinates that are scaled.
//
// With the covariances A of x and B of ∇f it is their geometric mean A # B⁻¹, the
// symmetric M⁻¹ with M⁻¹ B M⁻¹ = A: of all metrics that in which ∇f is nearest to
// −x (Seyboldt, Carlson and Carpenter 2026, "Preconditioning Hamiltonian Monte
// Carlo by minimizing Fisher divergence"). Of a Gaussian it is the covariance as
// soon as there are more states than coordinates, however noisy A and B are.
type spectrum struct {
	scale  []float64 // of the coordinates
	value  []float64 // by how much log λ is from 0, falling
	vector []float64 // their eigenvectors in scaled coordinates, one a row
	whole  bool      // these are all of them
}

// newSpectrum estimates from the pairs from ≤ i < to. keep is the part of A and B
// that stays; the rest is the identity's. nil: the states say nothing.
func newSpectrum(p *pairs, from, to int, keep float64) *spectrum {
	n, rows := p.dim, to-from
	x, g := slices.Clone(p.x[from*n:to*n]), slices.Clone(p.g[from*n:to*n])
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

// span returns an orthonormal basis, one vector a row, of what the rows of x and
// of g span, by the eigenvectors of their products.
func span(x, g []float64, rows, n int) (basis []float64, width int) {
	both, m := make([]float64, 2*rows*n), 2*rows
	copy(both, x)
	copy(both[rows*n:], g)
	for i := range m { // a state far off must not hide the others
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

// mean computes the geometric mean of the covariances of rows of p numbers, and
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
	// With B = R Rᵀ and Rᵀ A R = V K Vᵀ it is F Fᵀ, F = R⁻ᵀ V K^¼.
	r := cov(g)
	kernel.Cholesky(r, r, 1, p)
	k := times(times(r, cov(x), true, false), r, false, false)
	eigen := make([]float64, (p+2)*p)
	kernel.EigenSym(eigen, k, 1, p)
	value, v := eigen[:p], eigen[p:p+p*p]
	f := make([]float64, p*p) // Fᵀ: a column of F a row
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

// remains returns by how much a trajectory is longer if only the first k
// eigenvectors are in the metric: √(λ/λ') of the largest and the least of the others.
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

// dense returns the metric with all eigenvectors as a matrix; nil where rounding
// leaves none.
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
