package builtin

import . "github.com/sgppl/sgppl/lang/types"

// of makes a function of one number.
func of(name string, from, to Kind, doc string) *Func {
	return &Func{Name: name, Class: Elementwise, Params: []Param{{Name: "x", Kind: from}},
		Result: Param{Kind: to}, Doc: doc}
}

// of2 makes a function of two numbers.
func of2(name, a string, from Kind, b string, from2 Kind, to Kind, doc string) *Func {
	return &Func{Name: name, Class: Elementwise,
		Params: []Param{{Name: a, Kind: from}, {Name: b, Kind: from2}}, Result: Param{Kind: to},
		Doc: doc}
}

// of3 makes a function of three numbers.
func of3(
	name, a string, from Kind, b string, from2 Kind, c string, from3 Kind, to Kind, doc string,
) *Func {
	f := of2(name, a, from, b, from2, to, doc)
	f.Params = append(f.Params, Param{Name: c, Kind: from3})
	return f
}

func keep(f *Func) *Func                 { f.Keep = true; return f }
func op(f *Func, name string) *Func      { f.Op = name; return f }
func source(f *Func, where string) *Func { f.Source = where; return f }

const dlmf = "DLMF, https://dlmf.nist.gov, §"

func init() {
	add(
		of("exp", Real, Positive, "e to the power x"),
		of("log", Positive, Real, "the natural logarithm"),
		of("sqrt", Positive, Positive, "the square root"),
		keep(of("abs", Real, Real, "the absolute value")),
		of("log1p", Real, Real, "log(1 + x), exact for small x"),
		of("expm1", Real, Real, "exp(x) - 1, exact for small x"),
		source(of("lgamma", Positive, Real, "log of the gamma function's absolute value"),
			dlmf+"5.2"),
		source(of("digamma", Positive, Real, "the derivative of lgamma"), dlmf+"5.2"),
		source(of("trigamma", Positive, Positive, "the derivative of digamma"), dlmf+"5.15"),
		of("sigmoid", Real, Unit, "1 / (1 + exp(-x))"),
		of("log_sigmoid", Real, Real, "log(sigmoid(x)) without overflow"),
		of("log1m", Unit, Real, "log(1 - x)"),
		source(of("log1m_exp", Real, Real, "log(1 - exp(x)) for x below 0"),
			"Mächler (2012), Accurately computing log(1 - exp(-|a|))"),
		of("log1p_exp", Real, Positive, "log(1 + exp(x)) without overflow"),
		op(of("softplus", Real, Positive, "log(1 + exp(x)) without overflow"), "log1p_exp"),
		of("logit", Unit, Real, "log(x / (1 - x))"),
		of("tanh", Real, Real, "the hyperbolic tangent"),
		of("sinh", Real, Real, "the hyperbolic sine"),
		of("cosh", Real, Positive, "the hyperbolic cosine"),
		of("sin", Real, Real, "the sine of an angle in radians"),
		of("cos", Real, Real, "the cosine of an angle in radians"),
		of("tan", Real, Real, "the tangent of an angle in radians"),
		of("asin", Real, Real, "the angle in [-π/2, π/2] whose sine is x"),
		of("acos", Real, Real, "the angle in [0, π] whose cosine is x"),
		of("atan", Real, Real, "the angle in (-π/2, π/2) whose tangent is x"),
		of2("atan2", "y", Real, "x", Real, Real, "the angle of the point (x, y)"),
		of("floor", Real, Int, "the largest whole number that is not above x"),
		of("ceil", Real, Int, "the smallest whole number that is not below x"),
		of("round", Real, Int, "the nearest whole number"),
		of("sign", Real, Int, "-1, 0 or 1"),
		source(of("erf", Real, Real, "the error function"), dlmf+"7.2"),
		source(of("erfc", Real, Positive, "1 - erf(x), exact in the tail"), dlmf+"7.2"),
		of("normal_cdf", Real, Unit, "the standard normal distribution function"),
		of("log_normal_cdf", Real, Real, "log(normal_cdf(x)), exact in the tail"),
		op(of("normal_logcdf", Real, Real, "log(normal_cdf(x)), exact in the tail"),
			"log_normal_cdf"),
		of("relu", Real, Real, "max(x, 0)"),
		source(of("gelu", Real, Real, "x times normal_cdf(x)"),
			"Hendrycks & Gimpel (2016), Gaussian error linear units"),
		source(of2("dropout", "x", Real, "rate", Unit, Real,
			"in a step of optimize 0 with the probability rate, else x / (1 - rate), drawn for "+
				"every entry, row and step; x in all else; models with it cannot be sampled"),
			"Srivastava et al. (2014), Dropout, Journal of Machine Learning Research 15, §4 and §10"),
		keep(of("square", Real, Real, "x times x")),
		of2("mod", "x", Real, "y", Real, Real,
			"x % y, the remainder x - y * floor(x / y), which has the sign of y"),
		of2("pow", "x", Real, "y", Real, Real, "x to the power y"),
		of2("lbeta", "a", Positive, "b", Positive, Real, "log of the beta function"),
		source(of2("vmf_log_constant", "d", Count, "kappa", Positive, Real,
			"log of the factor of the von Mises-Fisher density in R^d"),
			"Mardia & Jupp (2000), Directional Statistics, §9.3.2"),
		source(of2("vmf_ratio", "d", Count, "kappa", Positive, Positive,
			"the mean resultant length of a von Mises-Fisher law in R^d"),
			"Mardia & Jupp (2000), Directional Statistics, §9.3.2"),
		of2("lchoose", "n", Real, "k", Real, Real, "log of n choose k"),
		source(of2("polygamma", "n", Count, "x", Positive, Real,
			"the derivative of order n of digamma"), dlmf+"5.15"),
		source(of("normal_quantile", Unit, Real, "the x at which normal_cdf is p"),
			"Abramowitz & Stegun (1964) 26.2.23, refined"),
		source(of2("log_gamma_p", "a", Positive, "x", Positive, Real,
			"log of the regularised lower incomplete gamma function P(a, x)"), dlmf+"8.2"),
		source(of2("log_gamma_q", "a", Positive, "x", Positive, Real,
			"log of the regularised upper incomplete gamma function Q(a, x)"), dlmf+"8.2"),
		source(of3("log_beta_inc_logit", "a", Positive, "b", Positive, "s", Real, Real,
			"log of the regularised incomplete beta function at sigmoid(s), exact at both ends; "+
				"its upper side is log_beta_inc_logit(b, a, -s)"), dlmf+"8.17"),
		source(of2("log_student_t_cdf", "nu", Positive, "z", Real, Real,
			"log of the distribution function of the standard Student t"),
			"Johnson, Kotz & Balakrishnan (1995), Continuous Univariate Distributions 2, ch. 28"),
		source(of("log_erfcx", Real, Real, "log of exp(x^2) erfc(x), without overflow"),
			dlmf+"7.2"),
		source(of2("log_skew_normal_cdf", "z", Real, "alpha", Real, Real,
			"log of the distribution function of the standard skew normal"),
			"Azzalini (1985), A class of distributions which includes the normal ones"),
	)
	for _, g := range []*Func{
		{Name: "rand_uniform", Result: Param{Kind: Unit}, Doc: "a number between 0 and 1"},
		{Name: "rand_normal", Result: Param{Kind: Real}, Doc: "a standard normal number"},
		{Name: "rand_exponential", Result: Param{Kind: Positive},
			Doc: "an exponential number of rate 1"},
		{Name: "rand_gamma", Params: []Param{{Name: "shape", Kind: Positive}},
			Result: Param{Kind: Positive}, Doc: "a gamma number of rate 1"},
		{Name: "rand_log_gamma", Params: []Param{{Name: "shape", Kind: Positive}},
			Result: Param{Kind: Real}, Doc: "the log of a gamma number of rate 1"},
		{Name: "rand_poisson", Params: []Param{{Name: "rate", Kind: Positive}},
			Result: Param{Kind: Count}, Doc: "a Poisson number"},
		{Name: "rand_binomial", Params: []Param{{Name: "n", Kind: Count}, {Name: "p", Kind: Unit}},
			Result: Param{Kind: Count}, Doc: "a binomial number"},
		{Name: "rand_hypergeometric",
			Params: []Param{{Name: "n", Kind: Count}, {Name: "a", Kind: Count},
				{Name: "b", Kind: Count}}, Result: Param{Kind: Count},
			Doc: "how many of n draws without replacement from a marked and b others are marked"},
		{Name: "rand_categorical",
			Params: []Param{{Name: "p", Kind: Positive, Sizes: []string{"K"}}},
			Result: Param{Kind: Count}, Doc: "an index with the given weights"},
		{Name: "rand_multinomial",
			Params: []Param{{Name: "n", Kind: Int},
				{Name: "p", Kind: Positive, Sizes: []string{"K"}}},
			Result: Param{Kind: Count, Sizes: []string{"K"}},
			Doc:    "counts of n trials among outcomes with the given weights"},
		{Name: "rand_von_mises", Params: []Param{{Name: "kappa", Kind: Positive}},
			Result: Param{Kind: Real}, Doc: "an angle around 0 with the density of von Mises"},
		{Name: "rand_vmf_gap",
			Params: []Param{{Name: "d", Kind: Count}, {Name: "kappa", Kind: Positive}},
			Result: Param{Kind: Positive},
			Doc:    "1 - mu·x of a von Mises-Fisher vector x in R^d",
			Source: "Wood (1994), Simulation of the von Mises Fisher distribution"},
		{Name: "rand_sphere", Params: []Param{{Name: "n", Kind: Count}},
			Result: Param{Kind: Sphere, Sizes: []string{"n"}}, Doc: "a uniform unit vector of R^n"},
	} {
		g.Class = Generator
		add(g)
	}
}
