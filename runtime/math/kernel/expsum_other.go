//go:build !amd64 || purego

package kernel

// There is no assembly for sums of exponentials here, and nobody calls this.

func vectorExpLanes(lane *[8]float64, x []float64, m float64) int { return 0 }

func vectorExpLines(sums, maxima, x []float64, n int) int { return 0 }
