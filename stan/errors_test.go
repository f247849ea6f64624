package stan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// TestAllErrors: one run reports the errors of all statements: those of the grammar where there are
// any, else those of the meaning, inside of loops and branches too.
func TestAllErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`functions {
  real f(real x) { return x + ; }
  real g(real x, { return x; }
  real h(real x) { return x; }
}
data {
  int N
  vector[N] y;
  vector[N x;
}
parameters {
  real a;
  reel b;
  real<lower=0> s
}
model {
  a ~ normal(0, 1;
  for (n in 1:N) { y[n] ~ normal(a, 1) y[n] ~ normal(0, 1); }
  b = = 2;
}
`, "2 E0801, 3 E0801, 7 E0801, 9 E0801, 13 E0801, 14 E0801, 17 E0801, 18 E0801, 19 E0801"},
		{`data { int N; vector[N] y; }
parameters { real a; real<lower=0> s; }
model {
  c ~ normal(0, 1);
  target += y * y;
  for (n in 1:N) {
    y[n] ~ normal(q, 1);
    real z = n * y[n];
    z ~ normall(0, 1);
    y[n] ~ normal(z, s);
  }
  if (bar > 1) {
    target += baz(1);
  } else
    a ~ normal(0, 1);
  {
    vector[N] w = nope;
    w[1] ~ normal(0, 1);
    target += also;
  }
}
`, "4 E0803, 5 E0805, 7 E0803, 9 E0807, 12 E0803, 13 E0804, 17 E0803, 19 E0803"},
	} {
		src := source.New("m.stan", c.text)
		r, diags := Import(src)
		var got []string
		for _, d := range diags {
			got = append(got, fmt.Sprintf("%d %s", src.Position(d.Span.Start).Line, d.Code))
		}
		if r != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("the errors are %s\nand not %s", strings.Join(got, ", "), c.want)
		}
	}
}
