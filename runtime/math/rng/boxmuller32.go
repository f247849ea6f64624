package rng

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// The polynomials of boxMuller32 are interpolations in Chebyshev nodes as those
// of boxMuller, and shorter.
const (
	// Relative error of the logarithm below 3e-9.
	sL0 = 0x1.55555cp+0
	sL1 = 0x1.997c3p-1
	sL2 = 0x1.2ee61p-1

	// Absolute errors below 5e-9 and 3e-8.
	sS0 = 0x1.921fb6p+0
	sS1 = -0x1.4abbbap-1
	sS2 = 0x1.465ec4p-4
	sS3 = -0x1.2d9b4p-8

	sC0 = 1
	sC1 = -0x1.3bd392p+0
	sC2 = 0x1.03af58p-2
	sC3 = -0x1.4e5e06p-6

	sqrtHalfBits32 = 0x3f3504f3
	fractionMask32 = 1<<23 - 1
)

// boxMuller32 returns a pair of normals in single precision: the radius
// √(-2 log u) from a, u an odd multiple of 2⁻³¹ in (0, 1), rounded to 24 bits
// (so no normal is beyond 6.6, where 5e-11 of the mass is left); the angle
// from b: as a number one in (-π/4, π/4), its lowest two bits the quarter.
// Products are fused with sums, as vectors do it.
func boxMuller32(a, b uint32) (float32, float32) {
	fma := special.FMA32
	u := math.Float32bits(float32(int32(a>>1|1))) - sqrtHalfBits32
	k := float32(31 - int32(u)>>23)
	f := math.Float32frombits(u&fractionMask32+sqrtHalfBits32) - 1
	s := f / (-2 - f)
	z := float32(s * s)
	l := fma(z, fma(z, sL2, sL1), sL0)
	r := float32(math.Sqrt(float64(fma(k, twoLn2, float32(s*fma(z, l, 4))))))

	t := float32(float32(int32(b)) * 0x1p-32)
	y := float32(t * t)
	c := fma(y, fma(y, fma(y, sC3, sC2), sC1), sC0)
	d := float32(t * fma(y, fma(y, fma(y, sS3, sS2), sS1), sS0))
	cos, sin := math.Float32bits(c)^b<<31, math.Float32bits(d)
	swap := (cos ^ sin) & -(b >> 1 & 1)
	return float32(r * math.Float32frombits(cos^swap)), float32(r * math.Float32frombits(sin^swap))
}
