package rng

import "math"

// The polynomials of boxMuller are as long as a normal needs, not as a double
// allows: relative errors near 2e-11 change no moment that any run could see.

// -2·log((1+s)/(1-s)) = -s·(4 + z·(bmL0 + bmL1·z + …)) with z = s², for
// |s| <= (√2-1)/(√2+1): twice the interpolation of (log((1+s)/(1-s))/s - 2)/z
// in four Chebyshev nodes, relative error of the logarithm below 2e-11.
const (
	bmL0 = 2 * 0x1.5555554bb1b2fp-1
	bmL1 = 2 * 0x1.9999eb63e783dp-2
	bmL2 = 2 * 0x1.245c40aecb50cp-2
	bmL3 = 2 * 0x1.ddcf7101b6371p-3

	twoLn2       = 0x1.62e42fefa39efp+0
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	fractionMask = 1<<52 - 1
)

// exponentLog holds -2·log 2ᵏ at k mod 64, for -64 < k <= 0.
var exponentLog = func() (t [64]float64) {
	for k := range t {
		t[-k&63] = twoLn2 * float64(k)
	}
	return t
}()

// sin(πt/2)/t and cos(πt/2) as polynomials in t² for |t| <= ½, interpolated
// in five Chebyshev nodes; absolute errors below 7e-12 and 5e-11.
const (
	bmS0 = 0x1.921fb5443b587p+0
	bmS1 = -0x1.4abbce56ae6e1p-1
	bmS2 = 0x1.466bbac8a513ep-4
	bmS3 = -0x1.32ca9d79e10d1p-8
	bmS4 = 0x1.4bc85cc35124ap-13

	bmC0 = 0x1.ffffffff9785ep-1
	bmC1 = -0x1.3bd3cc7313b2p+0
	bmC2 = 0x1.03c1dc16cd808p-2
	bmC3 = -0x1.55c57912c09afp-6
	bmC4 = 0x1.d9c2e7e3b6703p-11
)

// boxMuller fills dst with len(a) pairs of normals (Box & Muller, 1958), each
// from two words and without a branch: the radius √(-2 log u), u a multiple
// of 2⁻⁵² in (0, 1], from a (so no normal is beyond 8.5, where 2e-17 of the
// mass is left); the angle from b. The radii go through a, as bits.
func boxMuller(dst []float64, a, b []uint64) {
	for i, w := range a {
		u := math.Float64bits(2-math.Float64frombits(w>>12|expOne)) - sqrtHalfBits
		f := math.Float64frombits(u&fractionMask+sqrtHalfBits) - 1
		s := f / (2 + f)
		z := s * s
		l := (bmL0 + float64(bmL1*z)) + float64(float64(z*z)*(bmL2+float64(bmL3*z)))
		a[i] = math.Float64bits(math.Sqrt(exponentLog[u>>52&63] - float64(s*(4+float64(z*l)))))
	}
	b = b[:len(a)]
	for i, w := range a {
		r, v := math.Float64frombits(w), b[i]
		t := math.Float64frombits(v>>12|expOne) - 1.5
		y := t * t
		d := dst[2*i : 2*i+2 : 2*i+2]
		cos, sin := math.Float64bits(cosHalfPi(y))^v<<63, math.Float64bits(t*sinHalfPi(y))
		swap := (cos ^ sin) & -(v >> 1 & 1)
		d[0] = r * math.Float64frombits(cos^swap)
		d[1] = r * math.Float64frombits(sin^swap)
	}
}

// sinHalfPi returns sin(πt/2)/t for y = t² <= ¼.
func sinHalfPi(y float64) float64 {
	y2 := y * y
	return (bmS0 + float64(bmS1*y)) + float64(y2*((bmS2+float64(bmS3*y))+float64(y2*bmS4)))
}

// cosHalfPi returns cos(πt/2) for y = t² <= ¼.
func cosHalfPi(y float64) float64 {
	y2 := y * y
	return (bmC0 + float64(bmC1*y)) + float64(y2*((bmC2+float64(bmC3*y))+float64(y2*bmC4)))
}

// direction returns cosine and sine of a uniform angle, neither ever 0: the
// upper 52 bits of v give an angle in (-π/4, π/4), the lowest two turn it
// into the other three quarters of the circle.
func direction(v uint64) (float64, float64) {
	t := unit(v) - 0.5
	y := t * t
	cos, sin := math.Float64bits(cosHalfPi(y))^v<<63, math.Float64bits(t*sinHalfPi(y))
	swap := (cos ^ sin) & -(v >> 1 & 1)
	return math.Float64frombits(cos ^ swap), math.Float64frombits(sin ^ swap)
}
