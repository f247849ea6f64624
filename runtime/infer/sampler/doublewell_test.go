package sampler

import (
	"math"
	"testing"
)

// wellRun takes the double well's protocol (experiments.md §1): noise
// N(0, 2Bh) in the gradient's impulse with B = 1, nothing injected, ξ0 = 1,
// x0 = 0, every iterate kept.
func wellRun(
	t *testing.T, scheme string, h float64, seed uint64, steps int64,
) (xi float64, err error) {
	t.Helper()
	one := 1.0
	c := config("msgnht", scheme, h)
	c.Friction, c.Xi0, c.SyntheticNoise, c.InitRadius = 0, &one, "diffusion:1", 0
	c.Seed, c.Warmup, c.Draws = seed, 0, steps
	ch := mustChain(t, doubleWell(), c, 0)
	for range steps {
		if err := ch.Step(); err != nil {
			return 0, err
		}
		xi += ch.Xi()[0]
	}
	return xi / float64(steps), nil
}

// TestDoubleWell: Euler diverges at h ≥ 0.25, splitting does not; the mean of
// ξ is B = 1 with the bias of the table in experiments.md (10 seeds of 1e6;
// here one of 3e5). The examples' tests have the divergence from the density.
func TestDoubleWell(t *testing.T) {
	const steps = 300000
	for _, h := range []float64{0.25, 0.3} {
		_, err := wellRun(t, "euler", h, 1, steps)
		if _, ok := IsNonFinite(err); !ok {
			t.Errorf("Euler at h = %g: %v", h, err)
		}
	}
	for _, c := range []struct {
		scheme string
		h, xi  float64
	}{
		{"split", 0.1, 1.015}, {"split", 0.2, 1.055}, {"split", 0.3, 1.143},
		{"euler", 0.1, 1.025}, {"euler", 0.2, 1.129},
	} {
		xi, err := wellRun(t, c.scheme, c.h, 2, steps)
		if err != nil {
			t.Errorf("%s at h = %g: %v", c.scheme, c.h, err)
			continue
		}
		if math.Abs(xi-c.xi) > 0.02 {
			t.Errorf("%s at h = %g: mean ξ %.4f, want %.4f", c.scheme, c.h, xi, c.xi)
		}
	}
}
