//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// The passes of flows on spheres, for numbers that are a positive multiple of four.

func vectorSquares(x, v []float64, lanes *[8]float64) {
	vec.Squares64avx2(&x[0], &v[0], lanes, len(x))
}

func vectorSphereKick(x, v, g, z []float64, factors *[2]float64, lanes *[8]float64) {
	vec.SphereKick64avx2(&x[0], &v[0], &g[0], &z[0], factors, lanes, len(x))
}

func vectorSphereTangent(x, v []float64, factors *[2]float64, lanes *[8]float64) {
	vec.SphereTangent64avx2(&x[0], &v[0], factors, lanes, len(x))
}

func vectorSphereTurn(x, v []float64, factors *[5]float64) {
	vec.SphereTurn64avx2(&x[0], &v[0], factors, len(x))
}
