package kernel

// Narrow writes src in single precision, rounded to nearest, over the length of dst.
func Narrow(dst []float32, src []float64) {
	src = src[:len(dst)]
	for len(dst) >= 8 {
		d, s := dst[:8:8], src[:8:8]
		d[0], d[1], d[2], d[3] = float32(s[0]), float32(s[1]), float32(s[2]), float32(s[3])
		d[4], d[5], d[6], d[7] = float32(s[4]), float32(s[5]), float32(s[6]), float32(s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = float32(src[i])
	}
}

// Widen writes src in double precision over the length of dst.
func Widen(dst []float64, src []float32) {
	src = src[:len(dst)]
	for len(dst) >= 8 {
		d, s := dst[:8:8], src[:8:8]
		d[0], d[1], d[2], d[3] = float64(s[0]), float64(s[1]), float64(s[2]), float64(s[3])
		d[4], d[5], d[6], d[7] = float64(s[4]), float64(s[5]), float64(s[6]), float64(s[7])
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = float64(src[i])
	}
}
