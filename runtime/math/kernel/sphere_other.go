//go:build !(amd64 || arm64) || purego

package kernel

// There is no assembly for flows on spheres here, and nobody calls these.

func vectorSquares(x, v []float64, lanes *[8]float64) {}

func vectorSphereKick(x, v, g, z []float64, factors *[2]float64, lanes *[8]float64) {}

func vectorSphereTangent(x, v []float64, factors *[2]float64, lanes *[8]float64) {}

func vectorSphereTurn(x, v []float64, factors *[5]float64) {}
