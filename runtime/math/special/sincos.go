package special

// SinCos returns the sine and the cosine of x in radians: the bits of Sin and
// Cos for one reduction of the argument, the two polynomials side by side.
func SinCos(x float64) (sin, cos float64) {
	q, r, e := reducePi2(x)
	z := r * r
	s := float64(sinC[5]*z) + sinC[4]
	c := float64(cosC[5]*z) + cosC[4]
	s = float64(s*z) + sinC[3]
	c = float64(c*z) + cosC[3]
	s = float64(s*z) + sinC[2]
	c = float64(c*z) + cosC[2]
	s = float64(s*z) + sinC[1]
	c = float64(c*z) + cosC[1]
	s = float64(s*z) + sinC[0]
	c = float64(c*z) + cosC[0]
	h := float64(0.5 * z)
	w := 1 - h
	sin = r + (float64(float64(r*z)*s) + float64(e*w))
	if z == 0 {
		sin = r // keeps the sign of zero
	}
	cos = w + (((1 - w) - h) + (float64(float64(z*z)*c) - float64(r*e)))
	switch q & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
