package special

import "github.com/sgppl/sgppl/runtime/cpu"

const (
	maxLanes = 8 // of a vector of any level

	// chunk is how many elements one call of assembly takes at most: the
	// scheduler cannot interrupt it.
	chunk = 1 << 14
)

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
	w := lanes()
	for len(src) >= w {
		n := min(len(src)&^(w-1), chunk)
		done := slice64(f, &dst[0], &src[0], n)
		dst, src = dst[done:], src[done:]
		if done < n {
			for i, x := range src[:w] {
				dst[i] = scalar(x)
			}
			dst, src = dst[w:], src[w:]
		}
	}
	if len(src) > 1 {
		var rest [maxLanes]float64
		copy(rest[:], src)
		for i := len(src); i < w; i++ {
			rest[i] = src[0]
		}
		if slice64(f, &rest[0], &rest[0], w) == w {
			copy(dst, rest[:len(src)])
			return
		}
	}
	for i, x := range src {
		dst[i] = scalar(x)
	}
}

// vectors32 writes function f of src into dst as vectors64 does, in single
// precision.
func vectors32(f int, dst, src []float32, scalar func(float64) float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portable32(f, dst, src)
		return
	}
	w := lanes()
	for len(src) >= w {
		n := min(len(src)&^(w-1), chunk)
		done := slice32(f, &dst[0], &src[0], n)
		dst, src = dst[done:], src[done:]
		if done < n {
			for i, x := range src[:w] {
				dst[i] = float32(scalar(float64(x)))
			}
			dst, src = dst[w:], src[w:]
		}
	}
	if len(src) > 1 {
		var rest [maxLanes]float32
		copy(rest[:], src)
		for i := len(src); i < w; i++ {
			rest[i] = src[0]
		}
		if slice32(f, &rest[0], &rest[0], w) == w {
			copy(dst, rest[:len(src)])
			return
		}
	}
	for i, x := range src {
		dst[i] = float32(scalar(float64(x)))
	}
}
