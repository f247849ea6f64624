package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// The elementwise kernels write f(src[i]) into dst[i] for every element of
// src, with the bits of the functions in package special. dst is src or does
// not overlap it.

// Exp is eˣ.
func Exp(dst, src []float64) { special.ExpSlice(dst, src) }

// Expm1 is eˣ - 1.
func Expm1(dst, src []float64) { special.Expm1Slice(dst, src) }

// Log is the natural logarithm.
func Log(dst, src []float64) { special.LogSlice(dst, src) }

// Log1p is log(1 + x).
func Log1p(dst, src []float64) { special.Log1pSlice(dst, src) }

// Tanh is the hyperbolic tangent.
func Tanh(dst, src []float64) { special.TanhSlice(dst, src) }

// Sigmoid is 1/(1 + e⁻ˣ).
func Sigmoid(dst, src []float64) { special.SigmoidSlice(dst, src) }

// LogSigmoid is -log(1 + e⁻ˣ).
func LogSigmoid(dst, src []float64) { special.LogSigmoidSlice(dst, src) }

// Softplus is log(1 + eˣ).
func Softplus(dst, src []float64) { special.SoftplusSlice(dst, src) }

// LogNormalCDF is the logarithm of the standard normal distribution function.
func LogNormalCDF(dst, src []float64) { special.LogNormalCDFSlice(dst, src) }

// Sqrt is the square root.
func Sqrt(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = math.Sqrt(x)
	}
}

// The elementwise kernels in single precision write float32(f(float64(x))), except for Exp32, which
// has its own function, special.Exp32.

// Exp32 is Exp in single precision.
func Exp32(dst, src []float32) { special.ExpSlice32(dst, src) }

// Expm132 is Expm1 in single precision.
func Expm132(dst, src []float32) { special.Expm1Slice32(dst, src) }

// Log32 is Log in single precision.
func Log32(dst, src []float32) { special.LogSlice32(dst, src) }

// Log1p32 is Log1p in single precision.
func Log1p32(dst, src []float32) { special.Log1pSlice32(dst, src) }

// Tanh32 is Tanh in single precision.
func Tanh32(dst, src []float32) { special.TanhSlice32(dst, src) }

// Sigmoid32 is Sigmoid in single precision.
func Sigmoid32(dst, src []float32) { special.SigmoidSlice32(dst, src) }

// LogSigmoid32 is LogSigmoid in single precision.
func LogSigmoid32(dst, src []float32) { special.LogSigmoidSlice32(dst, src) }

// Softplus32 is Softplus in single precision.
func Softplus32(dst, src []float32) { special.SoftplusSlice32(dst, src) }

// LogNormalCDF32 is LogNormalCDF in single precision.
func LogNormalCDF32(dst, src []float32) { special.LogNormalCDFSlice32(dst, src) }

// Sqrt32 is Sqrt in single precision.
func Sqrt32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = float32(math.Sqrt(float64(x)))
	}
}
