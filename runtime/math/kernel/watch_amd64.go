//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// The assembly of watches, given slices of one length that are not empty.

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		watchPair64avx512(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	} else {
		watchPair64avx2(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	}
}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		watch64avx512(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	} else {
		watch64avx2(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	}
}

func vectorWatchSquares(x, mean, xx []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		watchSquares64avx512(&x[0], &mean[0], &xx[0], &c[0], len(x))
	} else {
		watchSquares64avx2(&x[0], &mean[0], &xx[0], &c[0], len(x))
	}
}
