package special

import "math"

const (
	// ln 2 in two parts, the first of 32 bits.
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33

	sqrtHalfBits = 0x3fe6a09e667f3bcd // bits of √½
	fractionMask = 1<<52 - 1
	minNormal    = 0x0010000000000000 // bits of the smallest normal number
	infBits      = 0x7ff0000000000000
)

// (log((1+s)/(1-s))/s - 2)/s² as a polynomial in z = s², for
// |s| <= (√2-1)/(√2+1); absolute error below 3.3e-16.
const (
	logC0 = 0x1.5555555555558p-1
	logC1 = 0x1.9999999995273p-2
	logC2 = 0x1.2492492dfd86cp-2
	logC3 = 0x1.c71c62d5e53e0p-3
	logC4 = 0x1.7462b91b8df65p-3
	logC5 = 0x1.39fdcceb4bb45p-3
	logC6 = 0x1.2b5f68a50d903p-3
)

// logTail returns s·z·(logC0 + logC1·z + …) / s = log((1+s)/(1-s))/s - 2.
func logTail(z float64) float64 {
	z2 := z * z
	lo := (logC0 + float64(logC1*z)) + float64(z2*(logC2+float64(logC3*z)))
	hi := (logC4 + float64(logC5*z)) + float64(z2*logC6)
	return float64(z * (lo + float64(float64(z2*z2)*hi)))
}

// logBits returns the logarithm of the positive normal number with bits b:
// 2ᵏ(1+f) with 1+f in [√½, √2), and with s = f/(2+f),
//
//	log(1+f) = f - (f²/2 - s·(f²/2 + R)),  R = log((1+s)/(1-s))/s - 2.
func logBits(b uint64) float64 {
	b -= sqrtHalfBits
	k := float64(int64(b) >> 52)
	f := math.Float64frombits(b&fractionMask+sqrtHalfBits) - 1
	s := f / (2 + f)
	h := float64(float64(0.5*f) * f)
	w := float64(s*(h+logTail(s*s))) + float64(k*ln2Lo)
	return float64(k*ln2Hi) - ((h - w) - f)
}

// Log returns the natural logarithm of x, with an error below 1 ulp.
func Log(x float64) float64 {
	if b := math.Float64bits(x); b-minNormal < infBits-minNormal {
		return logBits(b)
	}
	return logEdge(x)
}

// logEdge is Log for arguments that are not positive normal numbers.
func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x > 0 && x < 1:
		// Subnormal: scale by 2⁵⁴, which the offset of the exponent takes back.
		return logBits(math.Float64bits(x*0x1p54) - 54<<52)
	}
	return x // +Inf, NaN
}

// Log1p returns log(1 + x), accurate near 0; the error is below 2 ulp.
func Log1p(x float64) float64 {
	if x > -1 && x < 0x1p60 && (x > 0x1p-54 || x < -0x1p-54) {
		return log1p(x)
	}
	switch {
	case x >= 0x1p60:
		return Log(x)
	case x == -1:
		return math.Inf(-1)
	case x < -1:
		return math.NaN()
	}
	return x // tiny, ±0, NaN
}

// log1p is Log1p for -1 < x < 2⁶⁰ (and maps -0 to 0). The rounding error of
// u = 1 + x is known exactly (Knuth's two-sum), and log(u + e) = log(u) + e/u.
func log1p(x float64) float64 {
	u := 1 + x
	v := u - 1
	e := (1 - (u - v)) + (x - v)
	return logBits(math.Float64bits(u)) + e/u
}
