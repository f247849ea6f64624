package special

// horner returns c[0] + c[1]·x + c[2]·x² + ….
func horner(c []float64, x float64) float64 {
	s := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		s = float64(s*x) + c[i]
	}
	return s
}

// twoSum returns a+b rounded, and what rounding lost (Knuth, TAOCP 4.2.2).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	v := s - a
	return s, (a - (s - v)) + (b - v)
}

// twoProd returns a·b rounded, and what rounding lost (Dekker, 1971). The
// factors are below 2⁹⁹⁰ and the product is far from the subnormal range.
func twoProd(a, b float64) (p, e float64) {
	const split = 1<<27 + 1
	p = float64(a * b)
	t := float64(split * a)
	ah := t - (t - a)
	al := a - ah
	t = float64(split * b)
	bh := t - (t - b)
	bl := b - bh
	e = float64(ah*bh) - p
	e += float64(ah * bl)
	e += float64(al * bh)
	return p, e + float64(al*bl)
}

// mul2 multiplies two numbers given as unevaluated sums; the relative error is
// near 2⁻¹⁰⁴.
func mul2(ah, al, bh, bl float64) (h, l float64) {
	h, l = twoProd(ah, bh)
	return quickSum(h, l+(float64(ah*bl)+float64(al*bh)))
}

// add2 adds two numbers given as unevaluated sums.
func add2(ah, al, bh, bl float64) (h, l float64) {
	h, l = twoSum(ah, bh)
	return quickSum(h, l+(al+bl))
}

// quickSum is twoSum where |a| >= |b|.
func quickSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}
