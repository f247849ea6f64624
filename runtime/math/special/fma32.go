package special

import "math"

// softFMA32 returns x·y + z, rounded once. In double precision the product is
// exact; the sum is rounded to odd (Boldo & Melquiond, 2008), after which
// rounding to single precision is that of the exact sum.
func softFMA32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	b := math.Float64bits(s)
	// Where the last bits are neither a tie nor zero, rounding twice is safe;
	// below the normal range of single precision a tie has other bits.
	if b&0xfffffff != 0 && math.Abs(s) >= 0x1p-126 {
		return float32(s)
	}
	v := s - p
	e := (p - (s - v)) + (c - v)
	if e != 0 && e == e && b&1 == 0 && !math.IsInf(s, 0) {
		if (e > 0) == (s > 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return float32(s)
}
