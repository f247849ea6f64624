//go:build slow

package sampler

import (
	"fmt"
	"math"
	"testing"
)

// TestBiasOrderWide is TestBiasOrder with the smallest step as well.
func TestBiasOrderWide(t *testing.T) { checkBiasOrder(t, []float64{0.1, 0.2, 0.4, 0.8}, 250000) }

// TestDoubleWellTable reproduces the table of KL and mean ξ by step size
// (experiments.md §1): 10 seeds of 1e6 iterates. Each mean lies within the
// spread of seeds of the table's, which is of other seeds.
func TestDoubleWellTable(t *testing.T) {
	for _, c := range []struct {
		h          float64
		split, sd  float64 // the paper's splitting: KL mean and sd of seeds
		euler, esd float64 // 0: diverges
		xi, exi    float64
	}{
		{0.05, 0.30, 0.16, 0.28, 0.06, 1.003, 1.008},
		{0.1, 0.20, 0.07, 0.27, 0.07, 1.015, 1.025},
		{0.15, 0.28, 0.05, 0.41, 0.04, 1.029, 1.060},
		{0.2, 0.27, 0.05, 0.70, 0.06, 1.055, 1.129},
		{0.25, 0.37, 0.04, 0, 0, 1.091, 0},
		{0.3, 0.55, 0.07, 0, 0, 1.143, 0},
	} {
		t.Run(fmt.Sprint("h=", c.h), func(t *testing.T) {
			t.Parallel()
			one := func(scheme string, want, sd, xiWant float64) {
				const seeds = 10
				var kls, xis []float64
				for seed := range uint64(seeds) {
					xi, kl, err := wellRun(t, scheme, c.h, seed, 1000000)
					if want == 0 {
						if _, ok := IsNonFinite(err); !ok {
							t.Errorf("seed %d of %s did not diverge: %v", seed, scheme, err)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					kls, xis = append(kls, kl), append(xis, xi)
				}
				if want == 0 {
					return
				}
				kl, klSD := meanSD(kls)
				xi, xiSD := meanSD(xis)
				t.Logf("%s: KL %.3f ± %.3f (table %.2f ± %.2f), mean ξ %.4f ± %.4f (table %.3f)", scheme, kl, klSD, want, sd, xi, xiSD, xiWant)
				if math.Abs(kl-want) > 2*math.Hypot(sd, klSD) {
					t.Errorf("%s: KL %.3f ± %.3f, table %.2f ± %.2f", scheme, kl, klSD, want, sd)
				}
				if math.Abs(xi-xiWant) > 0.005+3*xiSD/math.Sqrt(seeds) {
					t.Errorf("%s: mean ξ %.4f ± %.4f, table %.3f", scheme, xi, xiSD, xiWant)
				}
			}
			one("split", c.split, c.sd, c.xi)
			one("euler", c.euler, c.esd, c.exi)
		})
	}
}

func meanSD(x []float64) (mean, sd float64) {
	for _, a := range x {
		mean += a / float64(len(x))
	}
	for _, a := range x {
		sd += (a - mean) * (a - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(sd)
}
