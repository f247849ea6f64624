package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// TestReshapedSquare: a reshape gives the entries along one dim the name of another of the same
// size; a square matrix that they come from keeps both its sides.
func TestReshapedSquare(t *testing.T) {
	_, m := bindText(t, `dim N, D
data x[D] : real
param eta[N] : real ~ normal(0, 1)
let K = [if i == j then 2 else 1 for i in N, j in N]
x ~ normal(reshape(cholesky(K) @ eta, D), 1)
`, map[string]int{"N": 2, "D": 2}, map[string]*data.Value{"x": data.Dense([]float64{1, -2}, 2)})
	eta := []float64{0.3, -0.7}
	// The root of [[2, 1], [1, 2]] is [[√2, 0], [1/√2, √1.5]].
	mean := []float64{math.Sqrt2 * eta[0], eta[0]/math.Sqrt2 + math.Sqrt(1.5)*eta[1]}
	r := []float64{1 - mean[0], -2 - mean[1]}
	want := -2*math.Log(2*math.Pi) - (r[0]*r[0]+r[1]*r[1]+eta[0]*eta[0]+eta[1]*eta[1])/2
	grad := make([]float64, 2)
	e := m.NewEvaluator(1)
	if got := e.LogDensity(eta, nil, 1, 1); math.Abs(got-want) > 1e-12 {
		t.Errorf("log density %g, want %g", got, want)
	}
	e.Gradient(eta, nil, 1, 1, grad)
	for i, want := range []float64{-eta[0] + math.Sqrt2*r[0] + r[1]/math.Sqrt2,
		-eta[1] + math.Sqrt(1.5)*r[1]} {
		if math.Abs(grad[i]-want) > 1e-12 {
			t.Errorf("gradient %d is %g, want %g", i, grad[i], want)
		}
	}
}
