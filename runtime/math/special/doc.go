// Package special holds the scalar special functions of the runtime in
// portable Go, and slice forms of those that inner loops call.
//
// Every machine computes the same bits. Package math does not promise that:
// its exp, log and hypot have assembly on some architectures, and its Go code
// holds x*y + z, which the compiler fuses on some. So each product that is
// added to something is written float64(x*y) + z here, which the language
// forbids to fuse, and of math only exact or correctly rounded functions are
// used (Sqrt, Abs, Floor, Trunc, Copysign, the bit conversions).
//
// Polynomials without another source are interpolations in Chebyshev nodes, computed with sixty
// digits; the comment of each names the function and the interval, and the tests measure the
// remaining error. Signed zeros, infinities and NaN behave as in package math unless a comment says
// otherwise.
package special
