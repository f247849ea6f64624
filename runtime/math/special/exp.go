package special

import "math"

const (
	// Adding roundMagic = 1.5·2⁵² rounds to the nearest integer and leaves that
	// integer in the low bits of the sum.
	roundMagic = 0x1.8p52

	log2e64 = 0x1.71547652b82fep+6 // 64/ln 2
	// ln(2)/64 in two parts: the first has 29 bits, so that its product with k
	// is exact (Cody & Waite, 1980).
	ln2Hi64 = 0x1.62e42fe8p-7
	ln2Lo64 = 0x1.e8e7bcd5e4f1ep-37

	// Inside ±expFast the result is a normal number and 2ᵏ can be inserted.
	expFast = 708

	expOne = 0x3ff0000000000000 // bits of 1.0
)

// (eʳ - 1 - r)/r² on |r| <= ln(2)/128; absolute error below 1.6e-13, which r²
// brings to 5e-18.
const (
	expD0 = 0x1.ffffffffff574p-2
	expD1 = 0x1.5555555555252p-3
	expD2 = 0x1.55556b3e385f1p-5
	expD3 = 0x1.11111d9625013p-7
)

// expTail64 returns eʳ - 1 for |r| <= ln(2)/128.
func expTail64(r float64) float64 {
	r2 := r * r
	return r + float64(r2*((expD0+float64(expD1*r))+float64(r2*(expD2+float64(expD3*r)))))
}

// ExpTable is the table that Exp uses, to be read only: the bits of 2^(j/64).
// Vector kernels of other packages have exponentials in them.
func ExpTable() *[64]uint64 { return &exp2Table }

// exp2Table holds the bits of 2^(j/64), rounded to nearest.
var exp2Table = [64]uint64{
	0x3ff0000000000000, 0x3ff02c9a3e778061, 0x3ff059b0d3158574, 0x3ff0874518759bc8,
	0x3ff0b5586cf9890f, 0x3ff0e3ec32d3d1a2, 0x3ff11301d0125b51, 0x3ff1429aaea92de0,
	0x3ff172b83c7d517b, 0x3ff1a35beb6fcb75, 0x3ff1d4873168b9aa, 0x3ff2063b88628cd6,
	0x3ff2387a6e756238, 0x3ff26b4565e27cdd, 0x3ff29e9df51fdee1, 0x3ff2d285a6e4030b,
	0x3ff306fe0a31b715, 0x3ff33c08b26416ff, 0x3ff371a7373aa9cb, 0x3ff3a7db34e59ff7,
	0x3ff3dea64c123422, 0x3ff4160a21f72e2a, 0x3ff44e086061892d, 0x3ff486a2b5c13cd0,
	0x3ff4bfdad5362a27, 0x3ff4f9b2769d2ca7, 0x3ff5342b569d4f82, 0x3ff56f4736b527da,
	0x3ff5ab07dd485429, 0x3ff5e76f15ad2148, 0x3ff6247eb03a5585, 0x3ff6623882552225,
	0x3ff6a09e667f3bcd, 0x3ff6dfb23c651a2f, 0x3ff71f75e8ec5f74, 0x3ff75feb564267c9,
	0x3ff7a11473eb0187, 0x3ff7e2f336cf4e62, 0x3ff82589994cce13, 0x3ff868d99b4492ed,
	0x3ff8ace5422aa0db, 0x3ff8f1ae99157736, 0x3ff93737b0cdc5e5, 0x3ff97d829fde4e50,
	0x3ff9c49182a3f090, 0x3ffa0c667b5de565, 0x3ffa5503b23e255d, 0x3ffa9e6b5579fdbf,
	0x3ffae89f995ad3ad, 0x3ffb33a2b84f15fb, 0x3ffb7f76f2fb5e47, 0x3ffbcc1e904bc1d2,
	0x3ffc199bdd85529c, 0x3ffc67f12e57d14b, 0x3ffcb720dcef9069, 0x3ffd072d4a07897c,
	0x3ffd5818dcfba487, 0x3ffda9e603db3285, 0x3ffdfc97337b9b5f, 0x3ffe502ee78b3ff6,
	0x3ffea4afa2a490da, 0x3ffefa1bee615a27, 0x3fff50765b6e4540, 0x3fffa7c1819e90d8,
}

// Exp returns eˣ, with an error below 1.1 ulp: with k = round(64·x/ln 2) and
// r = x - k·ln(2)/64, it is 2^(k/64)·eʳ, the first from a table and the bits
// of k, the second a short polynomial (Tang, 1989).
func Exp(x float64) float64 {
	if math.Abs(x) < expFast {
		t := float64(x*log2e64) + roundMagic
		k := t - roundMagic
		r := (x - float64(k*ln2Hi64)) - float64(k*ln2Lo64)
		b := math.Float64bits(t)
		s := math.Float64frombits(exp2Table[b&63] + b<<46&^fractionMask)
		return s + float64(s*expTail64(r))
	}
	return expEdge(x)
}

// expEdge is Exp where the result may leave the normal range.
func expEdge(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	return expSum(x, 0)
}

// expSum returns exp(x + e) for -746 <= x <= 710 and a tiny e.
func expSum(x, e float64) float64 {
	t := float64(x*log2e64) + roundMagic
	k := t - roundMagic
	r := ((x - float64(k*ln2Hi64)) - float64(k*ln2Lo64)) + e
	s := math.Float64frombits(exp2Table[math.Float64bits(t)&63])
	k = math.Floor(k / 64)
	half := math.Floor(k / 2)
	return (s + float64(s*expTail64(r))) * pow2(half) * pow2(k-half)
}

// pow2 returns 2ᵏ for an integer -1022 <= k <= 1023.
func pow2(k float64) float64 {
	return math.Float64frombits(math.Float64bits(k+roundMagic)<<52 + expOne)
}

// Expm1 returns eˣ - 1, accurate near 0; the error is below 2 ulp.
func Expm1(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-54:
		return x // and keeps the sign of zero
	case x > expFast:
		return expEdge(x)
	case x < -40:
		return -1
	}
	return expm1(x)
}

// expm1 is Expm1 for -40 <= x <= 708, and NaN: with s = 2^(k/64) and r as in
// Exp it is (s - 1) + s·(eʳ - 1), where s carries what its table entry lost in
// rounding, as s - 1 may be small.
func expm1(x float64) float64 {
	t := float64(x*log2e64) + roundMagic
	k := t - roundMagic
	r := (x - float64(k*ln2Hi64)) - float64(k*ln2Lo64)
	b := math.Float64bits(t)
	s := math.Float64frombits(exp2Table[b&63] + b<<46&^fractionMask)
	r2 := r * r
	// Taylor: near 0 the result is as small as r, and the shorter fit of Exp
	// not good enough.
	q := (1.0/2 + float64(1.0/6*r)) + float64(r2*((1.0/24+float64(1.0/120*r))+float64(1.0/720*r2)))
	p := r + (float64(r2*q) + exp2Rest[b&63])
	return (s - 1) + float64(s*p)
}

// exp2Rest holds 2^(j/64) over its entry in exp2Table, minus 1.
var exp2Rest = [64]float64{
	0, -0x1.160139cd8dc5dp-56, 0x1.cd2523567f613p-55, 0x1.0f74e61e6c861p-57,
	0x1.79aa65d837b6dp-54, 0x1.ebe3d702f9cd1p-60, -0x1.556522a2fbd0ep-54, -0x1.1c923b9d5f416p-54,
	-0x1.01b15eaa59348p-55, 0x1.b898c3f1353bfp-55, 0x1.aecf73e3a2f60p-54, 0x1.a6f4144a6c38dp-55,
	0x1.68efde3a8a894p-54, 0x1.0472b981fe7f2p-55, 0x1.2f7e16d09ab31p-55, 0x1.b3782720c0ab4p-55,
	0x1.34d754db0abb6p-55, 0x1.fdd395dd3f84ap-55, -0x1.24aedcc4b5068p-54, -0x1.1d1e83e9436d2p-56,
	0x1.59f48a72a4c6dp-55, -0x1.8a78f4817895bp-58, 0x1.363ed60c2ac11p-59, 0x1.ecce1daa10379p-57,
	0x1.690cebb7aafb0p-56, -0x1.f94340071a38ep-55, -0x1.8dec6bd0f385fp-56, 0x1.3350518fdd78ep-54,
	0x1.063e1e21c5409p-54, 0x1.432e62b64c035p-54, -0x1.c33c53bef4da8p-55, -0x1.3cedd78565858p-54,
	-0x1.3b3efbf5e2228p-54, -0x1.367efb86da9eep-57, -0x1.81f647e5a3ecfp-56, -0x1.619321e55e68ap-55,
	-0x1.b32dcb94da51dp-56, 0x1.5ebe1abd66c55p-57, -0x1.369b6f13b3734p-54, -0x1.4d450d872576ep-54,
	0x1.db72fc1f0eab4p-55, 0x1.bf68359f35f44p-56, -0x1.da9b88b6c1e29p-58, -0x1.2434322f4f9aap-54,
	0x1.1affc2b91ce27p-56, -0x1.7c50422622263p-55, -0x1.1bbd1d3bcbb15p-54, 0x1.469846e735ab3p-55,
	0x1.c1a7792cb3387p-55, -0x1.5c3d956dcaebap-58, -0x1.8d6f438ad9334p-57, 0x1.4ffd70a5fddcdp-56,
	0x1.36eae30af0cb3p-56, 0x1.4e08fd10959acp-55, 0x1.76b2c6c921968p-57, -0x1.fad5d3ffffa6fp-55,
	0x1.4a385a63d07a7p-56, 0x1.e5a50d5c192acp-55, -0x1.2d52107b43e1fp-55, 0x1.4b604603a88d3p-56,
	-0x1.ff7128fd391f0p-55, 0x1.ec3bc41aa2008p-55, 0x1.a64a931d185eep-55, 0x1.7893b4d91cd9dp-56,
}
