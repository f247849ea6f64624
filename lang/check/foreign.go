package check

// A hint is how a distribution of another language is written here.
type hint struct{ name, note string }

// otherForms say what a distribution is called for an argument of more axes.
var otherForms = map[string]string{
	"multi_normal": "sigma holds standard deviations; for a full covariance write multi_normal_cholesky(mu, cholesky(Sigma))",
}

// foreignDists are the names of Stan, PyMC, NumPyro and their relatives, in
// lower case and without underscores.
var foreignDists = map[string]hint{
	"laplace":             {"double_exponential", "the Laplace distribution is double_exponential(mu, sigma)"},
	"normal":              {"normal", "names are in lower case: normal(mu, sigma), with the standard deviation"},
	"gaussian":            {"normal", "the Gaussian distribution is normal(mu, sigma), with the standard deviation"},
	"norm":                {"normal", "it is normal(mu, sigma), with the standard deviation"},
	"halfnormal":          {"normal", "declare the param as positive and write normal(0, sigma): a prior on a narrower type is conditioned on it"},
	"halfcauchy":          {"cauchy", "declare the param as positive and write cauchy(0, sigma): a prior on a narrower type is conditioned on it"},
	"halfstudentt":        {"student_t", "declare the param as positive and write student_t(nu, 0, sigma): a prior on a narrower type is conditioned on it"},
	"truncatednormal":     {"normal", "write normal(mu, sigma) truncated(lo, hi)"},
	"flat":                {"", "leave the ~ away: the density is then 1 on the type"},
	"halfflat":            {"", "declare the param as positive and leave the ~ away"},
	"improperuniform":     {"", "leave the ~ away: the density is then 1 on the type"},
	"studentt":            {"student_t", "it is student_t(nu, mu, sigma)"},
	"lognormal":           {"lognormal", "it is lognormal(mu, sigma), on the log scale"},
	"inversegamma":        {"inv_gamma", "it is inv_gamma(alpha, beta), shape and scale"},
	"invgamma":            {"inv_gamma", "it is inv_gamma(alpha, beta), shape and scale"},
	"gamma":               {"gamma", "it is gamma(alpha, beta), shape and rate"},
	"beta":                {"beta", "it is beta(alpha, beta)"},
	"cauchy":              {"cauchy", "it is cauchy(mu, sigma)"},
	"exp":                 {"exponential", "it is exponential(beta), by its rate"},
	"exponential":         {"exponential", "it is exponential(beta), by its rate"},
	"weibull":             {"weibull", "it is weibull(alpha, sigma), shape and scale"},
	"uniform":             {"uniform", "it is uniform(alpha, beta)"},
	"bernoulli":           {"bernoulli", "it is bernoulli(theta)"},
	"bernoullilogits":     {"bernoulli_logit", "it is bernoulli_logit(alpha)"},
	"bernoulliprobs":      {"bernoulli", "it is bernoulli(theta)"},
	"bernoullilogitglm":   {"bernoulli_logit", "write bernoulli_logit(X @ beta + alpha): the compiler fuses it"},
	"normalidglm":         {"normal", "write normal(X @ beta + alpha, sigma): the compiler fuses it"},
	"poissonlogglm":       {"poisson_log", "write poisson_log(X @ beta + alpha): the compiler fuses it"},
	"binomial":            {"binomial", "it is binomial(n, theta)"},
	"binomiallogits":      {"binomial_logit", "it is binomial_logit(n, alpha)"},
	"poisson":             {"poisson", "it is poisson(lambda), by its rate"},
	"poissonlograte":      {"poisson_log", "it is poisson_log(alpha), by the logarithm of its rate"},
	"negbinomial2log":     {"neg_binomial_2", "write neg_binomial_2(exp(eta), phi)"},
	"negativebinomial2":   {"neg_binomial_2", "it is neg_binomial_2(mu, phi), variance mu + mu^2 / phi"},
	"negativebinomial":    {"neg_binomial_2", "it is neg_binomial_2(mu, phi), variance mu + mu^2 / phi"},
	"negbinomial":         {"neg_binomial_2", "it is neg_binomial_2(mu, phi), with mean alpha / beta and phi = alpha"},
	"categorical":         {"categorical", "it is categorical(theta), counting from 0"},
	"categoricallogits":   {"categorical_logit", "it is categorical_logit(eta), counting from 0"},
	"softmaxcategorical":  {"categorical_logit", "it is categorical_logit(eta), counting from 0"},
	"dirichlet":           {"dirichlet", "it is dirichlet(alpha)"},
	"multinormal":         {"multi_normal_cholesky", "write multi_normal_cholesky(mu, cholesky(Sigma))"},
	"mvnormal":            {"multi_normal_cholesky", "write multi_normal_cholesky(mu, cholesky(Sigma))"},
	"multivariatenormal":  {"multi_normal_cholesky", "write multi_normal_cholesky(mu, cholesky(Sigma))"},
	"vonmisesfisher":      {"vmf", "it is vmf(mu, kappa)"},
	"mixturesamefamily":   {"mixture", "write mixture(w, normal(mu[k], s[k]) for k in K)"},
	"mixturegeneral":      {"mixture", "write mixture(w, d1, d2, …)"},
	"normalmixture":       {"mixture", "write mixture(w, normal(mu[k], s[k]) for k in K)"},
	"zeroinflatedpoisson": {"mixture", "write mixture(p, point_mass(0), poisson(lambda))"},
	"delta":               {"point_mass", "it is point_mass(c)"},
	"diracdelta":          {"point_mass", "it is point_mass(c)"},
	"sphericaluniform":    {"uniform_sphere", "it is uniform_sphere()"},
	"logit":               {"logistic", "the distribution is logistic(mu, sigma)"},
}

// foreignFunctions are the names that other languages give to functions.
var foreignFunctions = map[string]string{
	"inv_logit": "sigmoid", "expit": "sigmoid", "logistic": "sigmoid", "ilogit": "sigmoid", "invlogit": "sigmoid",
	"log1p_exp_": "log1p_exp", "log_inv_logit": "log_sigmoid", "logsigmoid": "log_sigmoid", "Phi": "normal_cdf", "phi": "normal_cdf",
	"std_normal_cdf": "normal_cdf", "std_normal_lcdf": "log_normal_cdf", "logsumexp": "log_sum_exp", "log_diff": "log_diff_exp",
	"fabs": "abs", "ln": "log", "gammaln": "lgamma", "loggamma": "lgamma", "lgam": "lgamma", "psi": "digamma", "betaln": "lbeta",
	"lbinom": "lchoose", "binomln": "lchoose", "fmax": "max", "fmin": "min", "maximum": "max", "minimum": "min", "cholesky_decompose": "cholesky",
	"dot_product": "dot", "inner": "dot", "eye": "identity", "identity_matrix": "identity", "diag_matrix": "diag", "zeros_vector": "zeros",
	"rep_vector": "ones", "std": "sd", "var": "variance", "stddev": "sd", "product": "prod", "t": "transpose", "cumulative_sum": "cumsum",
	"mdivide_left_tri_low": "triangular_solve", "solve_triangular": "triangular_solve", "cat": "concat", "concatenate": "concat",
	"append_row": "concat", "hstack": "concat", "integrate_ode": "ode", "ode_rk45": "ode", "odeint": "ode", "arctan": "atan", "arctan2": "atan2",
	"arcsin": "asin", "arccos": "acos", "tgamma": "lgamma", "unit_vector": "normalize", "l2norm": "norm", "inv_Phi": "normal_quantile",
	"log_softplus": "log1p_exp", "ReLU": "relu", "log1p_": "log1p", "conv": "conv2d", "maxpool": "max_pool2d", "max_pool": "max_pool2d",
	"where": "if", "ifelse": "if", "if_else": "if",
}
