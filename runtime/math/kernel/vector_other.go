//go:build !amd64 || purego

package kernel

// There are no vectors here: the level is Portable, and nobody calls these.

func vectorSum(x []float64) float64 { return portableSum(x) }

func vectorDot(x, y []float64) float64 { return portableDot(x, y) }

func vectorSum32(x []float32) float64 { return portableSum32(x) }

func vectorDot32(x, y []float32) float64 { return portableDot32(x, y) }

func vectorRow32(x, y []float32) float32 { return portableRow32(x, y) }

func vectorDots64(a, x []float64) (s [4]float64) { return s }

func vectorDots32(a, x []float32) (s [4]float32) { return s }

func vectorAxpys64(dst, a, x []float64, n int) {}

func vectorAxpys32(dst, a, x []float32, n int) {}

func vectorAxpy64(dst, x []float64, a float64) {}

func vectorAxpy32(dst, x []float32, a float32) {}

func vectorScale64(dst, x []float64, a float64) {}

func vectorScale32(dst, x []float32, a float32) {}

func vectorAddTo64(dst, x []float64) {}

func vectorAddTo32(dst, x []float32) {}

func vectorMax64(x []float64) (float64, bool) { return 0, true }

func vectorMax32(x []float32) (float32, bool) { return 0, true }

func vectorMin64(x []float64) (float64, bool) { return 0, true }

func vectorMin32(x []float32) (float32, bool) { return 0, true }
