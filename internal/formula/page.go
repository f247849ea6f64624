package formula

import (
	"fmt"
	"slices"
	"strings"
)

// A Row is a part of the notation of formulas, or a prior, and what it means.
type Row struct{ Text, Means string }

// Notation is what may stand in a formula.
var Notation = []Row{
	{"y ~ a + b", "the response, and a slope for each column; an intercept comes by itself"},
	{"0 + a, a - 1", "no intercept"},
	{"a:b, a*b, (a + b)^2, a/b", "interactions: a*b is a + b + a:b, a/b is a + a:b"},
	{"factor(a), C(a)",
		"a column of whole numbers as levels; contrasts against the lowest, as in R"},
	{"I(a^2), I(a > 1), log(a + 1)", "arithmetic of columns, with " + functionNames()},
	{"s(a), s(a, k = 6)", "a penalised cubic spline with k - 2 knots and a line; k is 10"},
	{"mo(a)", "a monotonic effect of whole numbers: steps between neighbours have one sign"},
	{"offset(a)", "a summand without a slope"},
	{"(1 + a | g)", "an intercept and a slope for each level of g, correlated"},
	{"(1 + a || g)", "the same without correlations"},
	{"(1 | g/h), (1 | g:h)", "nested groups: g/h is g and g:h"},
	{"y | trials(n)", "the trials of binomial families, a column or a number"},
	{"y | weights(w)", "weights of the rows' log densities"},
	{"log(y) ~ a", "a transformed response"},
	{"`a b`", "a column whose name has other signs, between backticks"},
}

// functionNames lists the functions of columns.
func functionNames() string {
	var names []string
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Priors are the rules of the priors, with where they come from.
var Priors = []Row{
	{"intercept", "student_t(3, m, s), m the median and s = max(2.5, mad) of the response on the " +
		"scale of the " +
		"link, rounded to a digit; m = 0 and s = 2.5 for logit, probit, cloglog and classes (brms)"},
	{"slope", "normal(0, 2.5 sd(y) / sd(x)) in families gaussian, student and lognormal with " +
		"link identity, " +
		"normal(0, 2.5 / sd(x)) in others (Bambi, rstanarm; brms has flat priors)"},
	{"standard deviations of groups and splines, sigma", "student_t(3, 0, s), above 0 (brms)"},
	{"correlations of the effects of a group", "lkj_corr_cholesky(1) (brms)"},
	{"thresholds of ordered classes", "student_t(3, 0, 2.5) (brms)"},
	{"steps of mo(a)", "dirichlet(1) (brms)"},
	{"shape of negbinomial", "inv_gamma(0.4, 0.3) (brms)"},
	{"shape of gamma and weibull, phi", "gamma(0.01, 0.01) (brms)"},
	{"nu of student", "gamma(2, 0.1), above 1 (brms)"},
	{"zi, hu", "beta(1, 1) (brms)"},
}

// Families are the rows of the table of families: their links and what they are for.
func Families() []Row {
	var out []Row
	for _, f := range families {
		out = append(out, Row{f.name + " (" + strings.Join(f.links, ", ") + ")", f.about})
	}
	return out
}

// Page is the text of `sgppl doc formula`.
func Page() string {
	var b strings.Builder
	b.WriteString(
		"sgppl formula 'y ~ x1 + s(x2) + (1 + x1 | school)' --family poisson --data d.csv\n\n" +
			"prints a model with default priors, which are computed from the columns. Columns are " +
			"centred where\n" +
			"there is an intercept: alpha is the predictor at their means, and b_Intercept, which is " +
			"stored with\n" +
			"the draws, is that where they are 0. docs/formula.md compares with brms and Bambi.\n")
	for _, part := range []struct {
		head string
		rows []Row
	}{
		{"What may stand in a formula", Notation},
		{"Families, with their links; the first is the default", Families()},
		{"Priors, with whose defaults they are", Priors},
	} {
		fmt.Fprintf(&b, "\n%s:\n\n", part.head)
		for _, r := range part.rows {
			fmt.Fprintf(&b, "  %s\n      %s\n", r.Text, folded(r.Means, 92, "      "))
		}
	}
	return b.String()
}

// folded breaks a text into lines of at most width characters, which begin with indent.
func folded(text string, width int, indent string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		if i > 0 && column+1+len(word) > width {
			b.WriteString("\n" + indent)
			column = 0
		} else if i > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
