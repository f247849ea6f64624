//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {}

func vectorWatchSquares(x, mean, xx []float64, c *[1]float64) {}
