package kernel

import "math"

// Sum returns the sum of x in eight lanes.
func Sum(x []float64) float64 {
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

// Dot returns Σ x[i]·y[i] in eight lanes, over the length of x.
func Dot(x, y []float64) float64 {
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

// Max returns the largest element, NaN if there is one, -∞ of nothing. The
// order of a maximum does not show in its bits.
func Max(x []float64) float64 {
	m0, m1 := math.Inf(-1), math.Inf(-1)
	for len(x) >= 2 {
		m0 = max(m0, x[0])
		m1 = max(m1, x[1])
		x = x[2:]
	}
	if len(x) > 0 {
		m0 = max(m0, x[0])
	}
	return max(m0, m1)
}

// Min returns the smallest element, NaN if there is one, +∞ of nothing.
func Min(x []float64) float64 {
	m0, m1 := math.Inf(1), math.Inf(1)
	for len(x) >= 2 {
		m0 = min(m0, x[0])
		m1 = min(m1, x[1])
		x = x[2:]
	}
	if len(x) > 0 {
		m0 = min(m0, x[0])
	}
	return min(m0, m1)
}

// Prod returns the product of x in eight lanes, each starting from 1 and
// combined as those of a sum.
func Prod(x []float64) float64 {
	p := [8]float64{1, 1, 1, 1, 1, 1, 1, 1}
	for i, v := range x {
		p[i&7] *= v
	}
	return ((p[0] * p[4]) * (p[2] * p[6])) * ((p[1] * p[5]) * (p[3] * p[7]))
}
