package special

import "github.com/sgppl/sgppl/runtime/math/cpu"

// The slice forms give the bits of the scalar functions, those in single
// precision the bits of the scalar functions rounded: TanhSlice32
// writes float32(Tanh(float64(x))); the exponential has its own Exp32. dst and src have one length
// and are the same slice or do not overlap.

// level is the set of instructions that the slice forms use; tests change it.
var level = cpu.Best

// Numbers of functions in the tables of internal/kernelgen.
const (
	sliceExp = iota
	sliceExpm1
	sliceLog
	sliceLog1p
	sliceTanh
	sliceSigmoid
	sliceSoftplus
	sliceLogSigmoid
	sliceLogNormalCDF
)

// ExpSlice writes Exp(src[i]) into dst[i].
func ExpSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableExp(dst, src)
		return
	}
	vectors64(sliceExp, dst, src, Exp)
}

// Expm1Slice writes Expm1(src[i]) into dst[i].
func Expm1Slice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableExpm1(dst, src)
		return
	}
	vectors64(sliceExpm1, dst, src, Expm1)
}

// LogSlice writes Log(src[i]) into dst[i].
func LogSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableLog(dst, src)
		return
	}
	vectors64(sliceLog, dst, src, Log)
}

// Log1pSlice writes Log1p(src[i]) into dst[i].
func Log1pSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableLog1p(dst, src)
		return
	}
	vectors64(sliceLog1p, dst, src, Log1p)
}

// TanhSlice writes Tanh(src[i]) into dst[i].
func TanhSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableTanh(dst, src)
		return
	}
	vectors64(sliceTanh, dst, src, Tanh)
}

// SigmoidSlice writes Sigmoid(src[i]) into dst[i].
func SigmoidSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableSigmoid(dst, src)
		return
	}
	vectors64(sliceSigmoid, dst, src, Sigmoid)
}

// SoftplusSlice writes Softplus(src[i]) into dst[i].
func SoftplusSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableSoftplus(dst, src)
		return
	}
	vectors64(sliceSoftplus, dst, src, Softplus)
}

// LogSigmoidSlice writes LogSigmoid(src[i]) into dst[i].
func LogSigmoidSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableLogSigmoid(dst, src)
		return
	}
	vectors64(sliceLogSigmoid, dst, src, LogSigmoid)
}

// LogNormalCDFSlice writes LogNormalCDF(src[i]) into dst[i].
func LogNormalCDFSlice(dst, src []float64) {
	if dst = dst[:len(src)]; level == cpu.Portable {
		portableLogNormalCDF(dst, src)
		return
	}
	vectors64(sliceLogNormalCDF, dst, src, LogNormalCDF)
}

// Expm1Slice32 writes Expm1(src[i]), rounded, into dst[i].
func Expm1Slice32(dst, src []float32) { vectors32(sliceExpm1, dst, src, Expm1) }

// LogSlice32 writes Log(src[i]), rounded, into dst[i].
func LogSlice32(dst, src []float32) { vectors32(sliceLog, dst, src, Log) }

// Log1pSlice32 writes Log1p(src[i]), rounded, into dst[i].
func Log1pSlice32(dst, src []float32) { vectors32(sliceLog1p, dst, src, Log1p) }

// TanhSlice32 writes Tanh(src[i]), rounded, into dst[i].
func TanhSlice32(dst, src []float32) { vectors32(sliceTanh, dst, src, Tanh) }

// SigmoidSlice32 writes Sigmoid(src[i]), rounded, into dst[i].
func SigmoidSlice32(dst, src []float32) { vectors32(sliceSigmoid, dst, src, Sigmoid) }

// SoftplusSlice32 writes Softplus(src[i]), rounded, into dst[i].
func SoftplusSlice32(dst, src []float32) { vectors32(sliceSoftplus, dst, src, Softplus) }

// LogSigmoidSlice32 writes LogSigmoid(src[i]), rounded, into dst[i].
func LogSigmoidSlice32(dst, src []float32) { vectors32(sliceLogSigmoid, dst, src, LogSigmoid) }

// LogNormalCDFSlice32 writes LogNormalCDF(src[i]), rounded, into dst[i].
func LogNormalCDFSlice32(dst, src []float32) {
	vectors32(sliceLogNormalCDF, dst, src, LogNormalCDF)
}
