package special

// SinCos returns the sine and the cosine of x in radians: the bits of Sin and
// Cos for one reduction of the argument.
func SinCos(x float64) (sin, cos float64) {
	q, r, e := reducePi2(x)
	return quarter(q, r, e), quarter(q+1, r, e)
}
