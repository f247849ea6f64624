package stdlib_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/stdlib"
)

// modules are the files that are not one distribution.
var modules = []string{"functions", "nn"}

// distributions is what a model may count on, each a file of its own.
var distributions = []string{
	// on the line
	"cauchy", "double_exponential", "exp_mod_normal", "gumbel", "logistic", "normal", "pareto_type_2", "skew_normal", "std_normal",
	"student_t", "uniform", "von_mises",
	// on part of it
	"beta", "beta_proportion", "chi_square", "exponential", "frechet", "gamma", "inv_chi_square", "inv_gamma", "loglogistic",
	"lognormal", "pareto", "rayleigh", "scaled_inv_chi_square", "weibull",
	// on numbers that count or choose
	"bernoulli", "bernoulli_logit", "beta_binomial", "binomial", "binomial_logit", "categorical", "categorical_logit", "discrete_range",
	"hypergeometric", "neg_binomial", "neg_binomial_2", "neg_binomial_2_log", "ordered_logistic", "ordered_probit", "point_mass",
	"poisson", "poisson_log",
	// on vectors, simplexes and manifolds
	"dirichlet", "matrix_langevin", "multi_normal_cholesky", "multi_normal", "multi_normal_prec", "multi_student_t", "multi_student_t_cholesky",
	// on counts of outcomes, and on matrices
	"dirichlet_multinomial", "multinomial", "multinomial_logit",
	"inv_wishart", "inv_wishart_cholesky", "lkj_corr_cholesky", "wishart", "wishart_cholesky",
	"power_spherical", "uniform_sphere", "uniform_stiefel",
	"vmf", "watson",
}

// unsampled are the distributions whose generator is not written yet: those of
// the unnormalised ones reject, and need roots of the runtime.
var unsampled = []string{"matrix_langevin", "watson"}

func TestNames(t *testing.T) {
	want := slices.Sorted(slices.Values(append(slices.Clone(distributions), modules...)))
	if got := stdlib.Names(); !slices.Equal(got, want) {
		t.Errorf("files are\n%v, the table of this test is\n%v", got, want)
	}
	for _, name := range stdlib.Names() {
		text, ok := stdlib.Source(name)
		file, err := fs.ReadFile(stdlib.FS(), name+".sg")
		if !ok || err != nil || text == "" || text != string(file) {
			t.Errorf("%s: Source and FS do not agree on a text", name)
		}
	}
	for _, name := range []string{"", "no_such_file", "../stdlib/normal", "normal.sg"} {
		if text, ok := stdlib.Source(name); ok || text != "" {
			t.Errorf("Source(%q) = %q, %v; want none", name, text, ok)
		}
	}
}

var (
	header    = regexp.MustCompile(`(?m)^(dist|fn|layer) (\w+)\(`)
	citation  = regexp.MustCompile(`(?m)^/// Source: .*\(\d{4}\)`)
	checkLine = regexp.MustCompile(`(?m)^  check logpdf\(`)
	lineOf    = func(form string) *regexp.Regexp { return regexp.MustCompile(`(?m)^  ` + form + ` = `) }
)

// TestForm holds every distribution to the same form: one file, one dist of
// its name, a doc that cites its source, a density, a generator, test points.
func TestForm(t *testing.T) {
	for _, name := range distributions {
		text, _ := stdlib.Source(name)
		heads := header.FindAllStringSubmatch(text, -1)
		if len(heads) != 1 || heads[0][1] != "dist" || heads[0][2] != name {
			t.Errorf("%s: declares %v, want the one dist", name, heads)
		}
		if !strings.HasPrefix(text, "/// ") || !citation.MatchString(text) {
			t.Errorf("%s: want a doc that starts the file and names its source with a year", name)
		}
		if !lineOf(`logpdf\(\w\)`).MatchString(text) {
			t.Errorf("%s: no log density", name)
		}
		if n := len(checkLine.FindAllString(text, -1)); n < 4 {
			t.Errorf("%s: %d test points of the log density, want 4", name, n)
		}
		if got, want := lineOf("sample").MatchString(text), !slices.Contains(unsampled, name); got != want {
			t.Errorf("%s: has a generator: %v, want %v", name, got, want)
		}
		cdf, lower, upper := lineOf(`cdf\(\w\)`), lineOf(`logcdf\(\w\)`), lineOf(`logccdf\(\w\)`)
		if cdf.MatchString(text) != lower.MatchString(text) || cdf.MatchString(text) != upper.MatchString(text) {
			t.Errorf("%s: cdf, logcdf and logccdf come together or not at all", name)
		}
		for i, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 132 || strings.TrimRight(line, " \t") != line {
				t.Errorf("%s:%d: too long, or blanks at its end", name, i+1)
			}
		}
	}
}

// TestModulesDocumented: every function and layer of a module has a doc.
func TestModulesDocumented(t *testing.T) {
	for _, name := range modules {
		text, _ := stdlib.Source(name)
		lines := strings.Split(text, "\n")
		found := 0
		for i, line := range lines {
			if !header.MatchString(line) {
				continue
			}
			found++
			if i == 0 || !strings.HasPrefix(lines[i-1], "/// ") {
				t.Errorf("%s:%d: no doc above %q", name, i+1, line)
			}
		}
		if found == 0 {
			t.Errorf("%s declares nothing", name)
		}
	}
}
