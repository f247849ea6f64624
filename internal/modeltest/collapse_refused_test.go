package modeltest

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// What has no closed form is refused, by the checker or when it is lowered,
// with the reason.
func TestCollapseRefused(t *testing.T) {
	const head = "dim N, T\ndata y[N] : real\ndata c[N, T] : index[3]\ndata k[N] : count\n" +
		"param b : real ~ normal(0, 1)\n"
	const normal = "param u : real ~ normal(0, 1) by collapse\n"
	for text, want := range map[string]string{
		normal + "y ~ normal(u, 1) truncated(0, inf)":           "E0708 truncated",
		normal + "y ~ normal(u, 1) censored(-1, 1)":             "E0708 censored",
		normal + "y ~ normal(u, 1)\nlet q = u^2\nfactor q":      "E0708 factor",
		normal + "y ~ normal(u, 1)\nlet q = 2 * u\ntrack r = q": "E0708 track r",
		normal + "y ~ normal(u^2, 1)":                           "E0708 linear",
		normal + "y ~ normal(u, exp(u))":                        "E0510 elsewhere",
		normal + "let v = exp(u)\n" +
			"y ~ normal(u, v)": "E0708 sets sigma",
		normal + "y ~ normal(u, 1)\n" +
			"k ~ poisson_log(u)": "E0510 elsewhere",
		normal + "let v = u\ny ~ normal(u, 1)\n" +
			"k ~ poisson_log(v)": "E0708 not conjugate",
		normal + "param v : real ~ normal(0, 1) by collapse\n" +
			"y ~ normal(u + v, 1)": "E0708 on u and on v",
		normal + "param v : real ~ normal(u, 1) by collapse\n" +
			"y ~ normal(v, 1)": "E0708 another unknown",
		normal + "y ~ mixture(0.5, normal(u, 1), normal(b, 2))":                 "E0708 mixture",
		normal + "param v : positive ~ normal(u, 1)\ny ~ normal(v, 1)":          "E0708 narrower",
		"param u[N] : real ~ normal(0, 1) by collapse\ny ~ normal(sum(u), 1)":   "E0708 linear",
		"param u[N] : real ~ normal(0, 1) by collapse\ny ~ normal(u - u[0], 1)": "E0708 linear",
		"param u : positive ~ gamma(1, 1) by collapse\n" +
			"k ~ poisson(1 + u)": "E0708 something is added",
		"param u : positive ~ normal(0, 1) by collapse\n" +
			"y ~ normal(u, 1)": "E0510 part of its support",
		"param u : real ~ normal(0, 1) truncated(0, inf) by collapse\n" +
			"y ~ normal(u, 1)": "E0510 part of its support",
		"param u : real ~ cauchy(0, 1) by collapse\n" +
			"y ~ normal(u, 1)": "E0510 no conjugate pair",
		"param p : simplex[3] ~ dirichlet(1) by collapse\n" +
			"for n in N { c[n] ~ categorical((p + 1 / 3) / 2) }": "E0510",
		"param p : simplex[3] ~ dirichlet(1) by collapse\nlet q = (p + 1 / 3) / 2\n" +
			"for n in N { c[n] ~ categorical(p) }\nfactor q[0]": "E0708 factor",
		"for n in N {\n  local p : simplex[3] ~ dirichlet(1) by collapse\n  for t in T {\n" +
			"    local z : index[3] ~ categorical(p) by marginal\n" +
			"    c[n, t] ~ categorical(if z == 0 then ones(3) / 3 else [0.2, 0.3, 0.5])\n  }\n" +
			"}": "E0705 stands another unknown",
		"data o[N] : real?\n" + normal +
			"o ~ normal(u, 1)": "E0708 missing",
		"param u : real ~ normal(0, 1) by collapse\ny ~ normal(u, 1)\n" +
			"param v : interval(0, u^2 + 1)": "E0510 elsewhere",
		"param u : real ~ normal(0, 1) by collapse\ny ~ normal(u, 1)\nlet e = u^2 + 1\n" +
			"param v : interval(0, e) ~ uniform(0, e)": "E0708",
	} {
		c, diags := driver.Compile(source.New("model.sg", head+text), driver.Options{})
		var said []string
		for _, d := range diags {
			said = append(said, string(d.Code)+" "+d.Message)
		}
		code, part, _ := strings.Cut(want, " ")
		if c != nil || len(said) == 0 || !strings.HasPrefix(said[0], code) ||
			!strings.Contains(said[0], part) {
			t.Errorf("%s\ngives %q, want %s", text, said, want)
		}
	}
}
