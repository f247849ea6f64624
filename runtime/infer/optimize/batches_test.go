package optimize

import (
	"math"
	"testing"
)

// deviations are the standard deviations of the posterior at its mode, by the
// inverse of the matrix of second derivatives.
func (l *logistic) deviations() []float64 {
	n, x := l.dim, l.mode()
	plus, minus := make([]float64, n), make([]float64, n)
	a := make([][]float64, n) // the matrix next to the unit matrix
	for i := range a {
		const eps = 1e-5
		y := append([]float64(nil), x...)
		y[i] = x[i] + eps
		l.Gradient(y, nil, 1, 0, plus)
		y[i] = x[i] - eps
		l.Gradient(y, nil, 1, 0, minus)
		a[i] = make([]float64, 2*n)
		for j := range n {
			a[i][j] = (minus[j] - plus[j]) / (2 * eps)
		}
		a[i][n+i] = 1
	}
	for k := range a {
		for i := range a {
			r := a[i][k] / a[k][k]
			for j := range a[i] {
				if i != k {
					a[i][j] -= r * a[k][j]
				}
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Sqrt(a[i][n+i] / a[i][i])
	}
	return out
}

// TestLastPointOfUnevenPass: where the batch size does not divide the number of
// rows, the last points of all algorithms are as near the mode as where it does:
// no row weighs as much as a batch of others. Steps are so small that points
// move little in a pass.
func TestLastPointOfUnevenPass(t *testing.T) {
	const rows, size = 1001, 100
	l := newLogistic(rows, 3)
	mode, sd := l.mode(), l.deviations()
	for _, c := range []struct {
		algorithm string
		h         float64
		// of the root of the mean square over chains and coordinates, in standard deviations
		bound float64
	}{{"sgd", 0.1, 0.1}, {"sgdm", 0.01, 0.1}, {"adam", 0.001, 0.05}, {"rmsprop", 0.001, 0.06}} {
		sum, n := 0.0, 0.0
		for seed := range uint64(6) {
			cfg := config(c.algorithm, c.h, 250*11) // the last batch of a pass is the last
			cfg.Batch, cfg.Seed, cfg.CheckEvery = size, seed+1, cfg.Steps
			cfg.Init = [][]float64{mode}
			ch := mustChain(t, l, nil, cfg, 0)
			for !ch.Done() {
				if err := ch.Step(); err != nil {
					t.Fatal(err)
				}
			}
			for i, x := range ch.Position() {
				z := (x - mode[i]) / sd[i]
				sum += z * z
				n++
			}
		}
		miss := math.Sqrt(sum / n)
		t.Logf("%s: %.3f sd", c.algorithm, miss)
		if !(miss < c.bound) {
			t.Errorf("%s: the last points are %.3f standard deviations off the mode, want less than %g",
				c.algorithm, miss, c.bound)
		}
	}
}
