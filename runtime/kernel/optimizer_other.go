//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorSantaDrift(x, p, xi, g, e, c []float64) {}

func vectorSantaKick(x, p, f, u, xi, q, g, e, c []float64) {}

func vectorSantaEuler(x, p, f, u, xi, q, c []float64) {}

func vectorAdam(x, p, f, q, c []float64) {}

func vectorRMSprop(x, f, q, c []float64) {}

func vectorMomentum(x, p, f, c []float64) {}
