package formula

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// mistakes are formulas with the column of the mistake, a part of the message, and a part of
// the suggestion.
var mistakes = []struct {
	formula, family string
	column          int
	says, suggests  string
}{
	{"y x1", "gaussian", 3, "expected `~` after the response, found `x1`", "y ~ x1 + x2"},
	{"y ~ x1 +", "gaussian", 9, "found the end of the formula", ""},
	{"y ~ (x1", "gaussian", 8, "expected `)`", ""},
	{"y ~ x1 # x2", "gaussian", 8, "found '#'", "backticks"},
	{"y ~ `x1", "gaussian", 5, "no second backtick", ""},
	{"y ~ x1 | school", "gaussian", 8, "found `|`", "(1 | school)"},
	{"y ~ (1 |id| school)", "gaussian", 11, "found `|`", "(1 | group)"},
	{"y ~ .", "gaussian", 5, "found `.`", "name the columns"},
	{"y ~ 3", "gaussian", 5, "not 0 or 1", "I(2 * x)"},
	{"y ~ (x1 + x2)^x1", "gaussian", 15, "power of terms", "I(x^2)"},
	{"y ~ x1 - x2", "gaussian", 10, "stands before", "a*b - a:b"},
	{"y ~ s(x1, x2)", "gaussian", 5, "found 2 arguments", "s(x1) + s(x2)"},
	{"y ~ s(x1, by = x2)", "gaussian", 16, "found by", "edit the model"},
	{"y ~ s(x1, k = 200)", "gaussian", 15, "from 4 to 100", "k = 10"},
	{"y ~ s(class)", "gaussian", 5, "found 3", "lower k to 4"},
	{"y ~ x1:s(x2)", "gaussian", 8, "in an interaction", "edit the model"},
	{"y ~ poly(x1, 2)", "gaussian", 5, "poly, which is not covered", "I(x^2)"},
	{"y ~ lgo(x1)", "gaussian", 5, "lgo, which is not covered", "did you mean log?"},
	{"y ~ gp(x1)", "gaussian", 5, "gp, which is not covered", "Gaussian process"},
	{"y ~ x3", "gaussian", 5, "no column x3", "did you mean"},
	{"y ~ log(x1)", "gaussian", 5, "expected finite values", "log1p"},
	{"y ~ name", "gaussian", 5, "\"a\" is no number", "mend the table"},
	{"y ~ log(town)", "gaussian", 9, "the words Ada and Bath and Cork",
		"words are levels: write town as a term"},
	{"y ~ mo(town)", "gaussian", 8, "the order of the levels of town in mo()",
		"--levels town=low,middle,high"},
	{"town ~ x1", "cumulative", 1, "the order of the levels of town as the response",
		"--levels town="},
	{"town ~ x1", "gaussian", 1, "a column of numbers", "words are levels"},
	{"y ~ gap", "gaussian", 5, "2 missing entries, the first in row 3",
		"--na drop leaves these rows out"},
	{"y ~ flat", "gaussian", 5, "same in all rows", "leave it out"},
	{"y ~ factor(x1)", "gaussian", 12, "whole numbers as levels", "number the levels"},
	{"y ~ (1 | x1)", "gaussian", 10, "whole numbers as groups", "number the groups"},
	{"y ~ (1 | far)", "gaussian", 10, "one after another", "number the groups"},
	{"y ~ (s(x1) | school)", "gaussian", 6, "left of `|`, found s", "not covered"},
	{"y ~ (0 | school)", "gaussian", 5, "expected an effect", "(1 | g)"},
	{"y ~ mo(x1)", "gaussian", 8, "whole numbers in mo()", "number the levels"},
	{"y ~ mo(school) + (1 | school)", "gaussian", 23, "one use of column school",
		"copy the column"},
	{"y ~ x1", "poisson", 1, "whole numbers from 0", "gaussian"},
	{"y ~ x1", "bernoulli", 1, "expected 0 and 1", "gaussian"},
	{"count ~ x1", "binomial", 1, "expected trials()", "trials(n)"},
	{"count | trials(n) ~ x1", "poisson", 1, "no trials()", "--family binomial"},
	{"n | trials(class) ~ x1", "binomial", 1, "as many successes as trials", ""},
	{"y | cens(hit) ~ x1", "gaussian", 5, "cens, which is not covered", "censored"},
	{"count | weights(x2) ~ x1", "zero_inflated_poisson", 1, "no weights()", "negbinomial"},
	{"grade ~ 0 + x1", "cumulative", 9, "expected an intercept", "how frequent"},
	{"grade ~ x1 + (1 | school)", "categorical", 14, "effects of a group", "cumulative"},
	{"cbind(y, n) ~ x1", "binomial", 1, "cbind, which is not covered", "trials(n)"},
}

// TestMistakes: every mistake has its place, what was expected and found, and what to do.
func TestMistakes(t *testing.T) {
	table := people("N n")
	more := func(name string, f func(i int) float64) {
		c := Column{Name: name}
		for i := range 60 {
			c.Values = append(c.Values, f(i))
		}
		table.Columns = append(table.Columns, c)
	}
	more("gap", func(i int) float64 {
		if i == 2 || i == 7 {
			return math.NaN()
		}
		return float64(i)
	})
	more("flat", func(int) float64 { return 3 })
	more("far", func(i int) float64 { return float64(i%3) * 1e6 })
	table.Columns = append(table.Columns, Column{Name: "name", Wrong: `"a" is no number`})
	for _, m := range mistakes {
		f, err := Parse(m.formula)
		if err == nil {
			_, err = Write(f, table, Options{Family: m.family})
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", m.formula, err)
			continue
		}
		if column := len([]rune(m.formula[:e.At.Start])) + 1; column != m.column {
			t.Errorf("%s: column %d, want %d: %v", m.formula, column, m.column, err)
		}
		if !strings.Contains(e.Message, m.says) || !strings.Contains(e.Message, "expected") ||
			!strings.Contains(e.Message, "found") {
			t.Errorf("%s: says %q, want %q, with what was expected and found", m.formula,
				e.Message, m.says)
		}
		if !strings.Contains(e.Suggest, m.suggests) {
			t.Errorf("%s: suggests %q, want %q", m.formula, e.Suggest, m.suggests)
		}
	}
}

// FuzzFormula: no text makes the reader of formulas, or the writer of models, panic.
func FuzzFormula(f *testing.F) {
	for _, c := range cases {
		f.Add(c.formula)
	}
	table := people("")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			_ = err.Error()
			return
		}
		if _, err := Write(x, table, Options{Family: "gaussian"}); err != nil {
			_ = err.Error()
		}
	})
}
