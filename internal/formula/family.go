package formula

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A family is a row of the table of distributions of the response.
type family struct {
	name    string
	aliases []string
	links   []string          // the first is the default
	typ     string            // of the response in the model
	law     string            // $mu, $eta and $n stand for the mean, the predictor and the trials
	laws    map[string]string // of links that have a law of their own
	aux     []auxiliary
	holds   func(y float64) bool
	needs   string // what holds says, in words
	logged  bool   // the law takes the logarithm of the response
	trials  bool   // the response has | trials(n)
	classes string // "ordinal" or "categorical": the response is a class, counted from its lowest
	define  string // a distribution that the model defines
	about   string
}

// An auxiliary is what a family has besides a mean, with the default prior of brms.
type auxiliary struct{ name, typ, prior, about string }

var (
	sigma = auxiliary{"sigma", "positive", "$scale", "the residual standard deviation"}
	phi   = auxiliary{"phi", "positive", "gamma(0.01, 0.01)", "the precision"}
	zi    = auxiliary{"zi", "unit", "beta(1, 1)", "the probability of an additional 0"}
	shape = auxiliary{"shape", "positive", "inv_gamma(0.4, 0.3)",
		"the overdispersion: a small shape is far from Poisson"}
	bend = auxiliary{"shape", "positive", "gamma(0.01, 0.01)", "the shape"}
)

func anyNumber(float64) bool    { return true }
func isCount(y float64) bool    { return y >= 0 && whole([]float64{y}) }
func isPositive(y float64) bool { return y > 0 }
func isTruth(y float64) bool    { return y == 0 || y == 1 }
func isInside(y float64) bool   { return y > 0 && y < 1 }
func isWhole(y float64) bool    { return whole([]float64{y}) }

var logits = []string{"logit", "probit", "cloglog"}

const counts = "whole numbers from 0"

// families are what --family may be.
var families = []family{
	{name: "gaussian", aliases: []string{"normal"}, links: []string{"identity", "log", "inverse"},
		typ: "real", law: "normal($mu, sigma)", aux: []auxiliary{sigma}, holds: anyNumber,
		about: "numbers, with normal residuals"},
	{name: "student", aliases: []string{"student_t", "t"}, links: []string{"identity", "log"},
		typ: "real", law: "student_t(nu, $mu, sigma)", holds: anyNumber,
		aux: []auxiliary{sigma,
			{"nu", "interval(1, inf)", "gamma(2, 0.1)", "the degrees of freedom"}},
		about: "numbers, with outliers"},
	{name: "lognormal", links: []string{"identity"}, typ: "positive", law: "lognormal($eta, sigma)",
		aux: []auxiliary{sigma}, holds: isPositive, needs: "numbers above 0", logged: true,
		about: "numbers above 0, whose logarithm is normal"},
	{name: "gamma", links: []string{"log", "inverse", "identity"}, typ: "positive",
		law: "gamma(shape, shape / ($mu))", laws: map[string]string{
			"log": "gamma(shape, shape * exp(-$eta))", "inverse": "gamma(shape, shape * $eta)"},
		aux: []auxiliary{bend}, holds: isPositive, needs: "numbers above 0",
		about: "numbers above 0, with a constant coefficient of variation"},
	{name: "exponential", links: []string{"log"}, typ: "nonnegative",
		law:   "exponential(exp(-$eta))",
		holds: func(y float64) bool { return y >= 0 }, needs: "numbers from 0",
		about: "waiting times"},
	{name: "weibull", links: []string{"log"}, typ: "positive",
		law: "weibull(shape, exp($eta - lgamma(1 + 1 / shape)))",
		aux: []auxiliary{bend}, holds: isPositive, needs: "numbers above 0", about: "lifetimes"},
	{name: "beta", links: logits, typ: "unit", law: "beta_proportion($mu, phi)",
		aux: []auxiliary{phi}, holds: isInside, needs: "numbers between 0 and 1, without both",
		about: "shares between 0 and 1"},
	{name: "bernoulli", aliases: []string{"logistic"}, links: logits, typ: "bool",
		law:  "bernoulli($mu)",
		laws: map[string]string{"logit": "bernoulli_logit($eta)"}, holds: isTruth, needs: "0 and 1",
		about: "0 or 1"},
	{name: "binomial", links: logits, typ: "count", law: "binomial($n, $mu)",
		laws: map[string]string{"logit": "binomial_logit($n, $eta)"}, holds: isCount, needs: counts,
		trials: true, about: "successes in trials: y | trials(n)"},
	{name: "beta_binomial", links: logits, typ: "count", holds: isCount, needs: counts,
		law: "beta_binomial($n, phi * $mu, phi * (1 - $mu))", aux: []auxiliary{phi}, trials: true,
		about: "successes in trials, with more variance than the binomial"},
	{name: "poisson", links: []string{"log", "identity", "sqrt"}, typ: "count", law: "poisson($mu)",
		laws: map[string]string{"log": "poisson_log($eta)"}, holds: isCount, needs: counts,
		about: "counts"},
	{name: "negbinomial", aliases: []string{"negative_binomial", "negativebinomial", "nbinom"},
		links: []string{"log"}, typ: "count", law: "neg_binomial_2_log($eta, shape)",
		aux: []auxiliary{shape}, holds: isCount, needs: counts,
		about: "counts, with more variance than Poisson"},
	{name: "geometric", links: []string{"log"}, typ: "count", law: "neg_binomial_2_log($eta, 1)",
		holds: isCount, needs: counts, about: "counts, as negbinomial of shape 1"},
	{name: "zero_inflated_poisson", aliases: []string{"zip"}, links: []string{"log"}, typ: "count",
		law: "mixture(zi, point_mass(0), poisson_log($eta))", aux: []auxiliary{zi}, holds: isCount,
		needs: counts, about: "counts with additional zeros"},
	{name: "zero_inflated_negbinomial", aliases: []string{"zinb"}, links: []string{"log"},
		typ: "count", law: "mixture(zi, point_mass(0), neg_binomial_2_log($eta, shape))",
		aux: []auxiliary{shape, zi}, holds: isCount, needs: counts,
		about: "counts with additional zeros and more variance than Poisson"},
	{name: "zero_inflated_binomial", aliases: []string{"zib"}, links: []string{"logit"},
		typ: "count", law: "mixture(zi, point_mass(0), binomial_logit($n, $eta))",
		aux: []auxiliary{zi}, holds: isCount, needs: counts, trials: true,
		about: "successes in trials, with additional zeros"},
	{name: "hurdle_poisson", links: []string{"log"}, typ: "count", law: "hurdle_poisson($eta, hu)",
		aux: []auxiliary{{"hu", "unit", "beta(1, 1)", "the probability of 0"}}, holds: isCount,
		needs: counts, define: hurdle, about: "zeros by a coin, and counts above 0"},
	{name: "cumulative", aliases: []string{"ordinal"}, links: []string{"logit", "probit"},
		typ: "index", law: "ordered_logistic($eta, cut)", classes: "ordinal",
		laws: map[string]string{"probit": "ordered_probit($eta, cut)"}, holds: isWhole,
		needs: "whole numbers", about: "ordered classes"},
	{name: "categorical", aliases: []string{"multinomial_logit"}, links: []string{"logit"},
		typ: "index", law: "categorical_logit($eta)", classes: "categorical", holds: isWhole,
		needs: "whole numbers", about: "classes without an order; the lowest is the reference"},
}

// hurdle is the law of family hurdle_poisson. A Poisson count that is not 0 is one more
// than the events after the first; the time -log(u) of the first is drawn given that it
// comes before exp(eta).
const hurdle = `/// 0 with probability hu, else a Poisson count above 0 whose log rate is eta.
dist hurdle_poisson(eta : real, hu : unit) on count {
  logpdf(y) = if y == 0 then log(hu) else log1p(-hu) + poisson_log.logpdf(y, eta) - log1m_exp(-exp(eta))
  sample = if bernoulli.sample(hu) then 0 else 1 + poisson.sample(exp(eta) + log(uniform.sample(exp(-exp(eta)), 1)))
}
`

// links are how a mean follows from the predictor.
var links = map[string]string{
	"identity": "$eta", "log": "exp($eta)", "inverse": "1 / $eta", "sqrt": "$eta^2",
	"logit": "sigmoid($eta)", "probit": "normal.cdf($eta, 0, 1)", "cloglog": "-expm1(-exp($eta))",
}

// notFamilies says what to do for families of brms that are not covered.
var notFamilies = map[string]string{
	"sratio":             "cumulative is the ordinal family that is covered",
	"cratio":             "cumulative is the ordinal family that is covered",
	"acat":               "cumulative is the ordinal family that is covered",
	"multinomial":        "write the model with multinomial_logit",
	"dirichlet":          "write the model with dirichlet",
	"von_mises":          "write the model with von_mises",
	"skew_normal":        "write the model with skew_normal",
	"exgaussian":         "write the model with exp_mod_normal",
	"frechet":            "write the model with frechet",
	"gen_extreme_value":  "gumbel is the law of maxima that the language has",
	"asym_laplace":       "write the model with quantiles in a dist",
	"inverse.gaussian":   "gamma and lognormal are near",
	"wiener":             "write the model with a dist",
	"hurdle_gamma":       "fit y > 0 by bernoulli, and the rows above 0 by gamma",
	"hurdle_lognormal":   "fit y > 0 by bernoulli, and the rows above 0 by lognormal",
	"hurdle_negbinomial": "hurdle_poisson and zero_inflated_negbinomial are near",
	"zero_inflated_beta": "fit y > 0 by bernoulli, and the rows above 0 by beta",
	"cox":                "weibull and exponential are parametric",
}

// familyNamed finds a family and the link of it that is asked for.
func familyNamed(name, link string) (*family, string, error) {
	var names []string
	for i := range families {
		f := &families[i]
		names = append(append(names, f.name), f.aliases...)
		if !strings.EqualFold(name, f.name) && !slices.Contains(f.aliases, strings.ToLower(name)) {
			continue
		}
		if link == "" {
			return f, f.links[0], nil
		}
		if !slices.Contains(f.links, link) {
			return nil, "", fmt.Errorf("--link %s: family %s has %s", link, f.name,
				strings.Join(f.links, ", "))
		}
		return f, link, nil
	}
	sort.Strings(names)
	suggest := "; the families are " + strings.Join(FamilyNames(), ", ")
	if x := notFamilies[strings.ToLower(name)]; x != "" {
		suggest = ", which is not covered: " + x
	} else if near := spelling.Nearest(strings.ToLower(name), names); near != "" {
		suggest = "; did you mean " + near + "?"
	}
	return nil, "", fmt.Errorf("--family %s%s", name, suggest)
}

// FamilyNames are the names of the families, in the order of the table.
func FamilyNames() []string {
	var out []string
	for _, f := range families {
		out = append(out, f.name)
	}
	return out
}
