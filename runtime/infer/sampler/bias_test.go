package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// biasSlope fits the order of the bias of the position's variance on a
// Gaussian with exact gradients: the slope of log |bias| over log h, each step
// size run for the same time. The Monte Carlo error must be below a fifth of
// the bias.
//
// The setting keeps Euler stable up to h = 0.8: it needs 2Dh < 1, since its
// kick alone gives v'² the mean 2DhT, and a thermostat that varies little, of
// which Var ξ = T/d makes sure.
func biasSlope(t *testing.T, sampler, scheme string, steps []float64, time float64) float64 {
	const dim, temp, friction = 32, 0.03, 0.2
	v := make([]float64, dim)
	for i := range v {
		v[i] = 1
	}
	var xs, ys []float64
	for _, h := range steps {
		c := config(sampler, scheme, h)
		c.Friction, c.Temperature, c.InitRadius = friction, temp, 0.25
		c.Warmup, c.Draws = int64(200/h), int64(time/h)
		ch := mustChain(t, newGaussian(v), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		var s health.Series
		xi := 0.0
		for range c.Draws {
			mustSteps(t, ch, 1)
			sum := 0.0
			for _, x := range ch.Xi() {
				xi += x / float64(len(ch.Xi())) / float64(c.Draws)
			}
			for _, x := range ch.Position() {
				sum += x * x
			}
			s.Add(sum / (dim * temp))
		}
		bias := s.Mean() - 1
		want := expectedBias(scheme, h, xi)
		t.Logf("%s %s h = %.1f: bias %.5f ± %.5f, expected %.5f", sampler, scheme, h, bias,
			s.MCSE(), want)
		// msgnht's ξ has d times the variance, and moves with v² of its coordinate.
		if sampler == "sgnht" && math.Abs(bias-want) > 5*s.MCSE()+0.03*math.Abs(want) {
			t.Errorf("%s %s h = %g: bias %.5f ± %.5f, expected %.5f", sampler, scheme, h, bias,
				s.MCSE(), want)
		}
		if !(s.MCSE() < math.Abs(bias)/5) {
			t.Errorf("%s %s h = %g: the error %.2g is not a fifth of the bias %.2g", sampler,
				scheme, h, s.MCSE(), bias)
		}
		xs, ys = append(xs, math.Log(h)), append(ys, math.Log(math.Abs(bias)))
	}
	var mx, my, sxy, sxx float64
	for i := range xs {
		mx += xs[i] / float64(len(xs))
		my += ys[i] / float64(len(xs))
	}
	for i := range xs {
		sxy += (xs[i] - mx) * (ys[i] - my)
		sxx += (xs[i] - mx) * (xs[i] - mx)
	}
	return sxy / sxx
}

// expectedBias is that of the variance of x ~ N(0, T), relative, where the
// thermostat holds the mean of v² at T and its ξ varies little: with both
// stationary, E xv = −hT/2 between a drift and the next kick, and the mean of
// x'v' over one step gives E x² = T (1 − hξ/2) for Euler and
// T (cosh(hξ/2) − h²/4) for the splitting.
func expectedBias(scheme string, h, xi float64) float64 {
	if scheme == "euler" {
		return -h * xi / 2
	}
	return math.Cosh(h*xi/2) - 1 - h*h/4
}

func checkBiasOrder(t *testing.T, steps []float64, time float64) {
	for _, sampler := range []string{"sgnht", "msgnht"} {
		for scheme, order := range map[string]float64{"split": 2, "euler": 1} {
			t.Run(fmt.Sprint(sampler, "/", scheme), func(t *testing.T) {
				t.Parallel()
				if slope := biasSlope(t, sampler, scheme, steps, time); math.Abs(slope-order) > 0.25 {
					t.Errorf("the slope is %.2f, want %g", slope, order)
				}
			})
		}
	}
}

// TestBiasOrder: splitting is of second order, Euler of first.
func TestBiasOrder(t *testing.T) { checkBiasOrder(t, []float64{0.2, 0.4, 0.8}, 16000) }
