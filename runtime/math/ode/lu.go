package ode

import "math"

// factor overwrites a [n, n] with its triangular factors, rows exchanged where
// that makes pivots large (Golub & Van Loan 2013, algorithm 3.4.1). It reports
// false for a singular matrix.
func factor(a []float64, n int, pivots []int) bool {
	for k := range n {
		top := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[top*n+k]) {
				top = i
			}
		}
		pivots[k] = top
		if p := a[top*n+k]; p == 0 || math.IsNaN(p) || math.IsInf(p, 0) {
			return false
		}
		if top != k {
			for j := range n {
				a[k*n+j], a[top*n+j] = a[top*n+j], a[k*n+j]
			}
		}
		for i := k + 1; i < n; i++ {
			m := a[i*n+k] / a[k*n+k]
			a[i*n+k] = m
			if m == 0 {
				continue
			}
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= float64(m * a[k*n+j])
			}
		}
	}
	return true
}

// solve overwrites x [n, w] with the solution of a x = b, given the factors of a.
func solve(a []float64, n int, pivots []int, x []float64, w int) {
	for k := range n {
		if p := pivots[k]; p != k {
			for c := range w {
				x[k*w+c], x[p*w+c] = x[p*w+c], x[k*w+c]
			}
		}
	}
	for k := range n {
		for i := k + 1; i < n; i++ {
			if m := a[i*n+k]; m != 0 {
				for c := range w {
					x[i*w+c] -= float64(m * x[k*w+c])
				}
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		for c := range w {
			x[k*w+c] /= a[k*n+k]
		}
		for i := range k {
			if m := a[i*n+k]; m != 0 {
				for c := range w {
					x[i*w+c] -= float64(m * x[k*w+c])
				}
			}
		}
	}
}
