//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

// The assembly of watches, given slices of one length that are not empty.

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		vec.WatchPair64avx512(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	} else {
		vec.WatchPair64avx2(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	}
}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		vec.Watch64avx512(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	} else {
		vec.Watch64avx2(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	}
}

func vectorWatchSquares(x, mean, xx []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		vec.WatchSquares64avx512(&x[0], &mean[0], &xx[0], &c[0], len(x))
	} else {
		vec.WatchSquares64avx2(&x[0], &mean[0], &xx[0], &c[0], len(x))
	}
}
