//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// The kernels of assembly, given slices of the right length that are not empty.

func vectorSum(x []float64) float64 { return vec.Sum64avx2(&x[0], len(x)) }

func vectorDot(x, y []float64) float64 { return vec.Dot64avx2(&x[0], &y[0], len(x)) }

func vectorSum32(x []float32) float64 { return vec.Sum32avx2(&x[0], len(x)) }

func vectorDot32(x, y []float32) float64 { return vec.Dot32avx2(&x[0], &y[0], len(x)) }

func vectorRow32(x, y []float32) float32 { return vec.Row32avx2(&x[0], &y[0], len(x)) }

// vectorDots64 returns the sums of four rows of a times x.
func vectorDots64(a, x []float64) (s [4]float64) {
	vec.Dots64avx2(&s[0], &a[0], &x[0], len(x), len(x))
	return s
}

func vectorDots32(a, x []float32) (s [4]float32) {
	vec.Dots32avx2(&s[0], &a[0], &x[0], len(x), len(x))
	return s
}

// vectorAxpys64 adds four rows of a times x to dst.
func vectorAxpys64(dst, a, x []float64, n int) { vec.Axpys64avx2(&dst[0], &a[0], &x[0], n, n) }

func vectorAxpys32(dst, a, x []float32, n int) { vec.Axpys32avx2(&dst[0], &a[0], &x[0], n, n) }

func vectorAxpy64(dst, x []float64, a float64) { vec.Axpy64avx2(&dst[0], &x[0], len(x), a) }

func vectorAxpy32(dst, x []float32, a float32) { vec.Axpy32avx2(&dst[0], &x[0], len(x), a) }

func vectorScale64(dst, x []float64, a float64) { vec.Scale64avx2(&dst[0], &x[0], len(x), a) }

func vectorScale32(dst, x []float32, a float32) { vec.Scale32avx2(&dst[0], &x[0], len(x), a) }

func vectorAddTo64(dst, x []float64) { vec.AddTo64avx2(&dst[0], &x[0], len(x)) }

func vectorAddTo32(dst, x []float32) { vec.AddTo32avx2(&dst[0], &x[0], len(x)) }

func vectorMax64(x []float64) (float64, bool) { return vec.Max64avx2(&x[0], len(x)) }

func vectorMax32(x []float32) (float32, bool) { return vec.Max32avx2(&x[0], len(x)) }

func vectorMin64(x []float64) (float64, bool) { return vec.Min64avx2(&x[0], len(x)) }

func vectorMin32(x []float32) (float32, bool) { return vec.Min32avx2(&x[0], len(x)) }
