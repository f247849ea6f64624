package translate

// A dist is a row of the table of distributions.
type dist struct {
	to       string // the name in the language, where it is not the same
	args     []int  // axes of one argument
	axes     int    // of one value
	discrete bool
	shift    bool   // values count from 1 in Stan, and from 0 here
	on       string // positive, unit, simplex: what a param of it may be without another density
	cdf      bool
	kind     string // of data that have it: bool, count
	own      string // its definition, where the library has no such law
}

// The table of distributions by their names in Stan.
var dists = map[string]dist{
	"normal": {args: []int{0, 0}, cdf: true}, "std_normal": {cdf: true},
	"student_t": {args: []int{0, 0, 0}, cdf: true}, "cauchy": {args: []int{0, 0}, cdf: true},
	"double_exponential": {args: []int{0, 0}, cdf: true}, "logistic": {args: []int{0, 0}, cdf: true},
	"gumbel": {args: []int{0, 0}, cdf: true}, "uniform": {args: []int{0, 0}, cdf: true},
	"exp_mod_normal": {args: []int{0, 0, 0}, cdf: true},
	"skew_normal":    {args: []int{0, 0, 0}, cdf: true}, "von_mises": {args: []int{0, 0}},
	"pareto_type_2":         {args: []int{0, 0, 0}, cdf: true},
	"lognormal":             {args: []int{0, 0}, cdf: true, on: "positive"},
	"chi_square":            {args: []int{0}, cdf: true, on: "positive"},
	"inv_chi_square":        {args: []int{0}, cdf: true, on: "positive"},
	"scaled_inv_chi_square": {args: []int{0, 0}, cdf: true, on: "positive"},
	"exponential":           {args: []int{0}, cdf: true, on: "positive"},
	"gamma":                 {args: []int{0, 0}, cdf: true, on: "positive"},
	"inv_gamma":             {args: []int{0, 0}, cdf: true, on: "positive"},
	"weibull":               {args: []int{0, 0}, cdf: true, on: "positive"},
	"frechet":               {args: []int{0, 0}, cdf: true, on: "positive"},
	"rayleigh":              {args: []int{0}, cdf: true, on: "positive"},
	"pareto":                {args: []int{0, 0}, cdf: true},
	"loglogistic":           {args: []int{0, 0}, cdf: true, on: "positive"},
	"beta":                  {args: []int{0, 0}, cdf: true, on: "unit"},
	"beta_proportion":       {args: []int{0, 0}, cdf: true, on: "unit"},

	"bernoulli":          {args: []int{0}, discrete: true, kind: "bool"},
	"bernoulli_logit":    {args: []int{0}, discrete: true, kind: "bool"},
	"binomial":           {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"binomial_logit":     {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"beta_binomial":      {args: []int{0, 0, 0}, discrete: true, kind: "count"},
	"hypergeometric":     {args: []int{0, 0, 0}, discrete: true, kind: "count"},
	"neg_binomial":       {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"neg_binomial_2":     {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"neg_binomial_2_log": {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"poisson":            {args: []int{0}, discrete: true, cdf: true, kind: "count"},
	"poisson_log":        {args: []int{0}, discrete: true, cdf: true, kind: "count"},
	"discrete_range":     {args: []int{0, 0}, discrete: true, cdf: true},
	"categorical":        {args: []int{1}, discrete: true, shift: true},
	"categorical_logit":  {args: []int{1}, discrete: true, shift: true},
	"ordered_logistic":   {args: []int{0, 1}, discrete: true, shift: true},
	"ordered_probit":     {args: []int{0, 1}, discrete: true, shift: true},

	"multi_normal":             {args: []int{1, 2}, axes: 1},
	"multi_normal_cholesky":    {args: []int{1, 2}, axes: 1},
	"multi_normal_prec":        {args: []int{1, 2}, axes: 1},
	"multi_student_t":          {args: []int{0, 1, 2}, axes: 1},
	"multi_student_t_cholesky": {args: []int{0, 1, 2}, axes: 1},
	"dirichlet":                {args: []int{1}, axes: 1, on: "simplex"},
	"multinomial":              {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"multinomial_logit":        {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"dirichlet_multinomial":    {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"lkj_corr":                 {args: []int{0}, axes: 2},
	"lkj_corr_cholesky":        {args: []int{0}, axes: 2, on: "corr_chol"},
	"wishart":                  {args: []int{0, 2}, axes: 2},
	"inv_wishart":              {args: []int{0, 2}, axes: 2},
	"wishart_cholesky":         {args: []int{0, 2}, axes: 2, on: "cov_chol"},
	"inv_wishart_cholesky":     {args: []int{0, 2}, axes: 2, on: "cov_chol"},

	"skew_double_exponential": {args: []int{0, 0, 0}, own: `dist skew_double_exponential(mu : real, ` +
		`sigma : positive, tau : unit) on real {
  logpdf(x) = log(2 * tau * (1 - tau) / sigma) -
              2 / sigma * (if x < mu then (1 - tau) * (mu - x) else tau * (x - mu))
}`},
	"beta_neg_binomial": {args: []int{0, 0, 0}, discrete: true, kind: "count",
		own: `dist beta_neg_binomial(r : positive, s : positive, t : positive) on count {
  logpdf(n) = lgamma(r + n) - lgamma(n + 1) - lgamma(r) + lbeta(s + r, t + n) - lbeta(s, t)
}`},
}

// glms are the fused regressions, by the law and the place of the coefficients.
var glms = map[string]struct {
	law  string
	more int // arguments behind the coefficients
}{
	"bernoulli_logit_glm": {"bernoulli_logit", 0}, "poisson_log_glm": {"poisson_log", 0},
	"normal_id_glm": {"normal", 1}, "neg_binomial_2_log_glm": {"neg_binomial_2_log", 1},
}
