package special

import "math"

// LogStudentTCDF returns the log of the distribution function at z of a Student
// t of nu degrees of freedom, by the odds nu/z² of a beta(nu/2, ½) (Johnson, Kotz &
// Balakrishnan 1995, 28.4). The upper side is LogStudentTCDF(nu, -z).
func LogStudentTCDF(nu, z float64) float64 {
	outside := studentOutside(nu, z).logP
	if z < 0 {
		return outside - math.Ln2
	}
	return Log1p(-0.5 * Exp(outside))
}

// LogStudentTCDFNu returns the derivative of LogStudentTCDF in nu.
func LogStudentTCDFNu(nu, z float64) float64 {
	t := studentOutside(nu, z)
	d := float64(0.5*t.logPa) + t.p/nu
	if z < 0 {
		return d
	}
	q := float64(0.5 * Exp(t.logP))
	return -float64(d*q) / (1 - q)
}

// studentOutside is the probability beyond ±z, by log odds, as z² may leave the range.
func studentOutside(nu, z float64) tails {
	return betaLogit(0.5*nu, 0.5, Log(nu)-float64(2*Log(math.Abs(z))))
}
