package formula_test

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/internal/formula"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// TestPredictors: the inputs that each sum multiplies by unknowns, and whether it has an
// intercept.
func TestPredictors(t *testing.T) {
	for text, want := range map[string]string{
		"y[n] ~ normal(a + b * u[n] + v[n] * c, s)":                       "[{[u v] true}]",
		"y[n] ~ normal(b * u[n] - c * v[n] + b * c * u[n], s)":            "[{[u v] false}]",
		"y[n] ~ normal(x[n] @ w, s)":                                      "[{[x] false}]",
		"y[n] ~ normal(a + sum(x[n, p] * w[p] for p in P), s)":            "[{[x] true}]",
		"y[n] ~ normal(a + b * (u[n] - mean(u)) / sd(u) + c * v[n], s)":   "[{[v] true}]",
		"y[n] ~ normal(a + b * ((u[n] - mean(u)) / sd(u)) + c * v[n], s)": "[{[u v] true}]",
		"y[n] ~ normal(a + b * u[n], exp(c * v[n]))":                      "[{[u] true} {[v] false}]",
		"y[n] ~ normal(a + b * (u[n] * v[n]), s)":                         "[]",
		"y[n] ~ normal(a + log(u[n]) * b, s)":                             "[]",
		"y[n] ~ normal(u[n] + v[n] * 2, s)":                               "[]",
	} {
		f := source.New("m.sg", `dim N, P
data x[N, P], u[N], v[N], y[N] : real
param a, b, c : real ~ normal(0, 1)
param w[P] : real ~ normal(0, 1)
param s : positive ~ exponential(1)
for n in N { `+text+` }
`)
		file, list := parser.Parse(f)
		if list.Errors() {
			t.Fatal(list)
		}
		m := check.Check(file, check.Options{})
		if m.Diags.Errors() {
			t.Errorf("%s: %v", text, m.Diags)
			continue
		}
		if got := fmt.Sprint(formula.Predictors(m)); got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
}
