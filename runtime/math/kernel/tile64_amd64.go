//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

func tileShape64() tileShape {
	switch level {
	case cpu.AVX512:
		return tileShape{lanes: lanes64avx512, rows: rowsAVX512, anyEdge: true, direct: 1,
			copied: true}
	case cpu.AVX2:
		return tileShape{lanes: lanes64avx2, rows: rowsAVX2, direct: 1, copied: true}
	}
	return portableShape
}

// tile64 adds a strip of A times a panel of B to a tile of C, which starts
// from 0 if zero.
func tile64(
	c []float64, ci int, a []float64, ai, ap int, b []float64, bp, k, rows, cols int, zero bool,
) {
	start := 0
	if zero {
		start = 1
	}
	switch level {
	case cpu.AVX512:
		shape := rows - 1
		if cols > lanes64avx512 {
			shape += rowsAVX512
		}
		vec.Tile64avx512(&a[0], ai, ap, &b[0], bp, &c[0], ci, k, cols, start, shape)
	case cpu.AVX2:
		shape := rows - 1
		if cols > lanes64avx2 {
			shape += rowsAVX2
		}
		vec.Tile64avx2(&a[0], ai, ap, &b[0], bp, &c[0], ci, k, cols, start, shape)
	default:
		portableTile64(c, ci, a, ai, ap, b, bp, k, rows, cols, zero)
	}
}

// lineShape64 is how many registers of how many columns a line takes at most.
func lineShape64() (wide, lanes int) {
	switch level {
	case cpu.AVX512:
		return lineAVX512, lanes64avx512
	case cpu.AVX2:
		return lineAVX2, lanes64avx2
	}
	return 0, 0
}

// line64 adds a row times a matrix to cols columns of C, in wide registers;
// they start from 0 if zero.
func line64(c, a []float64, ap int, b []float64, bp, k, cols, wide int, zero bool) {
	start := 0
	if zero {
		start = 1
	}
	if level == cpu.AVX512 {
		vec.Line64avx512(&a[0], ap, &b[0], bp, &c[0], k, cols, start, wide)
	} else {
		vec.Line64avx2(&a[0], ap, &b[0], bp, &c[0], k, cols, start, wide)
	}
}

// pack64 is portablePack64 from the first column on.
func pack64(dst, src []float64, bp, bj, kn, cols, width int) {
	switch {
	case level == cpu.Portable || bp != 1 && bj != 1:
		portablePack64(dst, src, bp, bj, kn, 0, cols, width)
	case bj == 1:
		switch {
		case level == cpu.AVX512 && width > lanes64avx512:
			vec.PackRows64x2avx512(&dst[0], &src[0], bp, kn, cols)
		case level == cpu.AVX512:
			vec.PackRows64x1avx512(&dst[0], &src[0], bp, kn, cols)
		case width > lanes64avx2:
			vec.PackRows64x2avx2(&dst[0], &src[0], bp, kn, cols)
		default:
			vec.PackRows64x1avx2(&dst[0], &src[0], bp, kn, cols)
		}
	default:
		bulk := kn - kn%step64
		j := 0
		for ; j+strip64 <= cols; j += strip64 {
			vec.Transpose64avx2(&dst[j], width, &src[j*bj], bj, bulk)
			for p := bulk; p < kn; p++ {
				for i := j; i < j+strip64; i++ {
					dst[p*width+i] = src[i*bj+p]
				}
			}
		}
		portablePack64(dst, src, bp, bj, kn, j, cols, width)
	}
}
