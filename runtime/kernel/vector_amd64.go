//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/cpu"

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

func vectorGatherRows64(dst, w, v []float64, idx []int32, h int, zero bool) {
	start := 0
	if zero {
		start = 1
	}
	f, step := factors64(v)
	if level == cpu.AVX512 {
		gatherRows64avx512(&dst[0], &w[0], f, &idx[0], step, len(idx), h, start)
	} else {
		gatherRows64avx2(&dst[0], &w[0], f, &idx[0], step, len(idx), h, start)
	}
}

func vectorScatterRows64(g, row, v []float64, idx []int32, h int) {
	f, step := factors64(v)
	if level == cpu.AVX512 {
		scatterRows64avx512(&g[0], &row[0], f, &idx[0], step, len(idx), h, 0)
	} else {
		scatterRows64avx2(&g[0], &row[0], f, &idx[0], step, len(idx), h, 0)
	}
}

var one64 float64 = 1

// factors64 returns where the factors are, and how far apart: all 1 without v.
func factors64(v []float64) (*float64, int) {
	if v == nil {
		return &one64, 0
	}
	return &v[0], 1
}

func vectorGatherRows32(dst, w, v []float32, idx []int32, h int, zero bool) {
	start := 0
	if zero {
		start = 1
	}
	f, step := factors32(v)
	if level == cpu.AVX512 {
		gatherRows32avx512(&dst[0], &w[0], f, &idx[0], step, len(idx), h, start)
	} else {
		gatherRows32avx2(&dst[0], &w[0], f, &idx[0], step, len(idx), h, start)
	}
}

func vectorScatterRows32(g, row, v []float32, idx []int32, h int) {
	f, step := factors32(v)
	if level == cpu.AVX512 {
		scatterRows32avx512(&g[0], &row[0], f, &idx[0], step, len(idx), h, 0)
	} else {
		scatterRows32avx2(&g[0], &row[0], f, &idx[0], step, len(idx), h, 0)
	}
}

var one32 float32 = 1

// factors32 returns where the factors are, and how far apart: all 1 without v.
func factors32(v []float32) (*float32, int) {
	if v == nil {
		return &one32, 0
	}
	return &v[0], 1
}
