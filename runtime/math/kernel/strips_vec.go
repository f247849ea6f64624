//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// wide does the instructions on all strips of n entries, those between two functions in a call.
func (l *stripLoop) wide(n int) {
	var at [64]*float64
	first := len(l.arrays)
	for k := range min(len(l.scratch)/Strip, len(at)-first) {
		at[first+k] = &l.scratch[k*Strip]
	}
	for start := 0; start < n; start += Strip {
		l.start, l.w = start, min(n-start, Strip)
		for k, a := range l.arrays {
			at[k] = &a[start:][:l.w][0]
		}
		for from := 0; from < len(l.body); {
			to := from
			for to < len(l.body) && l.body[to][0] < opFunctions {
				to++
			}
			if to > from {
				vec.Strips64avx512(&l.body[from][0], to-from, &at, l.w)
			}
			if to < len(l.body) {
				l.instruction(&l.body[to])
				to++
			}
			from = to
		}
	}
}

// vectorFillStrips is fillStrips for at least one number.
func vectorFillStrips(scratch, numbers []float64, w int) {
	vec.FillStrips64avx512(&scratch[0], &numbers[0], len(numbers), w, Strip)
}
