package special

import "github.com/sgppl/sgppl/runtime/math/cpu"

// chunk is how many elements one call of assembly takes at most: the scheduler
// cannot interrupt it.
const chunk = 1 << 14

// fewElements is below how many a call of assembly does not pay.
const fewElements = 3

// lanes is how many elements the vectors of the level have.
func lanes() int {
	if level == cpu.AVX512 {
		return 8
	}
	return 4
}

// vectors64 writes function f of src into dst, vector after vector. Vectors
// with an element that assembly does not handle go through the scalar form.
func vectors64(f int, dst, src []float64, scalar func(float64) float64) {
	if len(src) < fewElements {
		for i, x := range src {
			dst[i] = scalar(x)
		}
		return
	}
	for len(src) > 0 {
		n := min(len(src), chunk)
		done := slice64(f, &dst[0], &src[0], n)
		if done < n {
			left := min(done+lanes(), n)
			for i, x := range src[done:left] {
				dst[done+i] = scalar(x)
			}
			done = left
		}
		dst, src = dst[done:], src[done:]
	}
}

// vectors32 writes function f of src into dst as vectors64 does, in single
// precision.
func vectors32(f int, dst, src []float32, scalar func(float64) float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portable32(f, dst, src)
		return
	}
	if len(src) < fewElements {
		for i, x := range src {
			dst[i] = float32(scalar(float64(x)))
		}
		return
	}
	for len(src) > 0 {
		n := min(len(src), chunk)
		done := slice32(f, &dst[0], &src[0], n)
		if done < n {
			left := min(done+lanes(), n)
			for i, x := range src[done:left] {
				dst[done+i] = float32(scalar(float64(x)))
			}
			done = left
		}
		dst, src = dst[done:], src[done:]
	}
}
