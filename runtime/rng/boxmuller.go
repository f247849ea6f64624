package rng

import "math"

// -2·log((1+s)/(1-s)) = -s·(4 + z·(bmL0 + bmL1·z + …)) with z = s², for
// |s| <= (√2-1)/(√2+1): twice the interpolation of (log((1+s)/(1-s))/s - 2)/z
// in five Chebyshev nodes, absolute error of that below 7.4e-12 and of the
// logarithm below 4e-14.
const (
	bmL0 = 2 * 0x1.5555555564fdap-1
	bmL1 = 2 * 0x1.999998ca249fbp-2
	bmL2 = 2 * 0x1.249324907dae3p-2
	bmL3 = 2 * 0x1.c67a84e8a4bap-3
	bmL4 = 2 * 0x1.8c92867b49a01p-3

	twoLn2       = 0x1.62e42fefa39efp+0
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	fractionMask = 1<<52 - 1
)

// sin(πt/2)/t and cos(πt/2) as polynomials in t² for |t| <= ½, interpolated
// in six Chebyshev nodes; absolute errors below 7e-15 and 6e-14.
const (
	bmS0 = 0x1.921fb54442cfap+0
	bmS1 = -0x1.4abbce6257a2ap-1
	bmS2 = 0x1.466bc67123f9fp-4
	bmS3 = -0x1.32d2c644ad9f6p-8
	bmS4 = 0x1.5071ce4b322ep-13
	bmS5 = -0x1.dd548055bd6c3p-19

	bmC0 = 0x1.ffffffffffe0bp-1
	bmC1 = -0x1.3bd3cc9bd2c35p+0
	bmC2 = 0x1.03c1f074ded1bp-2
	bmC3 = -0x1.55d3ba300c904p-6
	bmC4 = 0x1.e1e7cccc8756cp-11
	bmC5 = -0x1.a0ee13228f054p-16
)

// boxMuller fills dst with len(a) pairs of normals (Box & Muller, 1958), each
// from two words and without a branch: the radius √(-2 log u), u a multiple
// of 2⁻⁵² in (0, 1], from a (so no normal is beyond 8.5, where 2e-17 of the
// mass is left); the angle from b, in [-π/4, π/4] by its upper 52 bits, turned
// into the other three quarters of the circle by its lowest two.
func boxMuller(dst []float64, a, b []uint64) {
	b = b[:len(a)]
	dst = dst[:2*len(a)]
	for i, w := range a {
		u := math.Float64bits(2-math.Float64frombits(w>>12|expOne)) - sqrtHalfBits
		k := float64(int64(u) >> 52)
		f := math.Float64frombits(u&fractionMask+sqrtHalfBits) - 1
		s := f / (2 + f)
		z := s * s
		z2 := z * z
		l := (bmL0 + float64(bmL1*z)) + float64(z2*((bmL2+float64(bmL3*z))+float64(z2*bmL4)))
		r := math.Sqrt(float64(-twoLn2*k) - float64(s*(4+float64(z*l))))

		c, d := direction(b[i])
		dst[2*i] = r * c
		dst[2*i+1] = r * d
	}
}

// direction returns cosine and sine of a uniform angle; neither is ever 0.
func direction(v uint64) (float64, float64) {
	t := unit(v) - 0.5
	y := t * t
	y2 := y * y
	y4 := y2 * y2
	sin := float64(t * (((bmS0 + float64(bmS1*y)) + float64(y2*(bmS2+float64(bmS3*y)))) + float64(y4*(bmS4+float64(bmS5*y)))))
	cos := ((bmC0 + float64(bmC1*y)) + float64(y2*(bmC2+float64(bmC3*y)))) + float64(y4*(bmC4+float64(bmC5*y)))
	cb := math.Float64bits(cos) ^ v<<63
	sb := math.Float64bits(sin)
	swap := (cb ^ sb) & -(v >> 1 & 1)
	return math.Float64frombits(cb ^ swap), math.Float64frombits(sb ^ swap)
}
