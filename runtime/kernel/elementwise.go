package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/special"
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

// Sqrt is the square root.
func Sqrt(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = math.Sqrt(x)
	}
}
