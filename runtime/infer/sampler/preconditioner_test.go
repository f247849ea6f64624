package sampler

import (
	"math"
	"strings"
	"testing"
)

// TestPreconditionerSmallSteps: the variance of psgld's draws tends to the exact
// one as the step becomes smaller. It grew to 1.5 of it where the preconditioner
// followed the state, with a moving average of 100 gradients.
func TestPreconditionerSmallSteps(t *testing.T) {
	t.Parallel()
	v := []float64{1, 0.3, 4, 1}
	g := newGaussian(v)
	for _, h := range []float64{0.08, 0.02, 0.005} {
		c := config("psgld", "", h)
		c.Warmup, c.Draws, c.Seed = int64(400/h), int64(4000/h), 3
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Warmup))
		got := make([]float64, len(v))
		for range c.Draws {
			mustSteps(t, ch, 1)
			for j, x := range ch.Position() {
				got[j] += x * x / v[j] / float64(c.Draws)
			}
		}
		mean, bias := 0.0, 0.0
		for j := range got {
			mean += got[j] / float64(len(v))
			q := h / (c.PreconditionerLambda + math.Sqrt(ch.state.Square[j]))
			bias += 1 / (1 - q/(2*v[j])) / float64(len(v))
		}
		t.Logf("h = %g: variance %.3f of the exact one, %.3f by its bias of first order", h, mean, bias)
		if math.Abs(mean-1) > 0.06+h/2 || math.Abs(mean/bias-1) > 0.06 {
			t.Errorf("h = %g: the variance is %.3f of the exact one, and should be %.3f", h, mean, bias)
		}
		for _, r := range ch.Health() {
			if r.Verdict == "off" {
				t.Errorf("h = %g: %+v", h, r)
			}
		}
	}
}

// TestPreconditionerIsKept: the warm-up makes the preconditioner, nothing moves
// it afterwards, and a run that goes on from a checkpoint of any step has the same.
func TestPreconditionerIsKept(t *testing.T) {
	g := newGaussian(variances(3)).withRows(40, 4)
	c := config("psgld", "", 0.01)
	c.FullBatch, c.Batch, c.Warmup, c.Draws = false, 7, 60, 40
	ch := mustChain(t, g, c, 0)
	var kept []float64
	var states [][]byte
	for range c.Steps() {
		state, err := ch.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, state)
		mustSteps(t, ch, 1)
		if ch.Steps() == c.Warmup {
			kept = append(kept, ch.state.Square...)
		}
	}
	if !bitsEqual(kept, ch.state.Square) {
		t.Errorf("the preconditioner moved from %v to %v", kept, ch.state.Square)
	}
	for step, state := range states {
		again, err := ResumeChain(g, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, again, int(c.Steps())-step)
		if !bitsEqual(again.Position(), ch.Position()) || !bitsEqual(again.state.Square, kept) {
			t.Fatalf("resumed at step %d it ends elsewhere", step)
		}
	}
	c.Warmup = 0
	if err := c.Validate(g); err == nil || !strings.Contains(err.Error(), "--warmup") {
		t.Errorf("without a warm-up: %v", err)
	}
}
