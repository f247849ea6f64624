package table

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
)

// TestTable: names and aliases are unique, and found.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Table {
		for _, n := range append([]string{r.Name}, r.Aliases...) {
			if got, ok := Lookup(n); seen[n] || !ok || got.Name != r.Name {
				t.Errorf("%s is not found, or twice", n)
			}
			seen[n] = true
		}
		if r.Doc == "" || r.Source == "" || r.Stationary == "" || len(r.Grains) == 0 {
			t.Errorf("%s has an empty field", r.Name)
		}
		if r.Thermostat() && (!strings.Contains(r.Stationary,
			"where the covariance of the gradient's noise is") ||
			!strings.Contains(r.Stationary, "too narrow")) {
			t.Errorf("%s promises its law without the condition on the noise: %s", r.Name,
				r.Stationary)
		}
	}
	for _, n := range []string{"sgld", "psgld", "sgrld", "sghmc", "sgnht", "msgnht",
		"geodesic_sghmc", "sggmc", "geodesic_sgnht", "gsgnht", "gmc", "hmc"} {
		if !seen[n] {
			t.Errorf("%s is missing", n)
		}
	}
}

// TestWords: every word compiles, and a row that says it runs on curved
// spaces uses only flows that do.
func TestWords(t *testing.T) {
	for _, r := range Table {
		for _, s := range r.Schemes {
			steps, err := scheme.Compile(s)
			if err != nil {
				t.Errorf("%s %s: %v", r.Name, s.Name, err)
			}
			if r.Curved && scheme.NeedsFlat(steps) {
				t.Errorf("%s %s runs on curved spaces with a flow that needs a flat one",
					r.Name, s.Name)
			}
		}
	}
}
