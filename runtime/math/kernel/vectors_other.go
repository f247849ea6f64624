//go:build !(amd64 || arm64) || purego

package kernel

// There are no vectors here: the level is Portable. What reports whether it has done
// its work says no, and nobody calls the others.

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

func vectorNarrow(dst []float32, src []float64) {}

func vectorWiden(dst []float64, src []float32) {}

func vectorCombine64(dst, x, y, c []float64) {}

func vectorCombine32(dst, x, y, c []float32) {}

func vectorCombineWide(dst []float64, x, y, c []float32) {}

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {}

func vectorWatchSquares(x, mean, xx []float64, c *[1]float64) {}

func vectorWindowMax64(dst, x []float64, w Windows) int { return 0 }

func vectorWindowMax32(dst, x []float32, w Windows) int { return 0 }

func vectorWindowMaxAdd64(dst, x, most, cot []float64, w Windows) int { return 0 }

func vectorWindowMaxAdd32(dst, x, most, cot []float32, w Windows) int { return 0 }
