//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

var one64 float64 = 1

// steps returns the addresses of the first index and the first factor, and the distance in bytes
// from each to the next.
func (l *entries64) steps() (index *int32, istep int, factor *float64, step int) {
	factor = &one64
	switch {
	case len(l.sorted) > 0:
		return &l.sorted[0].at, entryBytes64, &l.sorted[0].value, entryBytes64
	case len(l.index) == 0:
		return &noIndex, 4, factor, 0
	case len(l.value) > 0:
		factor, step = &l.value[0], bytes64
	}
	return &l.index[0], 4, factor, step
}

// panels64 returns how many columns a register holds, and of how many registers
// panels are: at most panel·panelBytes, all about as wide as each other.
func panels64(h, panel int) (lanes, regs int) {
	lanes, most := lanes64avx512, mostPanel
	if level == cpu.AVX2 {
		lanes, most, panel = lanes64avx2, mostPanelAVX2, 2*panel
	}
	all := (h + lanes - 1) / lanes
	n := (all + min(most, panel) - 1) / min(most, panel)
	return lanes, (all + n - 1) / n
}

// sumRows64 writes the rows of dst as sums of rows of w, or adds them unless zero.
func sumRows64(dst, w []float64, l entries64, h, panel int, zero bool) {
	start := 0
	if zero {
		start = 1
	}
	index, istep, factor, step := l.steps()
	lanes, regs := panels64(h, panel)
	for c := 0; c < h; c += regs * lanes {
		n := min(regs, (h-c+lanes-1)/lanes)
		cols := min(lanes, h-c-(n-1)*lanes)
		for i := 0; i < len(l.lo); i += rowsChunk { // the scheduler cannot interrupt assembly
			rows := min(rowsChunk, len(l.lo)-i)
			if level == cpu.AVX512 {
				vec.SumRows64avx512(&dst[i*h+c], &w[c], factor, index, &l.lo[i], &l.hi[i], istep,
					step, rows, h, cols, start, n-1)
			} else {
				vec.SumRows64avx2(&dst[i*h+c], &w[c], factor, index, &l.lo[i], &l.hi[i], istep,
					step, rows, h, cols, start, n-1)
			}
		}
	}
}

// addRows64 adds a row, times the values of entries lo to hi, to the rows of g
// that they name.
func addRows64(g, row []float64, l entries64, lo, hi, h int) {
	l.index, l.value = l.index[lo:hi], l.value[min(lo, len(l.value)):min(hi, len(l.value))]
	index, _, factor, step := l.steps()
	lanes, regs := panels64(h, mostPanel)
	for c := 0; c < h; c += regs * lanes {
		n := min(regs, (h-c+lanes-1)/lanes)
		cols := min(lanes, h-c-(n-1)*lanes)
		if level == cpu.AVX512 {
			vec.AddRows64avx512(&g[c], &row[c], factor, index, step, hi-lo, h, cols, n-1)
		} else {
			vec.AddRows64avx2(&g[c], &row[c], factor, index, step, hi-lo, h, cols, n-1)
		}
	}
}
