package kernel

import "math"

// The factorisations in single precision: arrays are, and every inner sum is
// taken in double precision and rounded once.

// Cholesky32 is Cholesky in single precision, its inner sums those of Dot32.
func Cholesky32(dst, a []float32, batch, n int) {
	for m := range batch {
		cholesky32(dst[m*n*n:][:n*n], a[m*n*n:][:n*n], n)
	}
}

func cholesky32(l, a []float32, n int) {
	for i := range n {
		row := l[i*n:][:n]
		copy(row[:i+1], a[i*n:][:i+1])
		clear(row[i+1:])
		for j := range i {
			other := l[j*n:][:j+1]
			row[j] = float32((float64(row[j]) - Dot32(row[:j], other)) / float64(other[j]))
		}
		pivot := float64(row[i]) - Dot32(row[:i], row)
		if !(pivot > 0 && pivot <= math.MaxFloat64) {
			poison32(l, n)
			return
		}
		row[i] = float32(math.Sqrt(pivot))
	}
}

func poison32(l []float32, n int) {
	for i := range n {
		row := l[i*n:][:n]
		for j := range i + 1 {
			row[j] = float32(math.NaN())
		}
		clear(row[i+1:])
	}
}

// CholeskyAdjoint32 is CholeskyAdjoint in single precision.
func CholeskyAdjoint32(dst, l, cot []float32, batch, n int) {
	for m := range batch {
		choleskyAdjoint32(dst[m*n*n:][:n*n], l[m*n*n:][:n*n], cot[m*n*n:][:n*n], n)
	}
}

func choleskyAdjoint32(c, l, cot []float32, n int) {
	for i := range n {
		row := c[i*n:][:n]
		copy(row[:i+1], cot[i*n:][:i+1])
		clear(row[i+1:])
	}
	for j := n - 1; j >= 0; j-- {
		row, own := l[j*n:][:j], c[j*n:][:j] // left of the diagonal
		d := float64(l[j*n+j])
		s := float64(c[j*n+j])
		for i := j + 1; i < n; i++ {
			v := float32(float64(c[i*n+j]) / d)
			s -= float64(float64(l[i*n+j]) * float64(v))
			c[i*n+j] = v
		}
		w := float32(s / d)
		c[j*n+j] = 0.5 * w
		Axpy32(-w, row, own)
		for i := j + 1; i < n; i++ {
			v := -c[i*n+j]
			Axpy32(v, l[i*n:][:j], own)
			Axpy32(v, row, c[i*n:][:j])
		}
	}
}

// TriangularSolve32 is TriangularSolve in single precision: the sum of an
// entry of a solution is that of Dot32.
func TriangularSolve32(dst, l, b []float32, outer, batch, inner, n int) {
	for range outer {
		for m := range batch {
			t, x := l[m*n*n:][:n*n], dst[:inner*n]
			copy(x, b[:inner*n])
			dst, b = dst[inner*n:], b[inner*n:]
			for len(x) > 0 {
				y := x[:n]
				for i := range y {
					row := t[i*n:][:i+1]
					y[i] = float32((float64(y[i]) - Dot32(row[:i], y)) / float64(row[i]))
				}
				x = x[n:]
			}
		}
	}
}

// TriangularSolveT32 is TriangularSolveT in single precision.
func TriangularSolveT32(dst, l, b []float32, outer, batch, inner, n int) {
	for range outer {
		for m := range batch {
			t, x := l[m*n*n:][:n*n], dst[:inner*n]
			copy(x, b[:inner*n])
			dst, b = dst[inner*n:], b[inner*n:]
			for len(x) > 0 {
				y := x[:n]
				for i := n - 1; i >= 0; i-- {
					row := t[i*n:][:i+1]
					y[i] /= row[i]
					Axpy32(-y[i], row[:i], y)
				}
				x = x[n:]
			}
		}
	}
}
