//go:build amd64 && !purego

package kernel

// The kernels of assembly, given slices of the right length that are not empty.

func vectorSum(x []float64) float64 { return sum64avx2(&x[0], len(x)) }

func vectorDot(x, y []float64) float64 { return dot64avx2(&x[0], &y[0], len(x)) }

func vectorSum32(x []float32) float64 { return sum32avx2(&x[0], len(x)) }

func vectorDot32(x, y []float32) float64 { return dot32avx2(&x[0], &y[0], len(x)) }

func vectorRow32(x, y []float32) float32 { return row32avx2(&x[0], &y[0], len(x)) }

// vectorDots64 returns the sums of four rows of a times x.
func vectorDots64(a, x []float64) (s [4]float64) {
	dots64avx2(&s[0], &a[0], &x[0], len(x), len(x))
	return s
}

func vectorDots32(a, x []float32) (s [4]float32) {
	dots32avx2(&s[0], &a[0], &x[0], len(x), len(x))
	return s
}

// vectorAxpys64 adds four rows of a times x to dst.
func vectorAxpys64(dst, a, x []float64, n int) { axpys64avx2(&dst[0], &a[0], &x[0], n, n) }

func vectorAxpys32(dst, a, x []float32, n int) { axpys32avx2(&dst[0], &a[0], &x[0], n, n) }

func vectorAxpy64(dst, x []float64, a float64) { axpy64avx2(&dst[0], &x[0], len(x), a) }

func vectorAxpy32(dst, x []float32, a float32) { axpy32avx2(&dst[0], &x[0], len(x), a) }

func vectorScale64(dst, x []float64, a float64) { scale64avx2(&dst[0], &x[0], len(x), a) }

func vectorScale32(dst, x []float32, a float32) { scale32avx2(&dst[0], &x[0], len(x), a) }

func vectorAddTo64(dst, x []float64) { addTo64avx2(&dst[0], &x[0], len(x)) }

func vectorAddTo32(dst, x []float32) { addTo32avx2(&dst[0], &x[0], len(x)) }

func vectorMax64(x []float64) (float64, bool) { return max64avx2(&x[0], len(x)) }

func vectorMax32(x []float32) (float32, bool) { return max32avx2(&x[0], len(x)) }

func vectorMin64(x []float64) (float64, bool) { return min64avx2(&x[0], len(x)) }

func vectorMin32(x []float32) (float32, bool) { return min32avx2(&x[0], len(x)) }
