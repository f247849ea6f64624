package special

import "math"

// (log((1+s)/(1-s))/s - 2)/s² - 2/3, over s², as a polynomial in s² on
// |s| <= (√2-1)/(√2+1); absolute error below 4e-16.
var powC = [...]float64{
	0x1.999999999999fp-2, 0x1.249249248e4d8p-2, 0x1.c71c71d7fbbacp-3, 0x1.745d09e3d8241p-3,
	0x1.3b18bc82cc745p-3, 0x1.1018374c7f117p-3, 0x1.087e4945615c6p-3,
}

// Pow returns xʸ, with the special cases of math.Pow; the error is below 1 ulp
// where the result is normal. The logarithm is formed with some 65 bits, as a
// power multiplies its error by y·log x.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case y == 2:
		return x * x
	case x != x || y != y:
		return math.NaN()
	case y == 0.5 && x >= 0:
		return math.Sqrt(x)
	case y == -1:
		return 1 / x
	}
	odd := math.Abs(y) < 0x1p53 && y == math.Floor(y) && math.Floor(0.5*y) != 0.5*y
	a := math.Abs(x)
	switch {
	case math.IsInf(y, 0):
		switch {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	case x == 0 || math.IsInf(x, 0):
		v := 0.0
		if (x == 0) == (y < 0) {
			v = math.Inf(1)
		}
		if odd {
			return math.Copysign(v, x)
		}
		return v
	case x < 0 && y != math.Floor(y):
		return math.NaN()
	}
	v := powAbs(a, y)
	if odd && x < 0 {
		return -v
	}
	return v
}

// powAbs is Pow for finite x > 0 and finite y.
func powAbs(x, y float64) float64 {
	h, l := logParts(x)
	// Beyond these the result is out of range whatever the rounding.
	p := y * h
	switch {
	case p > 710: // out of range whatever the rounding
		return math.Inf(1)
	case p < -746:
		return 0
	case math.Abs(y) > 0x1p900: // where twoProd would overflow, h is tiny
		return expSum(p, 0)
	}
	p, e := twoProd(y, h)
	return expSum(p, e+float64(y*l))
}

// logParts returns log x as an unevaluated sum, for finite x > 0.
func logParts(x float64) (h, l float64) {
	b := math.Float64bits(x)
	if b < minNormal {
		b = math.Float64bits(x*0x1p54) - 54<<52
	}
	b -= sqrtHalfBits
	k := float64(int64(b) >> 52)
	f := math.Float64frombits(b&fractionMask+sqrtHalfBits) - 1
	// s = f/(2+f); 2+f as a sum, and one step of correction to the quotient.
	dh, dl := twoSum(2, f)
	sh := f / dh
	ph, pl := twoProd(sh, dh)
	sl := (((f - ph) - pl) - float64(sh*dl)) / dh
	// log(1+f) = 2s + s·z·(2/3 + z·P(z)), z = s².
	zh, zl := mul2(sh, sl, sh, sl)
	th, tl := twoSum(0x1.5555555555555p-1, float64(zh*horner(powC[:], zh)))
	th, tl = mul2(th, tl+0x1.5555555555555p-55, zh, zl)
	th, tl = add2(2, 0, th, tl)
	h, l = mul2(sh, sl, th, tl)
	if k != 0 {
		kh, kl := twoProd(k, math.Ln2)
		h, l = add2(kh, kl+float64(k*0x1.abc9e3b39803fp-56), h, l)
	}
	return h, l
}
