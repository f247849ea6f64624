//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorSantaDrift64(x, p, xi, g, e, c []float64) {}

func vectorSantaKick64(x, p, f, u, xi, q, g, e, c []float64) {}

func vectorSantaEuler64(x, p, f, u, xi, q, c []float64) {}

func vectorAdam64(x, p, f, q, c []float64) {}

func vectorRMSprop64(x, f, q, c []float64) {}

func vectorMomentum64(x, p, f, c []float64) {}
