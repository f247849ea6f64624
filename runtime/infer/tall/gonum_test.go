package tall

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/optimize"
)

// TestClimbOfGonum: climbs end where gonum's search by BFGS does, on regressions and on
// Rosenbrock's valley.
func TestClimbOfGonum(t *testing.T) {
	rows := func(of *rowTarget) objective {
		e := &rowEvaluator{of}
		return func(x, grad []float64) float64 { return e.LogDensityGradient(x, nil, 1, 1, grad) }
	}
	valley := func(x, grad []float64) float64 {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		grad[0], grad[1] = 2*a+400*x[0]*b, -200*b
		return -a*a - 100*b*b
	}
	for name, c := range map[string]struct {
		f     objective
		start []float64
	}{
		"logistic": {rows(logisticRegression(2000, 6, 1)), make([]float64, 6)},
		"poisson":  {rows(poissonRegression(2000, 4, 1)), make([]float64, 4)},
		"valley":   {valley, []float64{-1.2, 1}},
	} {
		grad := make([]float64, len(c.start))
		found, err := optimize.Minimize(optimize.Problem{
			Func: func(x []float64) float64 { return -c.f(x, grad) },
			Grad: func(g, x []float64) {
				c.f(x, g)
				for i := range g {
					g[i] = -g[i]
				}
			},
		}, c.start, &optimize.Settings{GradientThreshold: 1e-5}, &optimize.BFGS{})
		if err != nil {
			t.Fatal(name, err)
		}
		x := append([]float64(nil), c.start...)
		ends := func(grad []float64, _ float64) bool { return dot(grad, grad) < 1e-12 }
		value, _, _ := climb(c.f, x, 500, ends)
		if math.Abs(value+found.F) > 1e-8*(1+math.Abs(value)) {
			t.Errorf("%s: the climb ends at %v, gonum's at %v", name, value, -found.F)
		}
		for i := range x {
			if math.Abs(x[i]-found.X[i]) > 1e-5*(1+math.Abs(x[i])) {
				t.Errorf("%s: x[%d] is %v, gonum's is %v", name, i, x[i], found.X[i])
			}
		}
	}
}
