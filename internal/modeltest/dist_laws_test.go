package modeltest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/stdlib"
)

// A law is a distribution of numbers at arguments at which it is walked: ordinary
// ones, of which the tiny and huge ones of the walk are made. A list is a vector.
type law struct {
	name string
	args []number
}

// settings are the arguments at which a distribution of numbers is walked: those of laws,
// or, of one that has none there, the ordinary ones of its check lines.
func settings(d *ast.Dist, points []point) (out [][]number) {
	for _, l := range laws {
		if l.name == d.Name.Name {
			out = append(out, l.args)
		}
	}
	const most = 3
	for _, p := range points {
		known := slices.ContainsFunc(out,
			func(a []number) bool { return reflect.DeepEqual(a, p.args[1:]) })
		if !inLaws(d.Name.Name) && len(d.On.Sizes) == 0 && p.method == "logpdf" && p.moderate() &&
			!known && len(out) < most {
			out = append(out, p.args[1:])
		}
	}
	return out
}

// inLaws reports whether the settings of a distribution are written down, there or among
// those of vectors.
func inLaws(name string) bool {
	return slices.ContainsFunc(laws, func(l law) bool { return l.name == name })
}

// laws are at least two settings for every distribution that needs others than the
// arguments of its check lines.
var laws = []law{
	{"normal", nums(0.7, 1.3)}, {"normal", nums(-3, 0.4)},
	{"std_normal", nil},
	{"student_t", nums(4.5, -0.4, 0.8)}, {"student_t", nums(1.2, 3, 2)},
	{"student_t", nums(60, 0, 1)},
	{"cauchy", nums(0.3, 0.6)}, {"cauchy", nums(-4, 3)},
	{"double_exponential", nums(-0.5, 0.9)}, {"double_exponential", nums(2, 3)},
	{"logistic", nums(0.2, 0.7)}, {"logistic", nums(-5, 2)},
	{"gumbel", nums(0.4, 0.8)}, {"gumbel", nums(-3, 2.5)},
	{"skew_normal", nums(0.3, 1.2, 2.5)}, {"skew_normal", nums(-1, 0.7, -6)},
	{"skew_normal", nums(0.5, 2, 0.1)},
	{"exp_mod_normal", nums(0.3, 0.8, 1.4)}, {"exp_mod_normal", nums(-1, 2, 0.3)},
	{"uniform", nums(-1.5, 0.75)}, {"uniform", nums(3, 9)},
	{"von_mises", nums(2.5, 1.8)}, {"von_mises", nums(-0.4, 0.2)},
	{"pareto_type_2", nums(0.4, 1.3, 2.5)}, {"pareto_type_2", nums(-2, 0.5, 0.9)},
	{"lognormal", nums(-0.3, 0.6)}, {"lognormal", nums(1, 1.5)},
	{"exponential", nums(1.7)}, {"exponential", nums(0.2)},
	{"gamma", nums(2.3, 1.4)}, {"gamma", nums(0.6, 0.8)}, {"gamma", nums(70, 12)},
	{"inv_gamma", nums(3.2, 2.1)}, {"inv_gamma", nums(0.7, 0.4)},
	{"weibull", nums(1.6, 0.9)}, {"weibull", nums(0.8, 3)},
	{"frechet", nums(2.6, 0.9)}, {"frechet", nums(0.9, 3)},
	{"loglogistic", nums(1.2, 2.7)}, {"loglogistic", nums(0.5, 0.8)},
	{"pareto", nums(1.1, 2.7)}, {"pareto", nums(0.3, 0.8)},
	{"rayleigh", nums(1.3)}, {"rayleigh", nums(0.2)},
	{"chi_square", nums(3.4)}, {"chi_square", nums(0.9)},
	{"inv_chi_square", nums(4.4)}, {"inv_chi_square", nums(1.3)},
	{"scaled_inv_chi_square", nums(5, 0.8)}, {"scaled_inv_chi_square", nums(1.5, 2)},
	{"beta", nums(2.4, 1.3)}, {"beta", nums(0.5, 0.7)}, {"beta", nums(40, 90)},
	{"beta_proportion", nums(0.3, 5.5)}, {"beta_proportion", nums(0.7, 4)},
	{"bernoulli", nums(0.37)}, {"bernoulli", nums(0.95)},
	{"bernoulli_logit", nums(-0.7)}, {"bernoulli_logit", nums(3)},
	{"binomial", nums(9, 0.42)}, {"binomial", nums(150, 0.9)},
	{"binomial_logit", nums(7, 0.6)}, {"binomial_logit", nums(100, -2)},
	{"beta_binomial", nums(9, 1.4, 2.2)}, {"beta_binomial", nums(40, 0.5, 0.8)},
	{"hypergeometric", nums(6, 5, 9)}, {"hypergeometric", nums(12, 40, 7)},
	{"discrete_range", nums(2, 9)}, {"discrete_range", nums(0, 0)},
	{"poisson", nums(3.4)}, {"poisson", nums(42)},
	{"poisson_log", nums(0.9)}, {"poisson_log", nums(3.3)},
	{"neg_binomial", nums(2.6, 0.9)}, {"neg_binomial", nums(20, 3)},
	{"neg_binomial_2", nums(2.6, 1.9)}, {"neg_binomial_2", nums(30, 8)},
	{"neg_binomial_2_log", nums(1.1, 1.9)}, {"neg_binomial_2_log", nums(3, 8)},
	{"point_mass", nums(3)}, {"point_mass", nums(0)},
	{"categorical", []number{list(0.15, 0.35, 0.3, 0.2)}},
	{"categorical", []number{list(0.6, 0.4)}},
	{"categorical_logit", []number{list(0.4, -0.9, 0.1)}},
	{"categorical_logit", []number{list(2, 1)}},
	{"ordered_logistic", []number{num(0.4), list(-1, 0.3, 1.8)}},
	{"ordered_logistic", []number{num(-1), list(0.2)}},
	{"ordered_probit", []number{num(0.4), list(-1, 0.3, 1.8)}},
	{"ordered_probit", []number{num(-1), list(0.2)}},
}

func num(x float64) number     { return number{v: []float64{x}} }
func list(x ...float64) number { return number{v: x, list: []int{len(x)}} }
func nums(x ...float64) (out []number) {
	for _, v := range x {
		out = append(out, num(v))
	}
	return out
}

// A column of the table, and the distributions that have no entry in it: each
// with its reason. A column that is empty without a reason fails, and so does a
// reason that is no longer true.
type column struct {
	name   string
	absent map[string]string
}

const (
	unnormalised = "the density is not normalised"
	categories   = "its values are categories"
	elsewhere    = "its values are vectors"
)

// every gives one reason to several distributions.
func every(reason string, names string) map[string]string {
	out := map[string]string{}
	for _, n := range strings.Fields(names) {
		out[n] = reason
	}
	return out
}

func with(maps ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// vectors are the distributions that matrixLaws, directions and countLaws walk: those of
// values with axes that are not among laws.
var vectors = func() string {
	var out []string
	head := regexp.MustCompile(`(?m)^dist \w+\(.*\) on .*\[.*\{`)
	for _, n := range stdlib.Names() {
		if text, _ := stdlib.Source(n); head.MatchString(text) && !inLaws(n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}()

var columns = []column{
	{"points", nil},
	{"by row", nil},
	{"slopes", every("nothing to differentiate by", "discrete_range hypergeometric point_mass")},
	{"total", every(unnormalised, "matrix_langevin watson")},
	{"cdf", with(
		every(elsewhere, vectors),
		every(categories, "bernoulli bernoulli_logit categorical categorical_logit "+
			"ordered_logistic ordered_probit"),
		every("a sum of as many terms as the value", "beta_binomial hypergeometric"),
		every("an angle has no first value", "von_mises"),
		every("one value", "point_mass"))},
	{"cuts", with(
		every(elsewhere, vectors),
		every("no distribution function",
			"bernoulli bernoulli_logit categorical categorical_logit ordered_logistic "+
				"ordered_probit beta_binomial hypergeometric von_mises point_mass"))},
	{"draws", every("a generator would reject, and need roots of the runtime",
		"matrix_langevin watson")},
	{"mean", with(
		every(unnormalised, "matrix_langevin watson"),
		every("its size is that of the value", "lkj_corr_cholesky"),
		every("it is 0", "uniform_sphere uniform_stiefel"),
		every("its mean has no closed form", "uniform_grassmann hyperbolic_normal"),
		every(categories, "categorical categorical_logit ordered_logistic ordered_probit"),
		every("it has none", "cauchy"))},
	{"ends", every("its values are vectors, and its check lines go to the ends", vectors)},
}

// excused reports whether a distribution has a reason to lack a column.
func excused(name, dist string) bool {
	for _, c := range columns {
		if _, absent := c.absent[dist]; c.name == name && absent {
			return true
		}
	}
	return false
}
