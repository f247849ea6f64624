package foreign

import "strings"

const (
	conditioned = "a prior on a narrower type is conditioned on it: declare the param as " +
		"positive and write "
	precision = "normal takes the standard deviation; where the second argument is a precision, " +
		"as in BUGS and JAGS, write normal(mu, 1 / sqrt(tau))"
)

// Dists are the names of Stan, PyMC, NumPyro, BUGS and their relatives, in
// lower case and without underscores. A row counts where the library has its name.
var Dists = map[string]Hint{
	"laplace": {"double_exponential",
		"the Laplace distribution is double_exponential(mu, sigma)", ""},
	"ddexp": {"double_exponential",
		"it is double_exponential(mu, sigma), by its scale, where BUGS has a rate",
		"double_exponential($1, 1 / $2)"},
	"normal": {"normal",
		"names are in lower case: normal(mu, sigma), with the standard deviation", ""},
	"gaussian": {"normal",
		"the Gaussian distribution is normal(mu, sigma), with the standard deviation", ""},
	"norm": {"normal",
		"it is normal(mu, sigma), with the standard deviation", ""},
	"n": {"normal",
		"it is normal(mu, sigma), with the standard deviation", ""},
	"dnorm": {"normal",
		"normal takes the standard deviation, where BUGS and JAGS have a precision: normal(mu, 1 " +
			"/ sqrt(tau))", "normal($1, 1 / sqrt($2))"},
	"halfnormal": {"normal", conditioned + "normal(0, sigma)", "normal(0, $1)"},
	"halfcauchy": {"cauchy", conditioned + "cauchy(0, sigma)", "cauchy(0, $1)"},
	"halfstudentt": {"student_t", conditioned + "student_t(nu, 0, sigma)",
		"student_t($1, 0, $2)"},
	"halft": {"student_t", conditioned + "student_t(nu, 0, sigma)",
		"student_t($1, 0, $2)"},
	"truncatednormal": {"normal", "write normal(mu, sigma) truncated(lo, hi)",
		"normal($1, $2) truncated($3, $4)"},
	"truncnormal": {"normal", "write normal(mu, sigma) truncated(lo, hi)",
		"normal($1, $2) truncated($3, $4)"},
	"flat": {"",
		"leave the ~ away: the density is then 1 on the type: `param free : real`", ""},
	"dflat": {"",
		"leave the ~ away: the density is then 1 on the type: `param free : real`", ""},
	"halfflat": {"",
		"leave the ~ away: the density is then 1 on the type: `param free : positive`", ""},
	"improperuniform": {"",
		"leave the ~ away: the density is then 1 on the type: `param free : real`", ""},
	"studentt": {"student_t", "it is student_t(nu, mu, sigma)", ""},
	"t":        {"student_t", "it is student_t(nu, mu, sigma)", ""},
	"dt": {"student_t",
		"it is student_t(nu, mu, sigma): the degrees of freedom come first, and sigma is a " +
			"scale, not a precision", "student_t($3, $1, 1 / sqrt($2))"},
	"lognormal": {"lognormal", "it is lognormal(mu, sigma), on the log scale", ""},
	"dlnorm": {"lognormal",
		"it is lognormal(mu, sigma), on the log scale, with a standard deviation where BUGS has " +
			"a precision", "lognormal($1, 1 / sqrt($2))"},
	"lnorm": {"lognormal", "it is lognormal(mu, sigma), on the log scale", ""},
	"inversegamma": {"inv_gamma", "it is inv_gamma(alpha, beta), shape and scale",
		""},
	"invgamma": {"inv_gamma", "it is inv_gamma(alpha, beta), shape and scale",
		""},
	"gamma":       {"gamma", "it is gamma(alpha, beta), shape and rate", ""},
	"dgamma":      {"gamma", "it is gamma(alpha, beta), shape and rate", ""},
	"beta":        {"beta", "it is beta(alpha, beta)", ""},
	"dbeta":       {"beta", "it is beta(alpha, beta)", ""},
	"cauchy":      {"cauchy", "it is cauchy(mu, sigma)", ""},
	"dcauchy":     {"cauchy", "it is cauchy(mu, sigma)", ""},
	"exp":         {"exponential", "it is exponential(beta), by its rate", ""},
	"expon":       {"exponential", "it is exponential(beta), by its rate", ""},
	"dexp":        {"exponential", "it is exponential(beta), by its rate", ""},
	"exponential": {"exponential", "it is exponential(beta), by its rate", ""},
	"weibull":     {"weibull", "it is weibull(alpha, sigma), shape and scale", ""},
	"dweib": {"weibull",
		"it is weibull(alpha, sigma), shape and scale, where BUGS has a rate",
		"weibull($1, $2^(-1 / $1))"},
	"dlogis": {"logistic",
		"it is logistic(mu, sigma), by its scale, where BUGS has a rate", "logistic($1, 1 / $2)"},
	"logit":           {"logistic", "the distribution is logistic(mu, sigma)", ""},
	"uniform":         {"uniform", "it is uniform(alpha, beta)", ""},
	"unif":            {"uniform", "it is uniform(alpha, beta)", ""},
	"dunif":           {"uniform", "it is uniform(alpha, beta)", ""},
	"vonmises":        {"von_mises", "it is von_mises(mu, kappa)", ""},
	"dirichlet":       {"dirichlet", "it is dirichlet(alpha)", ""},
	"ddirch":          {"dirichlet", "it is dirichlet(alpha)", ""},
	"ddirich":         {"dirichlet", "it is dirichlet(alpha)", ""},
	"bernoulli":       {"bernoulli", "it is bernoulli(theta)", ""},
	"bern":            {"bernoulli", "it is bernoulli(theta)", ""},
	"dbern":           {"bernoulli", "it is bernoulli(theta)", ""},
	"bernoullilogits": {"bernoulli_logit", "it is bernoulli_logit(alpha)", ""},
	"bernoulliprobs":  {"bernoulli", "it is bernoulli(theta)", ""},
	"bernoullilogitglm": {"bernoulli_logit",
		"write bernoulli_logit(X @ beta + alpha): the compiler fuses it",
		"bernoulli_logit($1 @ $3 + $2)"},
	"normalidglm": {"normal",
		"write normal(X @ beta + alpha, sigma): the compiler fuses it", "normal($1 @ $3 + $2, $4)"},
	"poissonlogglm": {"poisson_log",
		"write poisson_log(X @ beta + alpha): the compiler fuses it", "poisson_log($1 @ $3 + $2)"},
	"negbinomial2logglm": {"neg_binomial_2_log",
		"write neg_binomial_2_log(X @ beta + alpha, phi): the compiler fuses it",
		"neg_binomial_2_log($1 @ $3 + $2, $4)"},
	"categoricallogitglm": {"",
		"the predictor is written out, in a plate over the rows: `categorical_logit.logpdf(0, A @ v)`",
		""},
	"binomial": {"binomial", "it is binomial(n, theta)", ""},
	"dbin": {"binomial",
		"it is binomial(n, theta): the number of trials comes first", "binomial($2, $1)"},
	"dbinom":         {"binomial", "it is binomial(n, theta)", ""},
	"binomiallogits": {"binomial_logit", "it is binomial_logit(n, alpha)", ""},
	"poisson":        {"poisson", "it is poisson(lambda), by its rate", ""},
	"dpois":          {"poisson", "it is poisson(lambda), by its rate", ""},
	"pois":           {"poisson", "it is poisson(lambda), by its rate", ""},
	"poissonlograte": {"poisson_log",
		"it is poisson_log(alpha), by the logarithm of its rate", ""},
	"negbinomial2log": {"neg_binomial_2_log",
		"it is neg_binomial_2_log(eta, phi), by the logarithm of its mean", ""},
	"negativebinomial2": {"neg_binomial_2",
		"it is neg_binomial_2(mu, phi), variance mu + mu^2 / phi", ""},
	"negativebinomial": {"neg_binomial_2",
		"it is neg_binomial_2(mu, phi), variance mu + mu^2 / phi", ""},
	"negbinomial": {"neg_binomial",
		"it is neg_binomial(alpha, beta), with mean alpha / beta", ""},
	"dnegbin": {"neg_binomial_2",
		"it is neg_binomial_2(mu, phi): with p and r of BUGS, mu = r (1 - p) / p and phi = r",
		"neg_binomial_2($2 * (1 - $1) / $1, $2)"},
	"categorical": {"categorical", "it is categorical(theta), counting from 0", ""},
	"dcat":        {"categorical", "it is categorical(theta), counting from 0", ""},
	"categoricallogits": {"categorical_logit",
		"it is categorical_logit(eta), counting from 0", ""},
	"softmaxcategorical": {"categorical_logit",
		"it is categorical_logit(eta), counting from 0", ""},
	"discreteuniform": {"discrete_range",
		"it is discrete_range(l, u); an index with equal chances is categorical(ones(K) / K)", ""},
	"multinormal": {"multi_normal",
		"it is multi_normal(mu, Sigma), with the covariance", ""},
	"mvnormal": {"multi_normal",
		"it is multi_normal(mu, Sigma), with the covariance; of its Cholesky factor, " +
			"multi_normal_cholesky(mu, L)", ""},
	"multivariatenormal": {"multi_normal",
		"it is multi_normal(mu, Sigma), with the covariance; of its Cholesky factor, " +
			"multi_normal_cholesky(mu, L)", ""},
	"dmnorm": {"multi_normal_prec",
		"it is multi_normal_prec(mu, Omega), by its precision", ""},
	"lkjcorrcholesky": {"lkj_corr_cholesky",
		"it is lkj_corr_cholesky(eta), on corr_chol[K]", ""},
	"lkjcholeskycov": {"",
		"declare scales and the factor of the correlations: `param R : corr_chol[K] ~ " +
			"lkj_corr_cholesky(2)`; the factor of the covariance is [s[i] * R[i, j] for i in K, j in K]",
		""},
	"lkjcholesky": {"lkj_corr_cholesky",
		"it is lkj_corr_cholesky(eta), on corr_chol[K]", ""},
	"lkj": {"lkj_corr_cholesky",
		"it is lkj_corr_cholesky(eta), on corr_chol[K]", ""},
	"lkjcorr": {"",
		"declare the factor, whose product with its transpose is the correlation matrix: `param " +
			"R : corr_chol[K] ~ lkj_corr_cholesky(2)`", ""},
	"mvstudentt": {"multi_student_t",
		"it is multi_student_t(nu, mu, Sigma), with the scale matrix", ""},
	"inversewishart": {"",
		"an unknown covariance is declared by its factor: `param C : cov_chol[K] ~ " +
			"inv_wishart_cholesky(K + 2, L)`; for matrices that are data it is inv_wishart(nu, S)",
		""},
	"dwish": {"",
		"an unknown covariance is declared by its factor, with the factor of the scale, where " +
			"BUGS has a rate matrix first: `param C : cov_chol[K] ~ wishart_cholesky(K + 2, L)`; " +
			"for data it is wishart(nu, S)", ""},
	"dmulti": {"multinomial",
		"it is multinomial(theta), and the number of trials is the sum of the counts",
		"multinomial($1$!2)"},
	"dpar": {"pareto", "it is pareto(y_min, alpha): the scale comes first",
		"pareto($2, $1)"},
	"dchisqr":    {"chi_square", "it is chi_square(nu)", ""},
	"dchisq":     {"chi_square", "it is chi_square(nu)", ""},
	"chi2":       {"chi_square", "it is chi_square(nu)", ""},
	"chisquared": {"chi_square", "it is chi_square(nu)", ""},
	"ddirmulti": {"dirichlet_multinomial", "it is dirichlet_multinomial(alpha)",
		""},
	"multivariatestudentt": {"multi_student_t", "it is multi_student_t(nu, mu, Sigma)", ""},
	"halflogistic": {"logistic", conditioned + "logistic(0, sigma)",
		"logistic(0, $1)"},
	"dhyper": {"hypergeometric",
		"it is hypergeometric(n, a, b): n draws from a marked and b others, with the odds ratio 1",
		"hypergeometric($3, $1, $2$!4)"},
	"orderedprobit": {"ordered_probit", "it is ordered_probit(eta, c)", ""},
	"skewnormal":    {"skew_normal", "it is skew_normal(xi, omega, alpha)", ""},
	"exgaussian": {"exp_mod_normal",
		"it is exp_mod_normal(mu, sigma, lambda), by the rate of its exponential part",
		"exp_mod_normal($1, $2, 1 / $3)"},
	"betabinomial": {"beta_binomial",
		"it is beta_binomial(n, alpha, beta): the number of trials comes first",
		"beta_binomial($3, $1, $2)"},
	"orderedlogistic": {"ordered_logistic", "it is ordered_logistic(eta, c)", ""},
	"fisk": {"loglogistic",
		"it is loglogistic(alpha, beta), scale and shape", "loglogistic($2, $1)"},
	"lomax": {"pareto_type_2",
		"it is pareto_type_2(mu, lambda, alpha), with mu = 0 for what starts at 0",
		"pareto_type_2(0, $2, $1)"},
	"paretotype2":    {"pareto_type_2", "it is pareto_type_2(mu, lambda, alpha)", ""},
	"inverseweibull": {"frechet", "it is frechet(alpha, sigma), shape and scale", ""},
	"invweibull":     {"frechet", "it is frechet(alpha, sigma), shape and scale", ""},
	"extremevalue":   {"gumbel", "it is gumbel(mu, beta), of maxima", ""},
	"exponnorm": {"exp_mod_normal",
		"it is exp_mod_normal(mu, sigma, lambda), by the rate of its exponential part", ""},
	"emg": {"exp_mod_normal",
		"it is exp_mod_normal(mu, sigma, lambda), by the rate of its exponential part", ""},
	"invchi2": {"inv_chi_square", "it is inv_chi_square(nu)", ""},
	"scaledinvchi2": {"scaled_inv_chi_square",
		"it is scaled_inv_chi_square(nu, sigma), by its scale, not its square", ""},
	"scaledinversechi2": {"scaled_inv_chi_square",
		"it is scaled_inv_chi_square(nu, sigma), by its scale, not its square", ""},
	"nbinom": {"neg_binomial_2", "it is neg_binomial_2(mu, phi), by its mean",
		""},
	"gammapoisson": {"neg_binomial",
		"it is neg_binomial(alpha, beta), a Poisson of a gamma rate", ""},
	"betabinom": {"beta_binomial",
		"it is beta_binomial(n, alpha, beta): the number of trials comes first",
		"beta_binomial($3, $1, $2)"},
	"hypergeom": {"hypergeometric",
		"it is hypergeometric(n, a, b): n draws from a marked and b others",
		"hypergeometric($3, $2, $1 - $2)"},
	"randint": {"discrete_range",
		"it is discrete_range(l, u), both ends among the values", ""},
	"orderedlogisticglm": {"",
		"write the predictor out, in a plate over the rows: `ordered_logistic.logpdf(0, v @ u, cut)`",
		""},
	"vonmisesfisher":    {"vmf", "it is vmf(mu, kappa)", ""},
	"mixturesamefamily": {"", "write `x ~ mixture(th, normal(cut[k], a) for k in K)`", ""},
	"mixturegeneral": {"",
		"write `x ~ mixture([0.5, 0.3, 0.2], normal(0, 1), cauchy(0, 1), normal(3, a))`", ""},
	"normalmixture": {"", "write `x ~ mixture(th, normal(cut[k], a) for k in K)`", ""},
	"zeroinflatedpoisson": {"mixture",
		"it is a mixture with a mass at 0; the first argument is the probability of a count that " +
			"is not inflated", "mixture(1 - $1, point_mass(0), poisson($2))"},
	"dinterval": {"",
		"what is censored is written behind its law: `x ~ normal(a, b) censored(0, 3)`", ""},
	"delta":            {"point_mass", "it is point_mass(c)", ""},
	"diracdelta":       {"point_mass", "it is point_mass(c)", ""},
	"sphericaluniform": {"uniform_sphere", "it is uniform_sphere()", ""},
	"unitvector":       {"uniform_sphere", "it is uniform_sphere()", ""},
	"dweibull": {"weibull",
		"it is weibull(alpha, sigma), shape and scale, where BUGS has a rate",
		"weibull($1, $2^(-1 / $1))"},
	"hypergeometric": {"hypergeometric",
		"it is hypergeometric(n, a, b): n draws from a marked and b others",
		"hypergeometric($3, $2, $1 - $2)"},
	"dbetabin": {"beta_binomial",
		"it is beta_binomial(n, alpha, beta): the number of trials comes first",
		"beta_binomial($3, $1, $2)"},
	"pareto": {"pareto", "it is pareto(y_min, alpha): the scale comes first",
		"pareto($2, $1)"},
	"multinomial": {"multinomial",
		"it is multinomial(theta), and the number of trials is the sum of the counts",
		"multinomial($2)"},
	"dirichletmultinomial": {"dirichlet_multinomial",
		"it is dirichlet_multinomial(alpha), and the number of trials is the sum of the counts",
		"dirichlet_multinomial($2)"},
	"dmt": {"multi_student_t",
		"it is multi_student_t(nu, mu, Sigma), with the scale matrix, not its inverse",
		"multi_student_t($3, $1, inverse_spd($2))"},
	"dmnormvcov": {"multi_normal",
		"it is multi_normal(mu, Sigma), with the covariance", ""},
	"wishart": {"",
		"an unknown covariance is declared by its factor: `param C : cov_chol[K] ~ " +
			"wishart_cholesky(K + 2, L)`; for matrices that are data it is wishart(nu, S)", ""},
	"invwishart": {"",
		"an unknown covariance is declared by its factor: `param C : cov_chol[K] ~ " +
			"inv_wishart_cholesky(K + 2, L)`; for matrices that are data it is inv_wishart(nu, S)",
		""},
	"lkjcov": {"",
		"an unknown covariance is declared by its factor: `param C : cov_chol[K] ~ " +
			"wishart_cholesky(K + 2, L)`; for matrices that are data it is wishart(nu, S)", ""},
	"censored": {"",
		"what is censored is written behind its law: `x ~ normal(a, b) censored(0, 3)`", ""},
	"truncated": {"",
		"what is truncated is written behind its law: `x ~ normal(a, b) truncated(0, 3)`", ""},
	"mixture": {"",
		"laws stand in the mixture, behind their weight or their weights: `x ~ mixture(p, " +
			"normal(0, 1), normal(3, a))`", ""},
	"dnormmix": {"", "write `x ~ mixture(th, normal(cut[k], a) for k in K)`", ""},
	"zeroinflatedbinomial": {"mixture",
		"it is a mixture with a mass at 0; the first argument is the probability of a count that " +
			"is not inflated", "mixture(1 - $1, point_mass(0), binomial($2, $3))"},
	"zeroinflatednegativebinomial": {"mixture",
		"it is a mixture with a mass at 0; the first argument is the probability of a count that " +
			"is not inflated", "mixture(1 - $1, point_mass(0), neg_binomial_2($2, $3))"},
	"hurdlepoisson": {"",
		"the zeros have a mass and the others a truncated law: `many ~ mixture(p, point_mass(0), " +
			"poisson(a) truncated(1, inf))`", ""},
	"hurdlenegativebinomial": {"",
		"the zeros have a mass and the others a truncated law: `many ~ mixture(p, point_mass(0), " +
			"neg_binomial_2(a, b) truncated(1, inf))`", ""},
	"hurdlegamma": {"",
		"zeros and the others are two terms: `for n in N { factor if x[n] == 0 then log(p) else " +
			"log1m(p) + gamma.logpdf(max(x[n], 1e-9), a, b) }`", ""},
	"hurdlelognormal": {"",
		"zeros and the others are two terms: `for n in N { factor if x[n] == 0 then log(p) else " +
			"log1m(p) + lognormal.logpdf(max(x[n], 1e-9), a, b) }`", ""},
	"geometric": {"neg_binomial",
		"it is a negative binomial of the failures before one success, counting from 0",
		"neg_binomial(1, $1 / (1 - $1))"},
	"dgeom": {"neg_binomial",
		"it is a negative binomial of the failures before one success, counting from 0",
		"neg_binomial(1, $1 / (1 - $1))"},
	"wald": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist wald(mu " +
			": positive, lambda : positive) on positive { logpdf(x) = 0.5 * log(lambda / " +
			"(6.283185307179586 * x^3)) - lambda * (x - mu)^2 / (2 * mu^2 * x) }`", ""},
	"inversegaussian": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist wald(mu " +
			": positive, lambda : positive) on positive { logpdf(x) = 0.5 * log(lambda / " +
			"(6.283185307179586 * x^3)) - lambda * (x - mu)^2 / (2 * mu^2 * x) }`", ""},
	"invgauss": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist wald(mu " +
			": positive, lambda : positive) on positive { logpdf(x) = 0.5 * log(lambda / " +
			"(6.283185307179586 * x^3)) - lambda * (x - mu)^2 / (2 * mu^2 * x) }`", ""},
	"kumaraswamy": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"kumaraswamy(r : positive, s : positive) on unit { logpdf(x) = log(r) + log(s) + (r " +
			"- 1) * log(x) + (s - 1) * log1m(x^r) }`", ""},
	"logitnormal": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"logit_normal(mu : real, sigma : positive) on unit { logpdf(x) = " +
			"normal.logpdf(logit(x), mu, sigma) - log(x) - log1m(x) }`", ""},
	"logisticnormal": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"logit_normal(mu : real, sigma : positive) on unit { logpdf(x) = " +
			"normal.logpdf(logit(x), mu, sigma) - log(x) - log1m(x) }`", ""},
	"moyal": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist moyal(mu " +
			": real, sigma : positive) on real { logpdf(x) = -0.5 * ((x - mu) / sigma + exp(-(x " +
			"- mu) / sigma)) - log(sigma) - 0.9189385332046727 }`", ""},
	"rice": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist rice(nu " +
			": positive, sigma : positive) on positive { logpdf(x) = log(x / sigma^2) - (x - " +
			"nu)^2 / (2 * sigma^2) - log(6.283185307179586) - von_mises.logpdf(0, 0, x * nu / " +
			"sigma^2) }`", ""},
	"triangular": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"triangular(lo : real, peak : real, hi : real) on real { logpdf(x) = log(2 / (hi - " +
			"lo)) + (if x < peak then log((x - lo) / (peak - lo)) else log((hi - x) / (hi - peak))) }`", ""},
	"asymmetriclaplace": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"asymmetric_laplace(rate : positive, kappa : positive, mu : real) on real { " +
			"logpdf(x) = log(rate / (kappa + 1 / kappa)) - rate * (if x > mu then (x - mu) * " +
			"kappa else (mu - x) / kappa) }`", ""},
	"skewdoubleexponential": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"skew_double_exponential(mu : real, sigma : positive, tau : unit) on real { " +
			"logpdf(x) = log(2 * tau * (1 - tau) / sigma) - 2 / sigma * (if x < mu then (1 - " +
			"tau) * (mu - x) else tau * (x - mu)) }`", ""},
	"skewstudentt": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"skewed_t(nu : positive, alpha : real) on real { logpdf(x) = log(2) + " +
			"student_t.logpdf(x, nu, 0, 1) + student_t.logcdf(alpha * x * sqrt((nu + 1) / (nu + " +
			"x^2)), nu + 1, 0, 1) }`", ""},
	"wiener": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"first_passage(bound : positive, start : unit, drift : real) on positive { logpdf(t) " +
			"= -drift * bound * start - drift^2 * t / 2 - 2 * log(bound) - 1.5 * log(t / " +
			"bound^2) - 0.9189385332046727 + log(sum((start + 2 * (k - 5)) * exp(-(start + 2 * " +
			"(k - 5))^2 * bound^2 / (2 * t)) for k in 11)) }`", ""},
	"betanegbinomial": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"beta_neg_binomial(r : positive, s : positive, t : positive) on count { logpdf(n) = " +
			"lgamma(r + n) - lgamma(n + 1) - lgamma(r) + lbeta(s + r, t + n) - lbeta(s, t) }`", ""},
	"discreteweibull": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"discrete_weibull(r : unit, s : positive) on count { logpdf(k) = log(r^(k^s) - r^((k " +
			"+ 1)^s)) }`", ""},
	"df": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist f_law(d1 " +
			": positive, d2 : positive) on positive { logpdf(x) = 0.5 * d1 * log(d1) + 0.5 * d2 " +
			"* log(d2) + (0.5 * d1 - 1) * log(x) - 0.5 * (d1 + d2) * log(d2 + d1 * x) - " +
			"lbeta(0.5 * d1, 0.5 * d2) }`", ""},
	"f": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist f_law(d1 " +
			": positive, d2 : positive) on positive { logpdf(x) = 0.5 * d1 * log(d1) + 0.5 * d2 " +
			"* log(d2) + (0.5 * d1 - 1) * log(x) - 0.5 * (d1 + d2) * log(d2 + d1 * x) - " +
			"lbeta(0.5 * d1, 0.5 * d2) }`", ""},
	"dnchisqr": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"noncentral_chi_square(nu : positive, delta : positive) on positive { logpdf(x) = " +
			"log_sum_exp(poisson.logpdf(j, delta / 2) + chi_square.logpdf(x, nu + 2 * j) for j in 60) }`",
		""},
	"dnt": {"",
		"a noncentral t is a normal given the chi-square under its root: `param chi : positive ~ " +
			"chi_square(3)`, and `x ~ normal(a / sqrt(b / 3), 1 / sqrt(b / 3))` with chi for b", ""},
	"dgengamma": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"gen_gamma(r : positive, lambda : positive, s : positive) on positive { logpdf(x) = " +
			"log(s) + s * r * log(lambda) + (s * r - 1) * log(x) - (lambda * x)^s - lgamma(r) }`",
		""},
	"generalizedgamma": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"gen_gamma(r : positive, lambda : positive, s : positive) on positive { logpdf(x) = " +
			"log(s) + s * r * log(lambda) + (s * r - 1) * log(x) - (lambda * x)^s - lgamma(r) }`",
		""},
	"customdist": {"",
		"a law is a dist of your own: `dist half_normal(s : positive) on nonnegative { logpdf(x) " +
			"= log(2) + normal.logpdf(x, 0, s) }`", ""},
	"densitydist": {"",
		"a law is a dist of your own: `dist half_normal(s : positive) on nonnegative { logpdf(x) " +
			"= log(2) + normal.logpdf(x, 0, s) }`", ""},
	"distribution": {"",
		"a law is a dist of your own: `dist half_normal(s : positive) on nonnegative { logpdf(x) " +
			"= log(2) + normal.logpdf(x, 0, s) }`", ""},
	"interpolated": {"",
		"the library has no such law; a dist of your own is seen by all below it: `dist " +
			"by_steps(h : positive) on unit { logpdf(x) = if x < h then log(0.7 / h) else " +
			"log(0.3 / (1 - h)) }`", ""},
	"simulator": {"",
		"there is no inference without a likelihood; what is known of it is a term: `factor -(a - 1)^2`",
		""},
	"polyagamma": {"",
		"logistic regressions need no auxiliary variables: `factor bernoulli_logit.logpdf(1, a)`",
		""},
	"multigp": {"",
		"rows are normal with one covariance, each with its weight: `for n in N { factor " +
			"multi_normal.logpdf(X[n], zeros(K), S / a) }`", ""},
	"multigpcholesky": {"",
		"rows are normal with one factor: `for n in N { factor " +
			"multi_normal_cholesky.logpdf(X[n], zeros(K), a * L) }`", ""},
	"gaussiandlmobs": {"",
		"states are unknowns with a law of steps: `param state[T] : real`, then `for t in 1:T { " +
			"factor normal.logpdf(y[t] - y[t - 1], 0, a) }`, or a scan that carries the mean and " +
			"the variance", ""},
	"gaussianrandomwalk": {"",
		"its steps have the law, and it is their running sum: `param step[T] : real ~ normal(0, " +
			"1)`, then `cumsum(y)` of them", ""},
	"mvgaussianrandomwalk": {"",
		"its steps have the law, and it is their running sum: `param step[T] : real ~ normal(0, " +
			"1)`, then `cumsum(y)` of them", ""},
	"mvstudenttrandomwalk": {"",
		"its steps have the law, and it is their running sum: `param step[T] : real ~ normal(0, " +
			"1)`, then `cumsum(y)` of them", ""},
	"randomwalk": {"",
		"its steps have the law, and it is their running sum: `param step[T] : real ~ normal(0, " +
			"1)`, then `cumsum(y)` of them", ""},
	"ar": {"",
		"each value has a law given the one before: `for t in 1:T { y[t] ~ normal(a * y[t - 1], b) }`",
		""},
	"ar1": {"",
		"each value has a law given the one before: `for t in 1:T { y[t] ~ normal(a * y[t - 1], b) }`",
		""},
	"eulermaruyama": {"",
		"each value has a law given the one before: `for t in 1:T { y[t] ~ normal(a * y[t - 1], b) }`",
		""},
	"garch11": {"",
		"the variance is carried by a scan: `let h = scan t in T from h = 1 { a + 0.5 * y[t]^2 + " +
			"0.3 * h }`, and each value is normal given it", ""},
	"car": {"",
		"a term for each pair of neighbours: `factor -0.5 * sum((cut[k] - cut[k - 1])^2 for k in 1:K)`",
		""},
	"icar": {"",
		"a term for each pair of neighbours: `factor -0.5 * sum((cut[k] - cut[k - 1])^2 for k in 1:K)`",
		""},
	"dcarnormal": {"",
		"a term for each pair of neighbours: `factor -0.5 * sum((cut[k] - cut[k - 1])^2 for k in 1:K)`",
		""},
	"dcarproper": {"",
		"a term for each pair of neighbours: `factor -0.5 * sum((cut[k] - cut[k - 1])^2 for k in 1:K)`",
		""},
	"kroneckernormal": {"",
		"an array of standard normals, multiplied by the factors from both sides, has that law: " +
			"`param raw[K, K] : real ~ normal(0, 1)`, then `L @ A @ transpose(L)`", ""},
	"matrixnormal": {"",
		"an array of standard normals, multiplied by the factors from both sides, has that law: " +
			"`param raw[K, K] : real ~ normal(0, 1)`, then `L @ A @ transpose(L)`", ""},
	"stickbreakingweights": {"",
		"weights are a simplex: `param weights : simplex[K] ~ dirichlet(1)`", ""},
	"zerosumnormal": {"",
		"numbers with sum 0 are a type: `param effect : sum_to_zero[K] ~ normal(0, 1)`", ""},
	"orderedmultinomial": {"",
		"counts of ordered outcomes are a sum over them, each with its log probability: " +
			"`sum(x[n] * ordered_logistic.logpdf(0, a, cut) for n in N)`", ""},
	"dsum": {"", "a sum that is known is near its terms with a small deviation: " +
		"`factor normal.logpdf(a + b, 3, 0.01)`", ""},
	"dround": {"", "a rounded value is an interval of the law: `factor " +
		"log(normal.cdf(2.5, a, b) - normal.cdf(1.5, a, b))`", ""},
	"dscaledgamma": {"", "a half-t law of a standard deviation: `param scale : positive ~ " +
		"student_t(3, 0, 1)`", ""},
	"dscaledwishart": {"", "half-t scales and a correlation: `param R : corr_chol[K] ~ " +
		"lkj_corr_cholesky(2)` beside `param scales[K] : positive ~ student_t(3, 0, 1)`", ""},
	"binomiallogitglm": {"binomial_logit",
		"write binomial_logit(n, X @ beta + alpha): the compiler fuses it",
		"binomial_logit($1, $2 @ $4 + $3)"},
	"dhalfcauchy": {"cauchy",
		"a prior on a narrower type is conditioned on it: declare the param as positive and " +
			"write cauchy(0, sigma)", "cauchy(0, $1)"},
	"dbetaprop":      {"beta_proportion", "it is beta_proportion(mu, kappa)", ""},
	"logistic":       {"logistic", "it is logistic(mu, sigma), by its scale", ""},
	"gumbel":         {"gumbel", "it is gumbel", ""},
	"rayleigh":       {"rayleigh", "it is rayleigh", ""},
	"frechet":        {"frechet", "it is frechet", ""},
	"betaproportion": {"beta_proportion", "it is beta_proportion", ""},
	"chisquare":      {"chi_square", "it is chi_square", ""},
	"invchisquare":   {"inv_chi_square", "it is inv_chi_square", ""},
	"discreterange":  {"discrete_range", "it is discrete_range", ""},
	"expmodnormal":   {"exp_mod_normal", "it is exp_mod_normal", ""},
	"negbinomial2":   {"neg_binomial_2", "it is neg_binomial_2", ""},
	"poissonlog":     {"poisson_log", "it is poisson_log", ""},
	"bernoullilogit": {"bernoulli_logit", "it is bernoulli_logit", ""},
	"uniformsphere":  {"uniform_sphere", "it is uniform_sphere", ""},
	"watson":         {"watson", "it is watson", ""},
	"stdnormal":      {"std_normal", "it is std_normal", ""},
}

// Endings are the endings of Stan's functions of a distribution.
var Endings = map[string]string{
	"_lpdf":   "logpdf",
	"_lpmf":   "logpdf",
	"_lupdf":  "logpdf",
	"_lupmf":  "logpdf",
	"_log":    "logpdf",
	"_logpdf": "logpdf",
	"_logp":   "logpdf",
	"_pdf":    "logpdf",
	"_cdf":    "cdf",
	"_lcdf":   "logcdf",
	"_lccdf":  "logccdf",
	"_rng":    "sample",
}

// Elsewhere is the name here of a distribution that another language calls by
// the name given; empty for one that none does.
func Elsewhere(name string) string {
	return Dists[strings.ToLower(strings.ReplaceAll(name, "_", ""))].Name
}
