package target

import (
	"math"
	"testing"
)

// squares has log density −x²/2, and of row r −(x−r)²/2.
type squares struct{ Evaluator }

func (squares) HasDifference() bool { return true }

func (squares) LogDensityGradient(x []float64, rows []int, scale, _ float64, g []float64) float64 {
	f := -x[0] * x[0] / 2
	g[0] = -x[0]
	for _, r := range rows {
		d := x[0] - float64(r)
		f -= scale * d * d / 2
		g[0] -= scale * d
	}
	return f
}

func (e squares) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, make([]float64, 1))
}

func (e squares) Gradient(x []float64, rows []int, scale, jacobian float64, g []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, g)
}

func (e squares) LogLik(x []float64, rows []int, out []float64) {
	for i, r := range rows {
		out[i] = -(x[0] - float64(r)) * (x[0] - float64(r)) / 2
	}
}

func (squares) Difference(
	x, anchor []float64, rows []int, weights []float64, _ float64, g []float64,
) {
	g[0] = -x[0]
	for k := range rows {
		g[0] -= weights[k] * (x[0] - anchor[0])
	}
}

type squareTarget struct{ Target }

func (squareTarget) NewEvaluator(int) Evaluator { return squares{} }

// Rows of a scaled target count so many times each, and what is no row's once.
func TestScaled(t *testing.T) {
	e, ok := DifferenceOf(NewScaled(squareTarget{}, 3).NewEvaluator(2))
	if !ok {
		t.Fatal("there are no differences")
	}
	x, rows := []float64{0.5}, []int{1, 4}
	g, h, out := make([]float64, 1), make([]float64, 1), make([]float64, 2)
	f := e.LogDensityGradient(x, rows, 2, 1, g)
	want := squares{}.LogDensityGradient(x, rows, 6, 1, h)
	if f != want || g[0] != h[0] || e.LogDensity(x, rows, 2, 1) != want {
		t.Errorf("%v, %v, and %v, %v are expected", f, g, want, h)
	}
	if e.Gradient(x, rows, 2, 1, g); g[0] != h[0] {
		t.Errorf("gradient %v, and %v is expected", g, h)
	}
	e.LogLik(x, rows, out)
	e.Difference(x, []float64{0}, rows, []float64{1, 2}, 1, g)
	if math.Abs(out[1]+3*3.5*3.5/2) > 1e-15 || g[0] != -0.5-9*0.5 {
		t.Errorf("log likelihoods %v, difference %v", out, g)
	}
}
