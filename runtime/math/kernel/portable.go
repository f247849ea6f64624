package kernel

// portableSum is Sum in Go.
func portableSum(x []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(x) >= 8 {
		v := x[:8:8]
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
		s4 += v[4]
		s5 += v[5]
		s6 += v[6]
		s7 += v[7]
		x = x[8:]
	}
	if len(x) >= 4 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		if x = x[4:]; len(x) > 0 {
			s4 += x[0]
			if len(x) > 1 {
				s5 += x[1]
				if len(x) > 2 {
					s6 += x[2]
				}
			}
		}
	} else if len(x) > 0 {
		s0 += x[0]
		if len(x) > 1 {
			s1 += x[1]
			if len(x) > 2 {
				s2 += x[2]
			}
		}
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// portableDot is Dot in Go.
func portableDot(x, y []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	y = y[:len(x)]
	for len(x) >= 8 && len(y) >= 8 {
		v, w := x[:8:8], y[:8:8]
		s0 += float64(v[0] * w[0])
		s1 += float64(v[1] * w[1])
		s2 += float64(v[2] * w[2])
		s3 += float64(v[3] * w[3])
		s4 += float64(v[4] * w[4])
		s5 += float64(v[5] * w[5])
		s6 += float64(v[6] * w[6])
		s7 += float64(v[7] * w[7])
		x, y = x[8:], y[8:]
	}
	y = y[:len(x)]
	if len(x) >= 4 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		if len(x) > 4 {
			s4 += float64(x[4] * y[4])
			if len(x) > 5 {
				s5 += float64(x[5] * y[5])
				if len(x) > 6 {
					s6 += float64(x[6] * y[6])
				}
			}
		}
	} else if len(x) > 0 {
		s0 += float64(x[0] * y[0])
		if len(x) > 1 {
			s1 += float64(x[1] * y[1])
			if len(x) > 2 {
				s2 += float64(x[2] * y[2])
			}
		}
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// portableSum32 is Sum32 in Go.
func portableSum32(x []float32) float64 {
	var l [8]float64
	for ; len(x) >= 8; x = x[8:] {
		for i, v := range x[:8] {
			l[i] += float64(v)
		}
	}
	for i, v := range x {
		l[i] += float64(v)
	}
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// portableDot32 is Dot32 in Go.
func portableDot32(x, y []float32) float64 {
	var l [8]float64
	y = y[:len(x)]
	for ; len(x) >= 8; x, y = x[8:], y[8:] {
		w := y[:8]
		for i, v := range x[:8] {
			l[i] += float64(float64(v) * float64(w[i]))
		}
	}
	for i, v := range x {
		l[i] += float64(float64(v) * float64(y[i]))
	}
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// portableRow32 is row32 in Go.
func portableRow32(x, y []float32) float32 {
	var l [16]float32
	y = y[:len(x)]
	for ; len(x) >= 16; x, y = x[16:], y[16:] {
		w := y[:16]
		for i, v := range x[:16] {
			l[i] += float32(v * w[i])
		}
	}
	for i, v := range x {
		l[i] += float32(v * y[i])
	}
	var m [4]float32
	for i := range m {
		m[i] = (l[i] + l[i+8]) + (l[i+4] + l[i+12])
	}
	return (m[0] + m[2]) + (m[1] + m[3])
}
