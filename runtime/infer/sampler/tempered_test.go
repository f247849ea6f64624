package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// gammaTarget is x ~ gamma(a, rate b) on the chart x = e^y, so that
// log|J| = y.
type gammaTarget struct {
	gaussian
	a, b float64
}

func (g *gammaTarget) NewEvaluator(int) target.Evaluator {
	return &gammaEval{gaussianEval{&g.gaussian}, g}
}

type gammaEval struct {
	gaussianEval
	g *gammaTarget
}

func (e *gammaEval) Gradient(y []float64, _ []int, _, jacobian float64, grad []float64) {
	grad[0] = e.g.a - 1 - e.g.b*math.Exp(y[0]) + jacobian
}

func (e *gammaEval) LogDensity(y []float64, _ []int, _, jacobian float64) float64 {
	return (e.g.a-1)*y[0] - e.g.b*math.Exp(y[0]) + jacobian*y[0]
}

func (e *gammaEval) Constrain(y, out []float64) { out[0] = math.Exp(y[0]) }

// TestTemperedChart: on a chart the potential is Ũ(f(y)) − T log|J|, so that
// x ~ π^{1/T} in its own coordinates, gamma((a − 1)/T + 1, b/T), whatever the
// chart: with mean (a − 1 + T)/b and variance T times that over b.
func TestTemperedChart(t *testing.T) {
	for _, sampler := range []string{"sgld", "sghmc", "sgnht", "msgnht"} {
		for _, temp := range []float64{0.5, 1, 2} {
			g := &gammaTarget{*newGaussian([]float64{1}), 3, 1.5}
			c := config(sampler, "", 0.1)
			bias := 0.03
			if sampler == "sgld" {
				c.Step, c.Thin = 0.03, 3
				bias = 0.05
			}
			c.Temperature, c.Warmup, c.Draws = temp, 1000, 60000
			mean := (g.a - 1 + temp) / g.b
			m := moments{mean: mean}
			for draw, err := range mustChain(t, g, c, 0).All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				m.add(draw[0])
			}
			m.check(t, fmt.Sprint(sampler, " T=", temp), temp*mean/g.b, bias)
		}
	}
}
