package sampler

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// A switched target has the density −x²/2 + shift·z·x of a number x and a hidden bit z: x given z
// is N(shift·z, 1), and z is 1 with odds exp(shift²/2).
type switched struct{ shift float64 }

func (s *switched) Name() string { return "switched" }
func (s *switched) Dim() int     { return 1 }
func (s *switched) Blocks() []target.Block {
	return []target.Block{{Name: "x", Len: 1,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}}}
}
func (s *switched) Outputs() []target.Output { return []target.Output{{Name: "x", Len: 1}} }
func (s *switched) OutputLen() int           { return 1 }
func (s *switched) Rows() int                { return 0 }
func (s *switched) RowAxis() string          { return "" }
func (s *switched) NewEvaluator(int) target.Evaluator {
	return &switchedEvaluator{s, make([]float64, 1)}
}

func (s *switched) Conditionals() []target.Conditional {
	return []target.Conditional{
		{Name: "z", Law: target.CategoryLaw, Hidden: true, Blocks: 1, Size: 1, Values: 2, Lens: []int{2}},
		{Name: "x", Law: target.NormalLaw, Blocks: 1, Size: 1, Lens: []int{1, 1}},
	}
}

type switchedEvaluator struct {
	s *switched
	z []float64
}

func (e *switchedEvaluator) Hidden() []float64 { return e.z }
func (e *switchedEvaluator) Conditional(i int, values, out []float64) {
	if i == 0 {
		out[0], out[1] = 0, e.s.shift*values[0]
		return
	}
	out[0], out[1] = e.s.shift*e.z[0], 1
}
func (e *switchedEvaluator) Gradient(x []float64, _ []int, _, _ float64, grad []float64) {
	grad[0] = e.s.shift*e.z[0] - x[0]
}
func (e *switchedEvaluator) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return -0.5*x[0]*x[0] + e.s.shift*e.z[0]*x[0]
}
func (e *switchedEvaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	e.Gradient(x, rows, scale, jacobian, grad)
	return e.LogDensity(x, rows, scale, jacobian)
}
func (e *switchedEvaluator) Constrain(x, out []float64)         { copy(out, x) }
func (e *switchedEvaluator) Unconstrain(out, x []float64) error { copy(x, out); return nil }
func (e *switchedEvaluator) LogLik([]float64, []int, []float64) {}

// stationaryConditionals holds draws from full conditionals to their law.
func stationaryConditionals(t *testing.T) {
	g := &switched{1.3}
	c := config("gibbs", "", 0)
	c.Warmup, c.Draws = 100, 40000
	r := mustRun(t, g, c, 1)
	odds := math.Exp(0.5 * g.shift * g.shift)
	p := odds / (1 + odds)
	mean, variance := g.shift*p, 1+g.shift*g.shift*p*(1-p)
	one, two := 0.0, 0.0
	for _, x := range r.draws[0] {
		one += x[0]
		two += (x[0] - mean) * (x[0] - mean)
	}
	n := float64(len(r.draws[0]))
	if d := one/n - mean; !(math.Abs(d) < 0.02) {
		t.Errorf("the mean is %g off", d)
	}
	if d := two/n - variance; !(math.Abs(d) < 0.05) {
		t.Errorf("the variance is %g off", d)
	}
	for _, row := range Health(mustFinished(t, g, c)) {
		if row.Verdict != "ok" {
			t.Errorf("health: %v", row)
		}
	}
}

// mustFinished is a chain at its end.
func mustFinished(t *testing.T, g target.Target, c settings.Config) *Chain {
	t.Helper()
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, int(c.Steps()))
	return ch
}

// TestSweepsResume: a run of full conditionals that is interrupted goes on with the same bits, the
// hidden values too, and threads change nothing.
func TestSweepsResume(t *testing.T) {
	g := &switched{0.8}
	c := config("gibbs", "", 0)
	c.Warmup, c.Draws, c.Thin, c.Chains = 7, 20, 2, 3
	whole := mustRun(t, g, c, 1)
	if other := mustRun(t, g, c, 3); !sameDraws(whole.draws[2], other.draws[2]) {
		t.Error("threads change draws")
	}
	if sameDraws(whole.draws[0], whole.draws[1]) {
		t.Error("two chains have the same draws")
	}
	for _, stop := range []int64{0, 1, 7, 8, 30} {
		a, r, out := mustChain(t, g, c, 0), newRecorder(), make([]float64, 1)
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
		b, err := ResumeChain(g, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Run(context.Background(), r, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		if !sameDraws(whole.draws[0], r.draws[0]) {
			t.Errorf("resumed at step %d, the draws differ", stop)
		}
	}
}

// TestSweepsAllocateNothing: a sweep and its draw allocate nothing.
func TestSweepsAllocateNothing(t *testing.T) {
	ch, sink, out := mustChain(t, &switched{1}, config("gibbs", "", 0), 0), newCounter(),
		make([]float64, 1)
	if a := testing.AllocsPerRun(200, func() {
		mustSteps(t, ch, 1)
		if err := ch.hand(sink, out); err != nil {
			t.Fatal(err)
		}
	}); a != 0 {
		t.Errorf("%g allocations a sweep", a)
	}
}

// TestSweepsRefuse: settings without a meaning for full conditionals are refused by their names.
func TestSweepsRefuse(t *testing.T) {
	for name, set := range map[string]func(c *settings.Config){
		"step":        func(c *settings.Config) { c.Step = 0.1 },
		"metric":      func(c *settings.Config) { c.Metric = "diag" },
		"temperature": func(c *settings.Config) { c.Temperature = 2 },
		"leapfrog":    func(c *settings.Config) { c.Leapfrog = 3 },
		"batch":       func(c *settings.Config) { c.Batch = 3 },
		"friction":    func(c *settings.Config) { c.Friction = 3 },
		"replicas":    func(c *settings.Config) { c.Replicas = 4 },
		"sampler":     func(c *settings.Config) { c.For("x").Sampler = "sgld" },
	} {
		c := config("gibbs", "", 0)
		set(&c)
		if err := c.Validate(&switched{1}); err == nil || settings.CodeOf(err) != "S0110" {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := config("gibbs", "", 0)
	if err := c.Validate(newGaussian(variances(3))); settings.CodeOf(err) != "S0110" {
		t.Errorf("a target without conditionals: %v", err)
	}
}
