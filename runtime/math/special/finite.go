package special

// Finite reports whether x is neither infinite nor NaN.
func Finite(x float64) bool { return float64(x)-float64(x) == 0 }

// FirstNonFinite returns the index of the first number of x that is not finite; −1 if all are.
func FirstNonFinite(x []float64) int {
	for i, a := range x {
		if !Finite(a) {
			return i
		}
	}
	return -1
}
