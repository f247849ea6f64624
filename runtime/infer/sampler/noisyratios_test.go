package sampler

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/exchange"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// squared is a posterior with two modes: rows y ~ N(x², 3²), and a prior x ~ N(0.3, 1.5²).
type squared struct {
	gaussian
	rows []float64
}

func newSquared(n int) *squared {
	s := &squared{gaussian: *newGaussian([]float64{1})}
	src := rng.New(4, 0, rng.Test).At(0)
	for range n {
		s.rows = append(s.rows, 2.25+3*src.Normal())
	}
	return s
}

func (s *squared) Rows() int       { return len(s.rows) }
func (s *squared) RowAxis() string { return "N" }
func (s *squared) NewEvaluator(int) target.Evaluator {
	return &squaredEval{gaussianEval{&s.gaussian}, s}
}

type squaredEval struct {
	gaussianEval
	of *squared
}

func (e *squaredEval) row(x float64, i int) (f, g float64) {
	d := (e.of.rows[i] - x*x) / 3
	return -d*d/2 - math.Log(3) - math.Log(2*math.Pi)/2, d * 2 * x / 3
}

func (e *squaredEval) LogDensityGradient(
	x []float64, rows []int, scale, _ float64, grad []float64,
) float64 {
	f, g := 0.0, 0.0
	add := func(i int) {
		a, b := e.row(x[0], i)
		f, g = f+a, g+b
	}
	if rows == nil {
		for i := range e.of.rows {
			add(i)
		}
	}
	for _, i := range rows {
		add(i)
	}
	u := (x[0] - 0.3) / 1.5
	grad[0] = scale*g - u/1.5
	return scale*f - u*u/2 - math.Log(1.5) - math.Log(2*math.Pi)/2
}

func (e *squaredEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	var g [1]float64
	return e.LogDensityGradient(x, rows, scale, jacobian, g[:])
}

func (e *squaredEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (e *squaredEval) LogLik(x []float64, rows []int, out []float64) {
	for k, i := range rows {
		out[k], _ = e.row(x[0], i)
	}
}

func noisyConfig() settings.Config {
	c := settings.DefaultConfig()
	c.Sampler, c.Step, c.Friction, c.Batch, c.Replicas = "msgnht", 0.01, 5, 25, 5
	c.Chains, c.Warmup, c.Draws, c.Thin, c.Seed = 8, 5000, 3000, 20, 5
	return c
}

// TestReplicasOnMinibatches: by samplers on stochastic gradients, with exchanges by estimates of
// the energy, both modes have their masses.
func TestReplicasOnMinibatches(t *testing.T) {
	g := newSquared(50)
	e := g.NewEvaluator(1)
	below, all := 0.0, 0.0
	top := e.LogDensity([]float64{1.5}, nil, 1, 1)
	for x := -5.0; x < 5; x += 1e-3 {
		p := math.Exp(e.LogDensity([]float64{x}, nil, 1, 1) - top)
		if all += p; x < 0 {
			below += p
		}
	}
	want := below / all
	c := noisyConfig()
	d, err := Collect(context.Background(), g, c, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, mcse := byChain(d, func(x []float64) float64 {
		if x[0] < 0 {
			return 1
		}
		return 0
	})
	trips := rowOf(t, d.Health, "round_trips")
	t.Logf("mass of the lower mode %.4f ± %.4f, exactly %.4f; %+v", got, mcse, want, trips)
	if math.Abs(got-want) > 4*mcse || mcse > 0.03 || trips.Verdict != "ok" {
		t.Errorf("mass of the lower mode %.4f ± %.4f, exactly %.4f; %+v", got, mcse, want, trips)
	}
}

// TestNoisyAccept: with normal noise of a variance that is estimated, exchanges are in detailed
// balance on average: the mean acceptances of a difference and of its opposite have its ratio.
func TestNoisyAccept(t *testing.T) {
	const rows, n = 25, 200000
	l := exchange.NewLadder(2)
	src := rng.New(9, 0, rng.Test).At(0)
	for _, sd := range []float64{0, 0.5, 1, 1.5} {
		for _, gain := range []float64{0.3, 1} {
			var mean [2]float64
			for range n {
				for k, sign := range []float64{1, -1} {
					sum, square := 0.0, 0.0
					for range rows {
						v := src.Normal() * sd
						sum += v
						square += v * v
					}
					variance := (square - sum*sum/rows) / (rows - 1) // of one of the rows
					ratios := []float64{sign*gain + sum/math.Sqrt(rows), 0}
					mean[k] += l.Accept(0, ratios, []float64{variance}, rows) / n
				}
			}
			if got := math.Log(mean[0] / mean[1]); math.Abs(got-gain) > 0.02 {
				t.Errorf("sd %v: a gain of %v is taken for %.4f", sd, gain, got)
			}
		}
	}
}

// TestNoisyBits: replicas on minibatches come out the same to the bit after an interruption, and on
// any number of threads.
func TestNoisyBits(t *testing.T) {
	g := newSquared(50)
	c := noisyConfig()
	c.Chains, c.Warmup, c.Draws, c.Thin = 2, 640, 20, 5
	whole := mustRun(t, g, c, 1)
	if other := mustRun(t, g, c, 4); !sameDraws(whole.draws[1], other.draws[1]) {
		t.Error("draws depend on the threads")
	}
	for _, stop := range []int64{0, 7, 160, 320, 639, 640, 703} {
		a := mustChain(t, g, c, 1)
		r, out := newRecorder(), make([]float64, g.Dim())
		for a.Steps() < stop {
			mustSteps(t, a, 1)
			if err := a.hand(r, out); err != nil {
				t.Fatal(err)
			}
		}
		state, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b, err := ResumeChain(g, c, 1, state)
		if err == nil {
			err = b.Run(context.Background(), r, RunOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		if !sameDraws(whole.draws[1], r.draws[1]) {
			t.Errorf("resumed at step %d, the draws differ", stop)
		}
	}
}
