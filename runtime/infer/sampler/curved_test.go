package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// mixed is two points on S² with densities e^{κ x_0}, and R² with variance 2.
type mixed struct {
	gaussian
	kappa float64
}

func newMixed() *mixed {
	m := &mixed{*newGaussian([]float64{1, 1, 1, 1, 1, 1, 2, 2}, 6, 2), 2}
	m.blocks[0].Geometry = target.Geometry{Kind: "sphere", Points: 2, Dim: 3}
	return m
}

func (m *mixed) NewEvaluator(int) target.Evaluator {
	return &mixedEval{gaussianEval{&m.gaussian}, m}
}

type mixedEval struct {
	gaussianEval
	m *mixed
}

func (e *mixedEval) Gradient(x []float64, _ []int, _, _ float64, grad []float64) {
	clear(grad)
	grad[0], grad[3] = e.m.kappa, e.m.kappa
	grad[6], grad[7] = -x[6]/2, -x[7]/2
}

func (e *mixedEval) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return e.m.kappa*(x[0]+x[3]) - (x[6]*x[6]+x[7]*x[7])/4
}

// TestCurvedMixture: geodesic samplers on S² × S² × R², with every thermostat,
// with noisy gradients: the mean of x_0 is coth κ − 1/κ at T = 1 (κ/T in
// general), the variance on R² is 2T, the point stays on the sphere, and the
// velocity tangent.
func TestCurvedMixture(t *testing.T) {
	for _, c := range []struct {
		sampler, thermostat string
		noise, temp         float64
	}{
		{"sggmc", "", 0, 1}, {"sggmc", "", 4, 2}, {"gsgnht", "", 4, 1}, {"gsgnht", "point", 4, 2},
		{"gsgnht", "all", 4, 1},
	} {
		name := fmt.Sprint(c)
		cfg := config(c.sampler, "", 0.1)
		cfg.Thermostat, cfg.Temperature = c.thermostat, c.temp
		cfg.SyntheticNoise = fmt.Sprint("gradient:", c.noise)
		if c.sampler == "sggmc" {
			cfg.GradNoise = c.noise
		}
		cfg.Warmup, cfg.Draws = 1000, 100000
		ch := mustChain(t, newMixed(), cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup))
		k := 2 / c.temp
		north := moments{mean: 1/math.Tanh(k) - 1/k}
		var line moments
		for range cfg.Draws {
			mustSteps(t, ch, 1)
			x := ch.Position()
			north.add((x[0] + x[3]) / 2)
			line.add(x[6])
		}
		if d := north.one.Mean() - north.mean; math.Abs(d) > 5*north.one.MCSE()+0.003 ||
			north.one.MCSE() > 0.01 {
			t.Errorf("%s: mean of x_0 off by %.4f ± %.4f", name, d, north.one.MCSE())
		}
		line.check(t, name, 2*c.temp, 0.02)
		s := ch.state
		for p := 0; p < 6; p += 3 {
			x, v := s.X[p:p+3], s.V[p:p+3]
			if r := manifold.NewSphere(3).Residual(x); r > 1e-10 {
				t.Errorf("%s: the point is %g off the sphere", name, r)
			}
			if d := math.Abs(x[0]*v[0] + x[1]*v[1] + x[2]*v[2]); d > 1e-10 {
				t.Errorf("%s: the velocity is %g off the tangent space", name, d)
			}
		}
		for _, r := range ch.Health() {
			if r.Verdict == "off" {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}
