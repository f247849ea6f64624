package kernel

import (
	"math"
	"slices"
	"sync"
)

const (
	// eigenRounding bounds the error of an eigenvalue, in units of n times the
	// machine precision times the largest eigenvalue.
	eigenRounding = 8
	eigenEpsilon  = 0x1p-52
	// eigenFloor is what an entry next to the diagonal counts as 0 below, where
	// the largest entry of the matrix is near 1: squares must not underflow.
	eigenFloor = 1e-150
	// eigenSteps bounds the iterations for one eigenvalue; two or three are usual.
	eigenSteps = 60
)

// EigenSym writes the eigenvalues and eigenvectors of batch symmetric matrices
// A, n by n, of which the lower triangle is read. Of each, dst has n + 2 rows
// of n numbers:
//
//	row 0:         the eigenvalues, rising
//	rows 1 to n:   the orthogonal matrix V of the eigenvectors, one a column
//	row n + 1:     how far computed eigenvalues of a tie may be apart
//
// The sign of an eigenvector is such that its first entry of at least half the
// largest magnitude is positive. A matrix that is not finite has NaN everywhere.
// dst does not overlap a.
//
// Source: Golub & Van Loan (2013), Matrix Computations, 4th edition, sections
// 8.3.1 (reduction to a tridiagonal matrix) and 8.3.3 (implicit symmetric QR).
func EigenSym(dst, a []float64, batch, n int) {
	for m := range batch {
		eigenSym(dst[m*(n+2)*n:][:(n+2)*n], a[m*n*n:][:n*n], n, eigenEpsilon)
	}
}

// EigenSym32 is EigenSym for matrices in single precision: it computes in
// double precision and rounds the results once.
func EigenSym32(dst, a []float32, batch, n int) {
	in, out := takeScratch(n*n), takeScratch((n+2)*n)
	defer in.give()
	defer out.give()
	for m := range batch {
		from, to := a[m*n*n:][:n*n], dst[m*(n+2)*n:][:(n+2)*n]
		for i, x := range from {
			in.x[i] = float64(x)
		}
		eigenSym(out.x, in.x, n, 0x1p-23)
		for i, x := range out.x {
			to[i] = float32(x)
		}
	}
}

// A scratch is memory that kernels take for one call and give back.
type scratch struct{ x []float64 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// takeScratch is memory for n numbers, whose values are whatever they are.
func takeScratch(n int) *scratch {
	s := scratches.Get().(*scratch)
	s.x = slices.Grow(s.x[:0], n)[:n]
	return s
}

func (s *scratch) give() { scratches.Put(s) }

// eigenSym decomposes one matrix whose entries are exact to epsilon times the largest.
func eigenSym(dst, a []float64, n int, epsilon float64) {
	if n == 0 {
		return
	}
	v, d, e := dst[n:][:n*n], dst[:n], dst[(n+1)*n:][:n]
	most := 0.0
	for i := range n {
		for j, x := range a[i*n:][:i+1] {
			v[i*n+j] = x
			if !(math.Abs(x) <= most) {
				most = math.Abs(x) // a NaN stays, since nothing is at most NaN
				if most != most || most > math.MaxFloat64 {
					fillNaN(dst)
					return
				}
			}
		}
	}
	// A power of two takes the matrix near 1 without an error of rounding.
	_, scale := math.Frexp(most)
	for i := range n {
		for j := range i + 1 {
			v[i*n+j] = math.Ldexp(v[i*n+j], -scale)
		}
	}
	tridiagonal(v, d, e, n)
	transposeSquare(v, n) // a rotation is of two rows now
	if !implicitQR(v, d, e, n) {
		fillNaN(dst)
		return
	}
	rise(v, d, n)
	for k := range n {
		d[k] = math.Ldexp(d[k], scale)
		orient(v[k*n:][:n])
	}
	transposeSquare(v, n)
	bound := float64(eigenRounding*n) * epsilon * max(math.Abs(d[0]), math.Abs(d[n-1]))
	for k := range e {
		e[k] = bound
	}
}

func fillNaN(x []float64) {
	for i := range x {
		x[i] = math.NaN()
	}
}

// tridiagonal overwrites the symmetric matrix whose lower triangle is in v with the orthogonal Q of
// A = Q T Qᵀ, and writes the diagonal of T to d and the subdiagonal to e[:n-1]. Column k of A is
// reflected onto its entry k + 1; the reflection is I − β u uᵀ, and u stays right of the diagonal
// in row k.
func tridiagonal(v, d, e []float64, n int) {
	for k := range n - 1 {
		u := v[k*n+k+1:][:n-k-1]
		for i := range u {
			u[i] = v[(k+1+i)*n+k]
		}
		tail := Dot(u[1:], u[1:])
		if tail == 0 {
			d[k], e[k] = 0, u[0] // there is nothing to reflect
			continue
		}
		length := math.Sqrt(float64(u[0]*u[0]) + tail)
		if u[0] > 0 {
			length = -length
		}
		e[k] = length
		u[0] -= length // both have the same sign
		beta := -1 / (length * u[0])
		d[k] = beta
		reflectBoth(v, e[k+1:], u, beta, k+1, n)
	}
	// Q is the product of the reflections; the last acts on the fewest entries.
	for k := n - 1; k >= 0; k-- {
		beta := d[k]
		d[k] = v[k*n+k]
		u := v[k*n+k+1:][:n-k-1]
		if k == n-1 || beta == 0 {
			beta = 0
		}
		for i, x := range u {
			v[(k+1+i)*n+k] = x
		}
		clear(u)
		if beta != 0 {
			for i := k + 1; i < n; i++ {
				Axpy(v[i*n+k], v[i*n+k+1:][:n-k-1], u)
			}
			for i := k + 1; i < n; i++ {
				Axpy(-float64(beta*v[i*n+k]), u, v[i*n+k+1:][:n-k-1])
			}
		}
		clear(u)
		for i := k + 1; i < n; i++ {
			v[i*n+k] = 0
		}
		v[k*n+k] = 1
	}
}

// reflectBoth reflects the rows and the columns from `from` on of the lower
// triangle: A − u wᵀ − w uᵀ with w = β A u − ½ β² (uᵀ A u) u. It works in w.
func reflectBoth(v, w, u []float64, beta float64, from, n int) {
	w = w[:len(u)]
	clear(w)
	for i := range u {
		row := v[(from+i)*n+from:][:i+1]
		w[i] += Dot(row, u[:i+1])
		Axpy(u[i], row[:i], w)
	}
	for i := range w {
		w[i] *= beta
	}
	Axpy(-0.5*float64(beta*Dot(w, u)), u, w)
	for i := range u {
		row := v[(from+i)*n+from:][:i+1]
		Axpy(-u[i], w[:i+1], row)
		Axpy(-w[i], u[:i+1], row)
	}
}

func transposeSquare(v []float64, n int) {
	for i := range n {
		for j := range i {
			v[i*n+j], v[j*n+i] = v[j*n+i], v[i*n+j]
		}
	}
}

// implicitQR makes the tridiagonal matrix of d and e diagonal, and rotates the
// rows of v with it. False where that takes too long, which no finite matrix is known to.
func implicitQR(v, d, e []float64, n int) bool {
	small := func(k int) bool {
		return math.Abs(e[k]) <= eigenEpsilon*(math.Abs(d[k])+math.Abs(d[k+1])) ||
			math.Abs(e[k]) < eigenFloor
	}
	steps := eigenSteps * n
	for hi := n - 1; hi > 0; {
		if small(hi - 1) {
			hi--
			continue
		}
		if steps--; steps < 0 {
			return false
		}
		lo := hi - 1
		for lo > 0 && !small(lo-1) {
			lo--
		}
		if lo > 0 {
			e[lo-1] = 0
		}
		// Wilkinson's shift: the eigenvalue of the last two rows that is nearer to the last entry.
		half := float64((d[hi-1] - d[hi]) / 2)
		root := math.Sqrt(float64(half*half) + float64(e[hi-1]*e[hi-1]))
		if half < 0 {
			root = -root
		}
		x, z := d[lo]-(d[hi]-float64(e[hi-1]*e[hi-1])/(half+root)), e[lo]
		for k := lo; k < hi; k++ {
			r := math.Sqrt(float64(x*x) + float64(z*z))
			c, s := x/r, z/r
			if r == 0 {
				c, s = 1, 0
			}
			if k > lo {
				e[k-1] = r
			}
			gap, beside := d[k+1]-d[k], e[k]
			q := float64(s*gap) + float64(2*float64(c*beside))
			d[k] += float64(s * q)
			d[k+1] -= float64(s * q)
			e[k] = float64(c*q) - beside
			if k < hi-1 {
				x, z = e[k], float64(s*e[k+1])
				e[k+1] *= c
			}
			rotateRows(v[k*n:][:n], v[(k+1)*n:][:n], c, s)
		}
	}
	return true
}

func rotateRows(a, b []float64, c, s float64) {
	b = b[:len(a)]
	for i, x := range a {
		y := b[i]
		a[i] = float64(c*x) + float64(s*y)
		b[i] = float64(c*y) - float64(s*x)
	}
}

// rise puts the eigenvalues, and the rows of v with them, in rising order.
func rise(v, d []float64, n int) {
	for k := range n {
		least := k
		for i := k + 1; i < n; i++ {
			if d[i] < d[least] {
				least = i
			}
		}
		if least != k {
			d[k], d[least] = d[least], d[k]
			a, b := v[k*n:][:n], v[least*n:][:n]
			for i := range a {
				a[i], b[i] = b[i], a[i]
			}
		}
	}
}

// orient turns an eigenvector round where its first entry of at least half the
// largest magnitude is negative: near a tie of magnitudes, as of (1, −1), that
// entry stays the same.
func orient(x []float64) {
	most := 0.0
	for _, y := range x {
		most = max(most, math.Abs(y))
	}
	for _, y := range x {
		if math.Abs(y) >= most/2 {
			if y < 0 {
				for i := range x {
					x[i] = -x[i]
				}
			}
			return
		}
	}
}
