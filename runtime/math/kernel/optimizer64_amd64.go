//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

// The assembly of the passes of optimisers, given slices of one length that are
// not empty.

func vectorSantaDrift64(x, p, xi, g, e, c []float64) {
	if level == cpu.AVX512 {
		vec.SantaDrift64avx512(&x[0], &p[0], &xi[0], &g[0], &e[0], &c[0], len(x))
	} else {
		vec.SantaDrift64avx2(&x[0], &p[0], &xi[0], &g[0], &e[0], &c[0], len(x))
	}
}

func vectorSantaKick64(x, p, f, u, xi, q, g, e, c []float64) {
	if level == cpu.AVX512 {
		vec.SantaKick64avx512(&x[0], &p[0], &f[0], &u[0], &xi[0], &q[0], &g[0], &e[0], &c[0], len(x))
	} else {
		vec.SantaKick64avx2(&x[0], &p[0], &f[0], &u[0], &xi[0], &q[0], &g[0], &e[0], &c[0], len(x))
	}
}

func vectorSantaEuler64(x, p, f, u, xi, q, c []float64) {
	if level == cpu.AVX512 {
		vec.SantaEuler64avx512(&x[0], &p[0], &f[0], &u[0], &xi[0], &q[0], &c[0], len(x))
	} else {
		vec.SantaEuler64avx2(&x[0], &p[0], &f[0], &u[0], &xi[0], &q[0], &c[0], len(x))
	}
}

func vectorAdam64(x, p, f, q, c []float64) {
	if level == cpu.AVX512 {
		vec.Adam64avx512(&x[0], &p[0], &f[0], &q[0], &c[0], len(x))
	} else {
		vec.Adam64avx2(&x[0], &p[0], &f[0], &q[0], &c[0], len(x))
	}
}

func vectorRMSprop64(x, f, q, c []float64) {
	if level == cpu.AVX512 {
		vec.Rmsprop64avx512(&x[0], &f[0], &q[0], &c[0], len(x))
	} else {
		vec.Rmsprop64avx2(&x[0], &f[0], &q[0], &c[0], len(x))
	}
}

func vectorMomentum64(x, p, f, c []float64) {
	if level == cpu.AVX512 {
		vec.Momentum64avx512(&x[0], &p[0], &f[0], &c[0], len(x))
	} else {
		vec.Momentum64avx2(&x[0], &p[0], &f[0], &c[0], len(x))
	}
}
