package foreign_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// wordsAround is what the calls below and the code in hints may use.
const wordsAround = `dim N, K, T
data x[N], w[N], y[T], v[K], u[K] : real
data A[K, K], B[K, K], S[K, K], L[K, K], X[N, K] : real
data p, q : unit
data many, few : count
param a, b, d3 : positive ~ exponential(1)
param th : simplex[K] ~ dirichlet(1), cut : ordered[K] ~ normal(0, 5)
fn f(t : real, z : real[1]) -> real[1] { -z }
`

// foreignCalls are the functions of the Stan functions reference 2.36, PyMC's pm.math
// and pt, and JAGS 4.3, each in a call as their users write it.
var foreignCalls = `
abs(a) fabs(a) fdim(a, b) fmin(a, b) fmax(a, b) fmod(a, b) floor(a) ceil(a) round(a) trunc(a) sqrt(a) cbrt(a) square(a) exp(a) exp2(a) log(a) log2(a) log10(a) pow(a, b)
inv(a) inv_sqrt(a) inv_square(a) hypot(a, b) cos(a) sin(a) tan(a) acos(a) asin(a) atan(a) atan2(a, b) cosh(a) sinh(a) tanh(a) acosh(a) asinh(a) atanh(p) logit(p) inv_logit(a) inv_cloglog(a)
erf(a) erfc(a) inv_erfc(p) Phi(a) inv_Phi(p) Phi_approx(a) std_normal_qf(p) std_normal_log_qf(a) binary_log_loss(1, p) owens_t(a, b) inc_beta(a, b, p) inv_inc_beta(a, b, p) lbeta(a, b) tgamma(a) lgamma(a) digamma(a) trigamma(a) lmgamma(2, a)
gamma_p(a, b) gamma_q(a, b) choose(many, few) binomial_coefficient_log(many, few) bessel_first_kind(1, a) bessel_second_kind(1, a) modified_bessel_first_kind(1, a) log_modified_bessel_first_kind(1, a) modified_bessel_second_kind(1, a)
falling_factorial(a, b) lchoose(a, b) log_falling_factorial(a, b) rising_factorial(a, 2) log_rising_factorial(a, b) expm1(a) fma(a, b, d3) ldexp(a, 2) lmultiply(a, b) multiply_log(a, b) log1p(a) log1m(p) log1p_exp(a) log1m_exp(-a)
log_diff_exp(b, a) log_mix(p, a, b) log_sum_exp(x) log_sum_exp(a, b) log_inv_logit(a) log_inv_logit_diff(b, a) log1m_inv_logit(a) lambert_w0(a) lambert_wm1(a) step(a) is_inf(a) is_nan(a) int_step(a) pi() e() sqrt2() not_a_number() positive_infinity() negative_infinity() machine_precision()
min(x) max(x) min(a, b) max(a, b) sum(x) prod(x) mean(x) variance(x) sd(x) distance(x, w) squared_distance(x, w) quantile(x, 0.3) dims(A) num_elements(x) size(x) rep_array(a, 3) append_array(x, w) sort_asc(x) sort_desc(x) sort_indices_asc(x) sort_indices_desc(x) rank(x, 2) reverse(x)
rows(A) cols(A) elt_divide(A, B) elt_multiply(A, B) add(a, b) subtract(a, b) multiply(a, b) divide(a, b) columns_dot_product(A, B) rows_dot_product(A, B) dot_product(x, w) columns_dot_self(A) rows_dot_self(A) dot_self(x) tcrossprod(A) crossprod(A) quad_form(S, v) quad_form_sym(S, v) quad_form_diag(S, v) trace_quad_form(S, B) trace_gen_quad_form(A, S, B)
multiply_lower_tri_self_transpose(L) diag_pre_multiply(v, A) diag_post_multiply(A, v) rep_vector(a, 3) rep_row_vector(a, 3) rep_matrix(a, 3, 2) symmetrize_from_lower_tri(A) add_diag(A, v) diagonal(A) diag_matrix(v) identity_matrix(3) linspaced_array(5, a, b) linspaced_int_array(5, 1, 5) linspaced_vector(5, 1, 5) linspaced_row_vector(5, 1, 5)
one_hot_array(3, 1) one_hot_int_array(3, 1) one_hot_vector(3, 1) one_hot_row_vector(3, 1) ones_array(3) ones_int_array(3) ones_vector(3) ones_row_vector(3) zeros_array(3) zeros_int_array(3) zeros_vector(3) zeros_row_vector(3) uniform_simplex(3)
col(A, 1) row(A, 1) block(A, 1, 1, 2, 2) sub_col(A, 1, 1, 2) sub_row(A, 1, 1, 2) head(x, 2) tail(x, 2) segment(x, 2, 3) append_col(A, B) append_row(A, B) softmax(v) log_softmax(v) cumulative_sum(x)
cov_exp_quad(x, a, b) gp_exp_quad_cov(x, a, b) gp_dot_prod_cov(x, a) gp_exponential_cov(x, a, b) gp_matern32_cov(x, a, b) gp_matern52_cov(x, w, a, b) gp_periodic_cov(x, a, b, d3)
mdivide_left_tri_low(L, v) mdivide_right_tri_low(v, L) mdivide_left_spd(S, v) mdivide_right_spd(v, S) mdivide_left(A, v) mdivide_right(v, A) matrix_exp(A) matrix_exp_multiply(A, B) scale_matrix_exp_multiply(a, A, B) matrix_power(A, 2) trace(A) determinant(S) log_determinant(S) log_determinant_spd(S) inverse(S) inverse_spd(S) chol2inv(L) generalized_inverse(A)
eigenvalues_sym(S) eigenvectors_sym(S) eigenvalues(A) eigenvectors(A) eigendecompose(A) qr_thin_Q(X) qr_thin_R(X) qr_Q(X) qr_R(X) cholesky_decompose(S) singular_values(X) svd_U(X) svd_V(X) svd(X) fft(x) inv_fft(x) fft2(A) inv_fft2(A) norm1(x) norm2(x)
csr_extract_w(A) csr_extract_v(A) csr_extract_u(A) csr_to_dense_matrix(3, 3, x, x, x) csr_matrix_times_vector(3, 3, x, x, x, x) to_matrix(x, 2, 3) to_vector(A) to_row_vector(x) to_array_1d(A) to_array_2d(A) to_int(a) to_complex(a, b)
algebra_solver(f, v, v, v, v) solve_newton(f, v) solve_newton_tol(f, v, a, b, 10) solve_powell(f, v) solve_powell_tol(f, v, a, b, 10) ode_rk45(f, v, 0, y) ode_bdf(f, v, 0, y) ode_adams(f, v, 0, y) ode_ckrk(f, v, 0, y) ode_rk45_tol(f, v, 0, y, a, b, 5) ode_bdf_tol(f, v, 0, y, a, b, 5) ode_adams_tol(f, v, 0, y, a, b, 5) ode_ckrk_tol(f, v, 0, y, a, b, 5) ode_adjoint_tol_ctl(f, v, 0, y)
integrate_ode(f, v, 0, y) integrate_ode_rk45(f, v, 0, y) integrate_ode_bdf(f, v, 0, y) integrate_ode_adams(f, v, 0, y) dae(f, v, v, 0, y) dae_tol(f, v, v, 0, y) integrate_1d(f, 0, 1, x) reduce_sum(f, x, 1) reduce_sum_static(f, x, 1) map_rect(f, x, x, x) hmm_marginal(A, B, v) hmm_hidden_state_prob(A, B, v) hmm_latent_rng(A, B, v) laplace_marginal(f, v)
print(a) reject(a) fatal_error(a) target() get_lp() increment_log_prob(a) simplex_jacobian(v) simplex_constrain(v) ordered_constrain(v) lower_bound_jacobian(a, 0) upper_bound_jacobian(a, 0) lower_upper_bound_jacobian(a, 0, 1) positive_ordered_jacobian(v) unit_vector_jacobian(v) cholesky_corr_constrain(v) sum_to_zero_constrain(v)
normal_lpdf(a, 0, 1) poisson_lpmf(many, a) normal_lupdf(a, 0, 1) normal_cdf(a, 0, 1) normal_lcdf(a, 0, 1) normal_lccdf(a, 0, 1) gamma_lpdf(a, 2, 1) normal_rng(0, 1) poisson_rng(a) bernoulli_logit_lpmf(1, a) std_normal_cdf(a) std_normal_lcdf(a) std_normal_lccdf(a) std_normal_lpdf(a)

dot(x, w) matmul(A, B) constant(a) clip(a, 0, 1) eq(a, b) neq(a, b) ge(a, b) gt(a, b) le(a, b) lt(a, b) and_(a > b, b > d3) or_(a > b, b > d3) invert(a > b) switch(a > b, a, b) where(a > b, a, b) sqr(a) erfinv(p) erfcinv(p) sgn(a) sigmoid(a) invlogit(a) logaddexp(a, b) logsumexp(x) log1pexp(a) log1mexp(a) logdiffexp(b, a)
maximum(a, b) minimum(a, b) median(x) std(x) var(x) cumsum(x) cumprod(x) kronecker(A, B) kron(A, B) kron_diag(v, u) flatten(A) flat_outer(v, u) concatenate(x, w) stack(x, w) block_diagonal(A, B) cartesian(x, w) expand_packed_triangular(3, x) probit(p) invprobit(a) det(S) extract_diag(A) matrix_inverse(S) eye(3) zeros(3) ones(3) full(3, a) argmax(x) argmin(x) argsort(x) arange(5) mod(a, b)
gammaln(a) psi(a) betaln(a, b) betainc(a, b, p) gammainc(a, b) gammaincc(a, b) expit(a) softplus(a) relu(a) einsum(x, w) outer(v, u) percentile(x, 30) eigh(S) qr(X) pinv(A) Potential(a) Deterministic(a) Data(x) MutableData(x) ConstantData(x) Matern32(x, a) Matern52(x, a) ExpQuad(x, a) RatQuad(x, a) Periodic(x, a) vmap(f) odeint(f, v, y) solve_ivp(f, v, y) power(a, b) arcsinh(a) arctanh(p)

arccos(p) arccosh(a) arcsin(p) arctan(a) cloglog(p) equals(a, b) icloglog(a) ifelse(a > b, a, b) ilogit(a) logfact(a) loggam(a) phi(a) inprod(x, w) logdet(S) mexp(A) order(x) rank(x) rep(a, 3) sort(x) t(A) length(x) dim(x) nrow(A) ncol(A) solve(S, v) crossprod(A) scale(x) rev(x) seq_len(5) seq(1, 5) c(a, b) dnorm(a, 0, 1) pnorm(a, 0, 1) qnorm(p) rnorm(1, 0, 1) dpois(many, a) rpois(1, a) dgamma(a, 1, 1) beta(a, b) factorial(a)
`

// compiled has the pieces of code that were looked at.
var compiled sync.Map

var inBackticks = regexp.MustCompile("`([^`]*)`")

// report checks a text; warnings count as well.
func reportOf(text string) diag.List {
	file, diags := parser.Parse(source.New("m.sg", text))
	return append(diags, check.Check(file, check.Options{}).Diags...)
}

// mendedBy makes the edits of diagnostics.
func mendedBy(text string, edits []diag.Edit) string {
	for _, e := range slices.Backward(edits) {
		text = text[:e.Span.Start] + e.Text + text[e.Span.End:]
	}
	return text
}

// codeCompiles holds every piece of code of a note to compiling: as a statement,
// or as a value.
func codeCompiles(t *testing.T, what string, d *diag.Diagnostic) (pieces int) {
	t.Helper()
	for _, n := range d.Notes {
		for _, m := range inBackticks.FindAllStringSubmatch(n.Text, -1) {
			pieces++
			code := m[1]
			if _, known := compiled.LoadOrStore(code, true); known {
				continue // many words share a hint
			}
			statement := reportOf(wordsAround + code + "\n")
			if len(statement) == 0 {
				continue
			}
			if value := reportOf(wordsAround + "track it = " + code + "\n"); len(value) > 0 {
				t.Errorf("%s: the code %q of its hint makes %s %s, as a value %s %s", what, code,
					statement[0].Code, statement[0].Message, value[0].Code, value[0].Message)
			}
		}
	}
	return pieces
}

// hinted holds a text with one foreign word: it is ours as it stands, or its
// diagnostic has an edit after which it compiles, or a note with code that does.
func hinted(t *testing.T, what, text string) {
	t.Helper()
	for range 2 { // an edit may lead to another, as of a name and of its arguments
		diags := reportOf(text)
		if len(diags) == 0 {
			return
		}
		d := diags[0]
		if len(d.Notes) == 0 {
			t.Errorf("%s makes %s %s, without a hint", what, d.Code, d.Message)
			return
		}
		pieces := codeCompiles(t, what, d)
		if len(d.Edits) == 0 {
			if predicted := slices.ContainsFunc(d.Notes, func(n diag.Note) bool {
				return strings.Contains(n.Text, "sgppl predict")
			}); pieces == 0 && !predicted {
				t.Errorf("%s: the hint %q names nothing to write", what, d.Notes[0].Text)
			}
			return
		}
		text = mendedBy(text, d.Edits)
	}
	if diags := reportOf(text); len(diags) > 0 {
		t.Errorf("%s becomes %q, which makes %s %s", what,
			text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:], diags[0].Code,
			diags[0].Message)
	}
}

// TestForeignCalls walks every function of Stan, PyMC and JAGS.
func TestForeignCalls(t *testing.T) {
	t.Parallel()
	if diags := reportOf(wordsAround); len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	calls, depth, from := []string{}, 0, 0
	for i, r := range foreignCalls {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && (r == ' ' || r == '\n'):
			if call := strings.TrimSpace(foreignCalls[from:i]); call != "" {
				calls = append(calls, call)
			}
			from = i
		}
	}
	if len(calls) < 400 {
		t.Fatalf("only %d calls", len(calls))
	}
	for _, call := range calls {
		hinted(t, call, wordsAround+"track it = "+call+"\n")
	}
}

// foreignLaws are the distributions of Stan, PyMC and JAGS, each after ~ with
// the arguments of its language and a type that its users give it.
var foreignLaws = `
bool: bernoulli(p) bernoulli_logit(a) Bernoulli(p) dbern(p) BernoulliLogits(a)
real: normal(0, 1) std_normal() exp_mod_normal(0, 1, 2) skew_normal(0, 1, 2) student_t(3, 0, 1) cauchy(0, 1) double_exponential(0, 1) logistic(0, 1) gumbel(0, 1) skew_double_exponential(0, 1, p) uniform(0, 1) von_mises(0, 1) pareto_type_2(0, 1, 2)
positive: lognormal(0, 1) chi_square(3) inv_chi_square(3) scaled_inv_chi_square(3, 1) exponential(1) gamma(2, 1) inv_gamma(2, 1) weibull(2, 1) frechet(2, 1) rayleigh(1) loglogistic(1, 2) pareto(0.1, 2) wiener(a, b, p, 0)
unit: beta(2, 1) beta_proportion(p, 2)
count: binomial(10, p) binomial_logit(10, a) beta_binomial(10, a, b) beta_neg_binomial(2, a, b) hypergeometric(3, 5, 7) discrete_range(1, 6) neg_binomial(a, b) neg_binomial_2(a, b) neg_binomial_2_log(a, b) poisson(a) poisson_log(a)
index[K]: categorical(th) categorical_logit(v) Categorical(th) dcat(th)
index[K + 1]: ordered_logistic(a, cut) ordered_probit(a, cut) OrderedLogistic(a, cut) OrderedProbit(a, cut)
count[K]: multinomial(th) multinomial_logit(v) dirichlet_multinomial(th) Multinomial(10, th) DirichletMultinomial(10, v) dmulti(th, 10)
simplex[K]: dirichlet(1) Dirichlet(1) ddirch(ones(K)) ddirich(ones(K))
real[K]: multi_normal(v, S) multi_normal_prec(v, S) multi_normal_cholesky(v, L) multi_gp(S, v) multi_gp_cholesky(L, v) multi_student_t(3, v, S) multi_student_t_cholesky(3, v, L) gaussian_dlm_obs(A, A, A, A, v, S) MvNormal(v, S) MvStudentT(3, v, S) dmnorm(v, S) dmt(v, S, 3)
corr_chol[K]: lkj_corr_cholesky(2) LKJCholesky(2) lkj_corr(2) LKJCorr(2) LKJCholeskyCov(2)
cov_chol[K]: wishart_cholesky(5, L) inv_wishart_cholesky(5, L) Wishart(5, S) InverseWishart(5, S) dwish(S, 5) lkj_cov(v, v, 2)
real: AsymmetricLaplace(1, 1, 0) Cauchy(0, 1) ExGaussian(0, 1, 2) Flat() Gumbel(0, 1) Interpolated(x, w) Laplace(0, 1) Logistic(0, 1) Moyal(0, 1) Normal(0, 1) SkewNormal(0, 1, 2) SkewStudentT(0, 1, 2, 3) StudentT(3, 0, 1) Triangular(0, 1, 2) TruncatedNormal(0, 1, 0, 2) Uniform(0, 1) VonMises(0, 1) GaussianRandomWalk(1) AR(0.5, 1) GARCH11(1, 1, 1) EulerMaruyama(1, 1) ZeroSumNormal(1) CAR(0, 1) ICAR(A) KroneckerNormal(0, 1) MatrixNormal(0, 1) MvGaussianRandomWalk(0, 1) MvStudentTRandomWalk(0, 1) CustomDist(a) DensityDist(a) Simulator(a) Mixture(th, a) NormalMixture(th, v, v) Censored(a, 0, 1) Truncated(a, 0, 1) ImproperUniform() Gaussian(0, 1)
positive: ChiSquared(3) Exponential(1) Gamma(2, 1) HalfCauchy(1) HalfFlat() HalfNormal(1) HalfStudentT(3, 1) HalfLogistic(1) InverseGamma(2, 1) LogNormal(0, 1) Pareto(2, 0.1) PolyaGamma(1, 0) Rice(1, 1) Wald(1, 1) Weibull(2, 1) HurdleGamma(p, 1, 1) HurdleLogNormal(p, 1, 1) Fisk(1, 2) Lomax(1, 2) InverseGaussian(1, 1)
unit: Beta(2, 1) Kumaraswamy(2, 1) LogitNormal(0, 1) StickBreakingWeights(1, 3)
count: BetaBinomial(a, b, 10) Binomial(10, p) DiscreteUniform(1, 6) DiscreteWeibull(p, 1) Geometric(p) HyperGeometric(12, 5, 3) NegativeBinomial(a, b) Poisson(a) ZeroInflatedBinomial(p, 10, p) ZeroInflatedNegativeBinomial(p, a, b) ZeroInflatedPoisson(p, a) HurdleNegativeBinomial(p, a, b) HurdlePoisson(p, a) OrderedMultinomial(a, cut, 5) DiracDelta(3)
real: dnorm(0, 1) ddexp(0, 1) dlogis(0, 1) dt(0, 1, 3) dnt(0, 1, 3) dunif(0, 1) dnormmix(v, v, th) dflat() dcauchy(0, 1) dsum(a, b) dround(a, 0)
positive: dchisqr(3) dchisq(3) dexp(1) df(2, 3) dF(2, 3) dgamma(2, 1) dlnorm(0, 1) dnchisqr(2, 1) dpar(2, 0.1) dweib(2, 1) dhalfcauchy(1)
unit: dbeta(2, 1)
count: dbetabin(a, b, 10) dbin(p, 10) dhyper(5, 7, 3, 1) dnegbin(p, 5) dpois(a) dgeom(p)
`

// TestForeignLaws walks every distribution of Stan, PyMC and JAGS.
func TestForeignLaws(t *testing.T) {
	t.Parallel()
	count := 0
	for _, line := range strings.Split(strings.TrimSpace(foreignLaws), "\n") {
		typ, laws, _ := strings.Cut(line, ": ")
		for _, m := range regexp.MustCompile(`\w+\([^()]*(\([^()]*\)[^()]*)*\)`).FindAllString(laws,
			-1) {
			count++
			text := wordsAround + "param seen : " + typ + " ~ " + m + "\n"
			if kind, _, _ := strings.Cut(typ,
				"["); slices.Contains([]string{"bool", "index", "count"}, kind) {
				text = wordsAround + "data seen[N] : " + typ + "\nseen ~ " + m + "\n"
			}
			hinted(t, typ+" ~ "+m, text)
		}
	}
	if count < 170 {
		t.Errorf("only %d laws", count)
	}
}

// TestHabits: what users of other languages write in statements is told with
// what to write, and its code compiles.
func TestHabits(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"a value that refers to itself",
			"let state = [if t == 0 then 0 else a * state[t - 1] + y[t] for t in T]\n",
			"scan t in T from"},
		{"in a plate", "for n in N {\n  let m = a + m\n  factor -m^2\n}\n", "scan t in T from"},
		{"a value that is changed", "let level = 1\nlet level = level + a\n", "scan t in T from"},
		{"a draw in a track", "track rep = [normal.sample(a, 1) for n in N]\n", "sgppl predict"},
		{"a draw by a generator", "track rep = rand_normal()\n", "sgppl predict"},
		{"a remainder with the sign of its first argument", "track it = fmod(a, b)\n",
			"sign(a) * (abs(a) % abs(b))"},
		{"a number cut off towards 0", "track it = to_int(a)\n", "sign(a) * floor(abs(a))"},
		{"Stan's draw", "track rep = normal_rng(a, 1)\n", "sgppl predict"},
	} {
		diags := reportOf(wordsAround + c.text)
		if len(diags) != 1 {
			t.Errorf("%s makes %d diagnostics", c.name, len(diags))
			continue
		}
		if !slices.ContainsFunc(diags[0].Notes, func(n diag.Note) bool {
			return strings.Contains(n.Text, c.says)
		}) {
			t.Errorf("%s: %v", c.name, diags[0].Notes)
		}
		codeCompiles(t, c.name, diags[0])
	}
	if diags := reportOf(wordsAround + "factor a %% 2\n"); len(diags) != 1 ||
		len(diags[0].Edits) != 1 ||
		len(reportOf(mendedBy(wordsAround+"factor a %% 2\n", diags[0].Edits))) > 0 {
		t.Errorf("%%%%: %v", diags)
	}
}
