package lower_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
)

// TestInfiniteData: data that are ends, or that a model compares, may be infinite,
// what is observed and what is computed with may not.
func TestInfiniteData(t *testing.T) {
	c, diags := driver.Compile(source.New("m.sg", `dim N
data y[N], x[N], hi[N], stop[N], lo, low, top, both[N], given[N] : real
fn pick(a : real, b : real) -> real { a + b }
param a : interval(lo, 10) ~ normal(0, 1)
let least = 2 * low
for n in N {
  y[n] ~ normal(a * x[n] + min(top, 1) + (if stop[n] > 1 then 1 else 0) + pick(given[n], 1), 1) truncated(least, hi[n])
  both[n] ~ normal(if both[n] > 3 then a else 0, 1)
}
`), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	var got []string
	for _, in := range c.Spec.Schema.Inputs {
		if in.Infinite {
			got = append(got, in.Name)
		}
	}
	if want := "hi stop lo low top given"; strings.Join(got, " ") != want {
		t.Errorf("%v may be infinite, want %s", got, want)
	}
}
