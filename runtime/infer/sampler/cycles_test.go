package sampler

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// cycleConfig is a run in cycles of 400 steps, half of which explore.
func cycleConfig(sampler string, h float64) settings.Config {
	c := config(sampler, "", h)
	c.Schedule, c.Warmup, c.Draws, c.Seed, c.Friction = "cycle:400,0.5", 400, 300, 3, 1
	return c
}

// TestCycles: draws are the ends of cycles. They have the moments of a normal posterior, and
// exploration ends at its mode.
func TestCycles(t *testing.T) {
	for name, h := range map[string]float64{"sgld": 0.05, "sghmc": 0.15, "psgld": 0.05} {
		g := newGaussian(variances(4))
		c := cycleConfig(name, h)
		ch := mustChain(t, g, c, 0)
		if ch.Config().Thin != 400 {
			t.Fatalf("thin %d", ch.Config().Thin)
		}
		sum, square, modes, draws := 0.0, 0.0, 0.0, 0.0
		r, out := newRecorder(), make([]float64, g.Dim())
		for !ch.Done() {
			mustSteps(t, ch, 1)
			if err := ch.hand(r, out); err != nil {
				t.Fatal(err)
			}
			after := ch.Steps() - 400
			if after <= 0 {
				continue
			}
			x := ch.Position()[0] / math.Sqrt(g.priorVar[0])
			switch after % 400 {
			case 200: // the end of exploration
				modes = max(modes, math.Abs(x))
			case 0:
				draws++
				sum += x
				square += x * x
			}
		}
		if n := len(r.draws[0]); n != 300 || draws != 300 {
			t.Errorf("%s: %d draws, %v ends of cycles", name, n, draws)
		}
		mean, variance := sum/draws, square/draws
		t.Logf("%s: mean %.3f, variance %.3f, farthest from the mode %.2g", name, mean, variance, modes)
		if math.Abs(mean) > 4/math.Sqrt(draws) ||
			math.Abs(variance-1) > 4*math.Sqrt(2/draws)+0.05 || modes > 0.05 {
			t.Errorf("%s: mean %.3f, variance %.3f, farthest from the mode %.2g", name, mean, variance,
				modes)
		}
		if row := rowOf(t, Health(ch), "cycles"); row.Verdict != "unsure" || row.Value != 300 {
			t.Errorf("%+v", row)
		}
	}
}

// TestCyclesStuck: chains whose cycles never leave their mode are not called ok.
func TestCyclesStuck(t *testing.T) {
	c := cycleConfig("sgld", 0.005)
	c.Chains = 1
	d, err := Collect(context.Background(), peaks(1, 0, peak{0.5, -4, 0.4}, peak{0.5, 4, 0.4}), c,
		RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Len(0) {
		if (d.Draw(0, i)[0] < 0) != (d.Draw(0, 0)[0] < 0) {
			t.Fatal("the chain moves between the peaks: the test shows nothing")
		}
	}
	if row := rowOf(t, d.Health, "cycles"); row.Verdict == "ok" {
		t.Errorf("%+v", row)
	}
}

// TestCyclesBits: an interrupted run in cycles comes out the same to the bit, by minibatches and by
// all rows.
func TestCyclesBits(t *testing.T) {
	g := newGaussian(variances(5), 2, 3).withRows(23, 4)
	for _, name := range []string{"sgld", "sghmc"} {
		c := config(name, "", 0.02)
		c.FullBatch, c.Batch = false, 5
		c.Schedule, c.Warmup, c.Draws = "cycle:20,0.7", 40, 8
		whole := mustRun(t, g, c, 1)
		for _, stop := range []int64{0, 1, 39, 40, 53, 54, 101} {
			a := mustChain(t, g, c, 0)
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
			b, err := ResumeChain(g, c, 0, state)
			if err == nil {
				err = b.Run(context.Background(), r, RunOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if !sameDraws(whole.draws[0], r.draws[0]) {
				t.Errorf("%s: resumed at step %d, the draws differ", name, stop)
			}
		}
	}
}

// TestCyclesRefused: cycles that cannot be are refused with their code.
func TestCyclesRefused(t *testing.T) {
	g := newGaussian(variances(3))
	for _, x := range []struct {
		change func(c *settings.Config)
		says   string
	}{
		{func(c *settings.Config) { c.Sampler = "msgnht" }, "without noise"},
		{func(c *settings.Config) { c.Step = 0 }, "largest step"},
		{func(c *settings.Config) { c.Thin = 3 }, "end of a cycle"},
		{func(c *settings.Config) { c.Warmup = 500 }, "whole cycles"},
		{func(c *settings.Config) { c.GradNoise = 0.1 }, "taken out"},
	} {
		c := cycleConfig("sghmc", 0.1)
		x.change(&c)
		if _, err := c.Resolve(g); settings.CodeOf(err) != "S0109" ||
			!strings.Contains(err.Error(), x.says) {
			t.Errorf("%v, and S0109 with %q is expected", err, x.says)
		}
	}
	c := cycleConfig("sghmc", 0.1)
	c.Sampler, c.Step = "nuts", 0
	if _, err := c.Resolve(g); err == nil {
		t.Error("nuts runs in cycles")
	}
}
