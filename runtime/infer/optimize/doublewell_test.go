package optimize

import (
	"math"
	"testing"
)

// The minima of the double well.
const global, local = -2.935363, 2.223664

// wellEnds is where chains with the seeds 1 to 10, which were chosen before
// they were looked at, end from θ₀ = 4: how many in either well.
func wellEnds(t *testing.T, c Config) (deep, shallow int) {
	t.Helper()
	for c.Seed = 1; c.Seed <= 10; c.Seed++ {
		c.Init = [][]float64{{4}}
		ch := mustChain(t, newWell(), nil, c, 0)
		low := 4.0
		for !ch.Done() {
			mustSteps(t, ch, 1)
			low = math.Min(low, ch.Position()[0])
		}
		end := ch.Position()[0]
		t.Logf("%s, seed %d: ends at %.6f, came to %.3f", c.Algorithm, c.Seed, end, low)
		switch {
		case math.Abs(end-global) < 0.01:
			deep++
		case math.Abs(end-local) < 0.01:
			shallow++
		}
	}
	return deep, shallow
}

// TestDoubleWell is the illustration of section 5.1 of Chen, Carlson, Gan, Li
// and Carin 2016: learning rate η_t = t^−0.3/10, that is h = √η, β_t = t², v₀ = 0,
// exploration in the first half. It has no number of iterations, λ, σ and C:
// here they are 10,000, the default λ and D, and σ = 0.9999. With a σ of 0.999
// or less, or v₀ from the first gradient, no seed leaves the local well,
// whatever λ and C, nor does the algorithm as it is printed: at β_t = t² the
// noise is gone in ten steps, and what carries θ over the barrier is a metric g
// that stays large. RMSprop ends in the local well with any of these σ.
func TestDoubleWell(t *testing.T) {
	c := DefaultConfig()
	c.Schedule, c.AnnealA, c.AnnealGamma, c.V0, c.Decay = "poly:0.31622776601683794,1,0.15", ptr(1),
		ptr(2), ptr(0), ptr(0.9999)
	if deep, _ := wellEnds(t, c); deep != 10 {
		t.Errorf("santa: %d of 10 end in the deeper well", deep)
	}
	for _, sigma := range []float64{0.9, 0.99, 0.9999} {
		c = DefaultConfig()
		c.Algorithm, c.Schedule, c.Decay = "rmsprop", "poly:0.1,1,0.3", ptr(sigma)
		if _, shallow := wellEnds(t, c); shallow != 10 {
			t.Errorf("rmsprop, σ = %g: %d of 10 end in the local well", sigma, shallow)
		}
	}
}

// TestAnnealing: from T = 50 to T = ½ slowly, the noise carries θ over barriers of
// 2.2 and 4.3; at T = ½ the deeper well has 98 % of the mass. The bound of 9 in
// 10 was set beforehand.
func TestAnnealing(t *testing.T) {
	for _, name := range []string{"santa", "santa-e"} {
		c := DefaultConfig()
		c.Algorithm, c.Step, c.AnnealA, c.Steps = name, 0.05, ptr(0.02), 20000
		if deep, _ := wellEnds(t, c); deep < 9 {
			t.Errorf("%s: %d of 10 end in the deeper well", name, deep)
		}
	}
}
