package modeltest

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// TestClosedEnds: data may be equal to the ends of their type where their law
// has a finite density there, and nowhere else.
func TestClosedEnds(t *testing.T) {
	for _, c := range []struct {
		typ, law, entry string
		open            bool
	}{
		{"unit", "", "0", false}, {"unit", "", "1", false}, {"nonnegative", "", "0", false},
		{"interval(-1, 1)", "", "-1", false}, {"interval(0, inf)", "", "0", false},
		{"unit", "uniform(0, 1)", "0", false}, {"unit", "uniform(0, 1)", "1", false},
		{"unit", "normal(a, 1)", "1", false},
		{"interval(-1, 1)", "normal(a, 1) truncated(-1, 1)", "-1", false},
		{"interval(-1, 1)", "normal(a, 1) censored(-1, 1)", "1", false},
		{"nonnegative", "exponential(a)", "0", false},
		{"nonnegative", "normal(0, a) truncated(0, inf)", "0", false},
		{"nonnegative", "student_t(3, 0, a)", "0", false},
		{"interval(0, 5)", "weibull(a, 1) censored(0.1, 5)", "5", false},
		{"nonnegative", "exponential(a) truncated(0, 3)", "0", false},
		{"unit", "beta(a, 2)", "0", true}, {"unit", "beta(2, a)", "1", true},
		{"unit", "beta_proportion(0.5, a)", "1", true},
		{"nonnegative", "gamma(a, 1)", "0", true}, {"nonnegative", "lognormal(0, a)", "0", true},
		{"interval(0, inf)", "weibull(a, 1)", "0", true},
		{"nonnegative", "mixture(0.5, exponential(a), gamma(2, a))", "0", true},
		{"interval(-1, 1)", "gamma(a, 1)", "0", true}, {"nonnegative", "half(a)", "0", true},
		{"nonnegative", "closed_half(a)", "0", false},
	} {
		text := "dist half(s : positive) on positive {\n" +
			"  logpdf(x) = log(2) + normal.logpdf(x, 0, s)\n}\n" +
			"dist closed_half(s : positive) on nonnegative {\n" +
			"  logpdf(x) = log(2) + normal.logpdf(x, 0, s)\n}\n" +
			"data y[2] : " + c.typ + "\nparam a : positive ~ exponential(1)\n"
		if c.law != "" {
			text += "y ~ " + c.law + "\n"
		} else {
			text += "factor -a * sum(y)\n"
		}
		compiled, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
		if compiled == nil {
			t.Errorf("%s ~ %s: %s", c.typ, c.law, diags[0].Message)
			continue
		}
		file := filepath.Join(t.TempDir(), "d.json")
		if err := os.WriteFile(file, []byte(`{"y": [0.5, `+c.entry+`]}`), 0o644); err != nil {
			t.Fatal(err)
		}
		bound, _, errs := data.Bind(&compiled.Spec.Schema, []string{file}, nil, data.Options{})
		what := c.typ + " ~ " + c.law + " at " + c.entry
		if c.open {
			if len(errs) != 1 || errs[0].Code != "D0130" ||
				!strings.Contains(errs[0].Message, "y[1] is "+c.entry+", where ") ||
				!strings.Contains(errs[0].Message, "(m.sg:9)") {
				t.Errorf("%s: %v", what, errs)
			}
			continue
		}
		if len(errs) > 0 {
			t.Errorf("%s: %v", what, errs[0])
			continue
		}
		m, err := compiled.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		grad := make([]float64, 1)
		if f := m.Evaluator(0).LogDensityGradient([]float64{0.3}, nil, 1, 1,
			grad); math.IsNaN(f+grad[0]) || math.IsInf(f+grad[0], 0) {
			t.Errorf("%s: density %v, gradient %v", what, f, grad)
		}
	}
}

// TestNonnegativeParam: a param on nonnegative is one on positive, to the bit.
func TestNonnegativeParam(t *testing.T) {
	var got [2]float64
	for i, typ := range []string{"positive", "nonnegative"} {
		c, diags := driver.Compile(source.New("m.sg",
			"param a : "+typ+" ~ normal(1, 2)\nparam b[2] : "+typ+
				" ~ gamma(2, a)\nfactor -sum(b)\n"), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		m, err := c.VM(&data.Bound{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = m.Evaluator(0).LogDensity([]float64{0.3, -1, 0.2}, nil, 1, 1)
	}
	if got[0] != got[1] || math.IsNaN(got[0]) {
		t.Errorf("log densities %v", got)
	}
}
