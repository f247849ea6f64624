package noisebench

import (
	"slices"
	"testing"
)

// hold reports a run, and fails where it is green and wrong.
func hold(t *testing.T, r Run) {
	t.Helper()
	t.Log(r.String())
	if r.Refused == nil && r.Wrong() && r.Green() {
		for _, h := range r.Health {
			t.Logf("%+v", h)
		}
		t.Errorf("green and wrong: %s", r.String())
	}
}

// TestBench: of one sampler and order each, no run is green and wrong; the
// regression by msgnht is off, as is the sphere; with the noise taken out both are
// right.
func TestBench(t *testing.T) {
	for _, c := range Cases() {
		switch c.Name {
		case "regression":
			c.Draws = 100000
			r := c.Do("msgnht", "replace", 2, 0)
			hold(t, r)
			if !r.Wrong() || !slices.Contains(r.Off, "noise_temperature") ||
				!slices.Contains(r.Off, "worst_kinetic_temperature") {
				t.Errorf("a thermostat per coordinate under correlated noise: %s", r.String())
			}
			r = c.Do("sghmc", "replace", 2, 40)
			hold(t, r)
			if r.Wrong() || r.Refused != nil || len(r.Off) > 0 {
				t.Errorf("with the noise taken out: %s", r.String())
			}
		case "sphere in R^6, noise along an axis":
			r := c.Do("geodesic_sgnht", "replace", 2, 0)
			hold(t, r)
			if !r.Wrong() || len(r.Off) == 0 {
				t.Errorf("one thermostat on a sphere: %s", r.String())
			}
			r = c.Do("geodesic_sghmc", "replace", 2, 17)
			hold(t, r)
			if r.Wrong() || r.Refused != nil || len(r.Off) > 0 {
				t.Errorf("with the noise taken out: %s", r.String())
			}
		case "simplex by expanded_mean":
			r := c.Do("sgrld", "replace", 2, 0)
			hold(t, r)
			if !r.Wrong() || !slices.Contains(r.Off, "worst_temperature") {
				t.Errorf("probabilities by sgrld at a large step: %s", r.String())
			}
		case "simplex by ilr":
			hold(t, c.Do("msgnht", "shuffle", 2, 0))
		}
	}
}
