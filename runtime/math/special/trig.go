package special

import (
	"math"
	"math/bits"
)

// (sin(r)/r - 1)/r² and (cos(r) - 1 + r²/2)/r⁴ as polynomials in r² on
// |r| <= π/4; absolute errors below 4e-17 and 3e-18.
var (
	sinC = [...]float64{
		-0x1.5555555555555p-3, 0x1.1111111110bb2p-7, -0x1.a01a019e83816p-13,
		0x1.71de379654304p-19, -0x1.ae600aca92c64p-26, 0x1.5e0b05bff20f2p-33,
	}
	cosC = [...]float64{
		0x1.5555555555555p-5, -0x1.6c16c16c16967p-10, 0x1.a01a019f4e9b4p-16,
		-0x1.27e4fa17bf139p-22, 0x1.1eeb68cd22f56p-29, -0x1.907d8f29fe831p-37,
	}
)

// Sin returns the sine of x in radians, with an error below 1 ulp at any size.
func Sin(x float64) float64 {
	q, r, e := reducePi2(x)
	return quarter(q, r, e)
}

// Cos returns the cosine of x in radians, with an error below 1 ulp at any size.
func Cos(x float64) float64 {
	q, r, e := reducePi2(x)
	return quarter(q+1, r, e)
}

// Tan returns the tangent of x in radians.
func Tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	q, r, e := reducePi2(x)
	return quarter(q, r, e) / quarter(q+1, r, e)
}

// quarter returns sin(q·π/2 + r + e) for |r| <= π/4 and a tiny e.
func quarter(q int, r, e float64) float64 {
	z := r * r
	var v float64
	if q&1 == 0 {
		v = r + (float64(float64(r*z)*horner(sinC[:], z)) + float64(e*(1-float64(0.5*z))))
		if z == 0 {
			v = r // keeps the sign of zero
		}
	} else {
		h := float64(0.5 * z)
		w := 1 - h
		v = w + (((1 - w) - h) + (float64(float64(z*z)*horner(cosC[:], z)) - float64(r*e)))
	}
	if q&2 != 0 {
		return -v
	}
	return v
}

// π/2 in four parts; the first three have 33 bits or fewer, so that their
// products with integers below 2²⁰ are exact.
const (
	piHalf1 = 0x1.921fb544p+0
	piHalf2 = 0x1.0b4611a6p-34
	piHalf3 = 0x1.3198a2ep-69
	piHalf4 = 0x1.b839a252049c1p-104
)

// reducePi2 returns q mod 4 and r + e with x = q·π/2 + r + e, |r| <= π/4 up to
// rounding. For NaN and ±Inf r is NaN.
func reducePi2(x float64) (q int, r, e float64) {
	const twoOverPi = 0x1.45f306dc9c883p-1
	a := math.Abs(x)
	switch {
	case a < 0x1.921fb54442d18p-1:
		return 0, x, 0
	case a < 1e6:
		t := float64(x*twoOverPi) + roundMagic
		k := t - roundMagic
		h, l := twoSum(x-float64(k*piHalf1), -float64(k*piHalf2))
		h, m := twoSum(h, -float64(k*piHalf3))
		l += m - float64(k*piHalf4)
		r, e = quickSum(h, l)
		return int(math.Float64bits(t) & 3), r, e
	case !(a <= math.MaxFloat64):
		return 0, math.NaN(), 0
	}
	q, r, e = reduceLarge(a)
	if x < 0 {
		return -q & 3, -r, -e
	}
	return q, r, e
}

// reduceLarge is reducePi2 for large positive numbers (Payne & Hanek, 1983).
// With x = m·2ⁿ, bits of 2/π of weight 2ⁿ⁻ʲ·m >= 4 add nothing to the angle;
// of those that follow, 192 are enough: the nearest that a double comes to a
// multiple of π/2 is 2⁻⁶².
func reduceLarge(x float64) (q int, r, e float64) {
	b := math.Float64bits(x)
	n := int(b>>52) - 1075
	m := b&fractionMask | 1<<52
	at := uint(n + 62)
	w, s := at/64, at%64
	word := func(i uint) uint64 {
		return twoOverPiBits[w+i]<<s | twoOverPiBits[w+i+1]>>(64-s)
	}
	// The low 192 bits of m times the 192 from bit at on: two of q, 190 of a
	// fraction.
	h2, p2 := bits.Mul64(m, word(2))
	h1, p1 := bits.Mul64(m, word(1))
	p0 := m * word(0)
	p1, c := bits.Add64(p1, h2, 0)
	p0, _ = bits.Add64(p0, h1, c)
	q = int(p0 >> 62)
	f0, f1, f2 := p0<<2|p1>>62, p1<<2|p2>>62, p2<<2
	sign := 1.0
	if f0>>63 != 0 { // from ½ on, count from the next quarter
		q++
		sign = -1
		f2, c = bits.Sub64(0, f2, 0)
		f1, c = bits.Sub64(0, f1, c)
		f0, _ = bits.Sub64(0, f0, c)
	}
	z := uint(bits.LeadingZeros64(f0))
	if z == 64 {
		f0, f1, f2 = f1, f2, 0
	}
	y := uint(bits.LeadingZeros64(f0))
	f0, f1 = f0<<y|f1>>(64-y), f1<<y|f2>>(64-y)
	if z == 64 {
		y += 64
	}
	// f = (f0 + f1·2⁻⁶⁴)·2⁻⁶⁴⁻ʸ; 53 bits to the head, 64 to the tail.
	head := float64(float64(f0>>11) * 0x1p-53)
	tail := float64(float64(f0<<53|f1>>11) * 0x1p-117)
	head, tail = quickSum(head, tail)
	r, e = mul2(head, tail, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54)
	scale := sign * pow2(-float64(y))
	return q & 3, r * scale, e * scale
}

// twoOverPiBits are the binary digits of 2/π after the point, with a word of zeros before them.
var twoOverPiBits = [...]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// sinPi returns sin(πx).
func sinPi(x float64) float64 {
	q, r, e := reduceHalf(x)
	return quarter(q, r, e)
}

// tanPi returns tan(πx).
func tanPi(x float64) float64 {
	q, r, e := reduceHalf(x)
	return quarter(q, r, e) / quarter(q+1, r, e)
}

// reduceHalf is reducePi2 for πx.
func reduceHalf(x float64) (q int, r, e float64) {
	k := math.Floor(2*x + 0.5)
	f := x - float64(0.5*k)
	k -= float64(4 * math.Floor(k/4))
	r, e = mul2(f, 0, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53)
	return int(k), r, e
}

// (atan(y)/y - 1)/y² as a polynomial in y² on |y| <= √2-1; absolute error
// below 2e-17.
var atanC = [...]float64{
	-0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7dcp-3, 0x1.c71c71c303dbbp-4,
	-0x1.745d165dc9713p-4, 0x1.3b1392d519db1p-4, -0x1.110e87b4357d2p-4, 0x1.e19a0bfa3eef9p-5,
	-0x1.ac7a5a79b3f26p-5, 0x1.74dccfb93fffp-5, -0x1.1b311bb48c215p-5, 0x1.0acd9e91a5a35p-6,
}

// Atan returns the arc tangent of x.
func Atan(x float64) float64 {
	const (
		tanPi8  = 0x1.a827999fcef32p-2
		tan3Pi8 = 0x1.3504f333f9de6p+1
		lo      = 0x1.1a62633145c07p-54 // of π/2
	)
	a := math.Abs(x)
	var v float64
	switch {
	case a < 0x1p-28:
		return x // and keeps the sign of zero
	case a <= tanPi8:
		return atanNear(x)
	case a <= tan3Pi8:
		v = math.Pi/4 + (atanNear((a-1)/(a+1)) + 0.5*lo)
	default:
		v = math.Pi/2 + (atanNear(-1/a) + lo)
	}
	return math.Copysign(v, x)
}

func atanNear(y float64) float64 {
	z := y * y
	return y + float64(float64(y*z)*horner(atanC[:], z))
}

// Atan2 returns the angle of the point (x, y).
func Atan2(y, x float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0:
		if x > 0 || x == 0 && !math.Signbit(x) {
			return y
		}
		return math.Copysign(math.Pi, y)
	case x == 0 || math.Abs(y/x) > 0x1p60 && !math.IsInf(x, 0):
		return math.Copysign(math.Pi/2, y)
	case math.IsInf(x, 0) && math.IsInf(y, 0):
		if x > 0 {
			return math.Copysign(math.Pi/4, y)
		}
		return math.Copysign(3*math.Pi/4, y)
	}
	v := Atan(math.Abs(y / x))
	if x < 0 {
		v = math.Pi - (v - 0x1.1a62633145c07p-53)
	}
	return math.Copysign(v, y)
}

// Asin returns the arc sine of x; NaN outside [-1, 1].
func Asin(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	return Atan2(x, math.Sqrt((1-x)*(1+x)))
}

// Acos returns the arc cosine of x; NaN outside [-1, 1].
func Acos(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	return 2 * Atan2(math.Sqrt(1-x), math.Sqrt(1+x))
}
