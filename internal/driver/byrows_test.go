package driver_test

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// TestByRows: which models can have their rows read some at a time, and why not.
func TestByRows(t *testing.T) {
	const head = "dim N, P, K\ndata x[N, P] : real\ndata y[N] : real\ndata g[N] : index[K]\n" +
		"data m : real\ndata t[K] : real\nparam w[P], a[K] : real ~ normal(0, 1)\n"
	for _, c := range []struct{ name, text, want string }{
		{"rows apart", head + "for n in N { y[n] ~ normal(x[n] @ w, 1) }", ""},
		{"groups", head + "for n in N { y[n] ~ normal(x[n] @ w + a[g[n]] + t[g[n]], 1) }", ""},
		{"columns of a row", head +
			"for n in N { y[n] ~ normal(x[n] @ w + log(1 + x[n, 0]) * sum(x[n]), exp(m)) }", ""},
		{"constants without rows", head + "for n in N { y[n] ~ normal(x[n] @ w - mean(t), 1) }",
			""},
		{"the number of rows among the unknowns",
			head + "for n in N { y[n] ~ normal(x[n] @ w / N, 1) }", ""},
		{"the number of rows in the prior",
			head + "data s : positive\nfor p in P { factor -w[p] * w[p] * s / N }\n" +
				"for n in N { y[n] ~ normal(x[n] @ w, 1) }", ""},
		{"mean of a column", head + "for n in N { y[n] ~ normal((x[n, 0] - mean(y)) * w[0], 1) }",
			"a value without the axis N is computed of all rows of y, as mean(y) is"},
		{"a column of all rows",
			head + "let s = mean(y)\nfor n in N { y[n] ~ normal(s * w[0], 1) }",
			"a value without the axis N"},
		{"another row", head +
			"data p[N] : index[N]\nfor n in N { y[n] ~ normal(y[p[n]] * w[0], 1) }",
			"gather goes along the rows"},
		{"the number of a row", head + "for n in N { y[n] ~ normal(x[n] @ w + 0.1 * n, 1) }",
			"the number of a row goes into its value"},
		{"an input with rows elsewhere",
			"dim N, P\ndata x[P, N], y[N] : real\nparam w[P] : real ~ normal(0, 1)\n" +
				"for n in N { y[n] ~ normal(sum(x[p, n] * w[p] for p in P), 1) }",
			"x : real[P, N] has the axis N elsewhere than first"},
		{"no rows", "data y : real\nparam w : real ~ normal(y, 1)",
			"the model has no axis that can be minibatched"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, diags := driver.Compile(source.New("m.sg", c.text),
				driver.Options{RowDim: rowDim(c.text)})
			if m == nil {
				t.Fatal(diags)
			}
			if grows := m.Grows() == nil; c.want == "" && grows == strings.Contains(c.text, "/ N") {
				t.Errorf("rows may be added: %v", grows)
			}
			err := m.ByRows()
			if c.want == "" && err != nil ||
				c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func rowDim(text string) string {
	if strings.HasPrefix(text, "dim N") {
		return "N"
	}
	return ""
}
