//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

// addRelu64 is AddRelu where there are vectors, and reports whether.
func addRelu64(dst, x, bias []float64, rows int) bool {
	width := len(bias)
	if level == cpu.Portable || width < shortVector {
		return false
	}
	most := max(passChunk/width, 1)
	for i := 0; i < rows; i += most {
		vec.AddRelu64avx2(&dst[i*width], &x[i*width], &bias[0], min(most, rows-i), width)
	}
	return true
}

// positive64 is Positive where there are vectors, and reports whether.
func positive64(dst, a, x []float64) bool {
	if level == cpu.Portable || len(dst) < shortVector {
		return false
	}
	for i := 0; i < len(dst); i += passChunk {
		vec.Positive64avx2(&dst[i], &a[i], &x[i], min(passChunk, len(dst)-i), 1)
	}
	return true
}
