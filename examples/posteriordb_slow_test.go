//go:build slow

package examples_test

import (
	"context"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestReferencePosteriors: nuts is within 0.1 of a standard deviation of every
// mean and a tenth of every deviation, with an effective sample size of 4000,
// and msgnht on full gradients, without a Metropolis test, within 0.2 and a
// quarter. No mean is off by more than 5 Monte Carlo errors.
func TestReferencePosteriors(t *testing.T) {
	for _, s := range []struct {
		method     string
		err, ratio float64
		ess        float64
	}{{"nuts", 0.1, 1.1, 4000}, {"msgnht", 0.2, 1.25, 400}} {
		t.Logf("%-8s %-26s %8s %7s %5s %7s %6s", "sampler", "model", "mean err", "sd rat", "|z|",
			"ess", "s")
		for i := range referenceCases {
			r := &referenceCases[i]
			t.Run(s.method+"/"+r.model, func(t *testing.T) {
				m := r.target(t)
				config := r.config(s.method)
				r.start(t, m, &config)
				start := time.Now()
				d, err := sampler.Collect(context.Background(), m, config, sampler.RunOptions{})
				if err != nil {
					t.Fatal(err)
				}
				seconds := time.Since(start).Seconds()
				var c comparison
				if err := c.compare(m, d, loadReference(t, r.posterior)); err != nil {
					t.Fatal(err)
				}
				t.Logf("%-8s %-26s %8.4f %7.4f %5.2f %7.0f %6.2f", s.method, r.model, c.err,
					c.ratio, c.z, c.ess, seconds)
				if !c.holds(s.err, s.ratio) {
					t.Errorf("mean off by %.3f of a deviation at %s, ratio of deviations %.3f",
						c.err, c.where, c.ratio)
				}
				if !(c.z <= 5) {
					t.Errorf("a mean is off by %.1f Monte Carlo errors", c.z)
				}
				if !(c.ess >= s.ess) {
					t.Errorf("the effective sample size is %.0f", c.ess)
				}
				for _, h := range d.Health {
					if h.Verdict == "off" {
						t.Errorf("%s of %s is %.3f ± %.3f, expected %g", h.Statistic, h.Block,
							h.Value, h.MCSE, h.Expected)
					}
				}
			})
		}
	}
}
