package driver_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// Rows of which one shard says nothing without the others are refused, by what they read.
func TestShards(t *testing.T) {
	const head = "dim N\ndata x[N], y[N] : real\nparam a, b : real ~ normal(0, 1)\n"
	for _, c := range []struct{ text, want string }{
		{head + "for n in N { y[n] ~ normal(a + b * x[n], 1) }\n", ""},
		{head + "for n in N { y[n] ~ student_t(4, a + b * x[n], 1) }\n", ""},
		{head + "for n in N { y[n] ~ normal(a + b * (x[n] - mean(x)), 1) }\n", "mean(x)"},
		{head + "for n in N { y[n] ~ normal(a + b * x[n] / N, 1) }\n", "the number of rows, N"},
		{head + "for n in N { y[n] ~ student_t(4, a + b * x[n], sqrt(N)) }\n",
			"the number of rows, N"},
		{"dim N\ndata y[N] : real\nparam a[N] : real ~ normal(0, 1)\n" +
			"for n in N { y[n] ~ normal(a[n], 1) }\n", ""},
	} {
		compiled, list := driver.Compile(source.New("m.sg", c.text), driver.Options{})
		if compiled == nil {
			t.Fatal(list)
		}
		err := compiled.Shards()
		switch {
		case strings.Contains(c.text, "a[N]"):
			if err == nil {
				t.Error("a param of each row is taken in shards")
			}
		case (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, and %q is expected", c.text, err, c.want)
		}
	}
}
