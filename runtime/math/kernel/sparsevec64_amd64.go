//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

// gatherVec64 is SparseMulVec where there are vectors, and reports whether.
func gatherVec64(dst []float64, r Rows, w []float64, acc bool) bool {
	if level == cpu.Portable || len(w) == 0 {
		return false
	}
	add := 0
	if acc {
		add = 1
	}
	for i := 0; i < len(dst); i += rowsChunk {
		n := min(rowsChunk, len(dst)-i)
		lo, hi := r.Lo[i:i+n], r.Hi[i:i+n]
		r.check(lo, hi)
		if len(r.Index) == 0 {
			return false
		}
		var done int
		switch {
		case level == cpu.AVX512 && r.narrow():
			done = vec.GatherDotsBytes64avx512(&dst[i], &w[0], &r.Narrow[0], &lo[0], &hi[0], n,
				len(w), add)
		case level == cpu.AVX512 && r.Value == nil:
			done = vec.GatherDotsOnes64avx512(&dst[i], &w[0], &r.Index[0], &lo[0], &hi[0], n,
				len(w), add)
		case level == cpu.AVX512:
			done = vec.GatherDotsValues64avx512(&dst[i], &w[0], &r.Value[0], &r.Index[0], &lo[0],
				&hi[0], n, len(w), add)
		case r.narrow():
			done = vec.GatherDotsBytes64avx2(&dst[i], &w[0], &r.Narrow[0], &lo[0], &hi[0], n,
				len(w), add)
		case r.Value == nil:
			done = vec.GatherDotsOnes64avx2(&dst[i], &w[0], &r.Index[0], &lo[0], &hi[0], n, len(w), add)
		default:
			done = vec.GatherDotsValues64avx2(&dst[i], &w[0], &r.Value[0], &r.Index[0], &lo[0],
				&hi[0], n, len(w), add)
		}
		if done < n {
			within(r.Index[lo[done]:hi[done]], len(w))
		}
	}
	return true
}

// scatterVec64 is SparseMulVecT, which adds, where there are vectors, and
// reports whether.
func scatterVec64(g []float64, r Rows, d []float64) bool {
	if level == cpu.Portable || len(g) == 0 || len(r.Index) == 0 {
		return false
	}
	for i := 0; i < len(d); i += rowsChunk {
		n := min(rowsChunk, len(d)-i)
		lo, hi := r.Lo[i:i+n], r.Hi[i:i+n]
		r.check(lo, hi)
		var done int
		switch {
		case r.narrow():
			done = vec.ScatterAddsBytes64avx2(&d[i], &g[0], &r.Narrow[0], &lo[0], &hi[0], n, len(g), 0)
		case r.Value == nil:
			done = vec.ScatterAddsOnes64avx2(&d[i], &g[0], &r.Index[0], &lo[0], &hi[0], n, len(g), 0)
		default:
			done = vec.ScatterAddsValues64avx2(&d[i], &g[0], &r.Value[0], &r.Index[0], &lo[0],
				&hi[0], n, len(g), 0)
		}
		if done < n {
			within(r.Index[lo[done]:hi[done]], len(g))
		}
	}
	return true
}
