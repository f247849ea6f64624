//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// The passes of assembly, over a length that is a multiple of 16 and not 0.

func vectorNarrow(dst []float32, src []float64) { vec.Narrowavx2(&dst[0], &src[0], len(dst)) }

func vectorWiden(dst []float64, src []float32) { vec.Widenavx2(&dst[0], &src[0], len(dst)) }

func vectorCombine64(dst, x, y, c []float64) {
	vec.Combine64avx2(&dst[0], &x[0], &y[0], &c[0], len(dst))
}

func vectorCombine32(dst, x, y, c []float32) {
	vec.Combine32avx2(&dst[0], &x[0], &y[0], &c[0], len(dst))
}

func vectorCombineWide(dst []float64, x, y, c []float32) {
	vec.CombineWideavx2(&dst[0], &x[0], &y[0], &c[0], len(dst))
}
