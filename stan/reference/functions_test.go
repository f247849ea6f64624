package reference

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// functionHead declares what the expressions of TestFunctions read.
const functionHead = `functions {
  real bump(real x, real xc, array[] real th, data array[] real x_r, data array[] int x_i) {
    return exp(-square(x) * th[1]);
  }
  real edge(real x, real xc, array[] real th, data array[] real x_r, data array[] int x_i) {
    return th[1] / sqrt(xc < 0 ? -xc : x);
  }
  vector eqs(vector y, vector th) { return [y[1] - exp(th[1]), y[2] * y[1] - th[2]]'; }
  vector eqo(vector y, vector th, data array[] real x_r, data array[] int x_i) {
    return [y[1] ^ 3 + y[1] - th[1], y[2] - y[1]]';
  }
  vector fall(real t, vector y, real k) { return [-k * y[1]]'; }
  vector slide(real t, vector y, vector dy, real k, array[] real c) {
    vector[3] r;
    real s = y[1] + y[2] + y[3];
    r[1] = dy[1] * c[1] + k * y[1] * c[1];
    r[2] = dy[2] - (k * y[1] - y[2]) + 0.5 * (dy[1] + k * y[1]);
    r[3] = s - sin(t) - 1;
    return r;
  }
  vector shard(vector phi, vector th, data array[] real x_r, data array[] int x_i) {
    return [phi[1] * th[1] * x_r[1]]';
  }
}
data { int N; vector[3] d; matrix[2, 3] Z; array[2] real xr; array[2] int xi; array[2, 1] real sr;
  array[2, 1] int si; array[4] int k; }
parameters { real x; real<lower=0> q; real<lower=0, upper=1> p; vector[3] v; matrix[3, 3] m;
  matrix[4, 2] T; cov_matrix[3] S; simplex[3] s; }
model { target += EXPR; }
`

const functionData = `{"N": 3, "d": [0.4, -1.2, 0.9], "Z": [[1.5, 0, 2], [0, 0, 3]], "xr": [0.1, 0.2],
  "xi": [1, 2], "sr": [[1.5], [0.4]], "si": [[1], [2]], "k": [3, 1, 4, 1]}`

// functionPairs are expressions of functions of Stan's library, each with a closed form of it.
var functionPairs = []struct{ name, expr, closed string }{
	{"falling_factorial", "falling_factorial(q + 5, 3)", "(q + 5) * (q + 4) * (q + 3)"},
	{"ldexp", "ldexp(x, 3)", "8 * x"},
	{"lmgamma", "lmgamma(2, q + 2)", "0.5 * log(pi()) + lgamma(q + 2) + lgamma(q + 1.5)"},
	{"inv_erfc", "erfc(inv_erfc(p + 0.3))", "p + 0.3"},
	{"std_normal_log_qf", "std_normal_log_qf(log(p))", "inv_Phi(p)"},
	{"lambert_w0", "lambert_w0(q * exp(q))", "q"},
	{"lambert_wm1", "lambert_wm1(-(1.2 + q) * exp(-(1.2 + q)))", "-(1.2 + q)"},
	{"bessel_first_kind", "bessel_first_kind(1, q) * 2 / q - bessel_first_kind(0, q)",
		"bessel_first_kind(2, q)"},
	{"modified_bessel_first_kind", "modified_bessel_first_kind(0, q)",
		"exp(log_modified_bessel_first_kind(0, q))"},
	{"log_modified_bessel_first_kind", "log_modified_bessel_first_kind(0.5, q)",
		"0.5 * log(2 / (pi() * q)) + log(sinh(q))"},
	{"modified_bessel_second_kind", "q * (modified_bessel_first_kind(0, q) * " +
		"modified_bessel_second_kind(1, q) + modified_bessel_first_kind(1, q) * " +
		"modified_bessel_second_kind(0, q)) + x", "1 + x"},
	{"owens_t", "owens_t(x, 1)", "0.5 * Phi(x) * (1 - Phi(x))"},
	{"trace_gen_quad_form", "trace_gen_quad_form(m, S, m)", "sum(diagonal(m * (m' * S * m)))"},
	{"symmetrize_from_lower_tri", "sum(symmetrize_from_lower_tri(m))",
		"m[1, 1] + m[2, 2] + m[3, 3] + 2 * (m[2, 1] + m[3, 1] + m[3, 2])"},
	{"generalized_inverse", "sum(generalized_inverse(T) * T)", "2 + 0 * x"},
	{"generalized_inverse of a wide matrix", "sum(T' * generalized_inverse(T'))", "2 + 0 * x"},
	{"singular_values", "sum(square(singular_values(m)))", "sum(square(to_vector(m)))"},
	{"svd", "sum(svd(T).1 * diag_matrix(svd(T).2) * svd(T).3')", "sum(T)"},
	{"matrix_exp", "sum(matrix_exp([[0, x], [-x, 0]]))", "2 * cos(x)"},
	{"matrix_exp of a diagonal", "trace(matrix_exp(diag_matrix(v)))", "sum(exp(v))"},
	{"matrix_exp_multiply", "sum(matrix_exp_multiply([[0, x], [0, 0]], identity_matrix(2)))", "2 + x"},
	{"scale_matrix_exp_multiply",
		"sum(scale_matrix_exp_multiply(q, [[0, x], [0, 0]], identity_matrix(2)))", "2 + q * x"},
	{"matrix_power", "sum(matrix_power(m, 3))", "sum(m * m * m)"},
	{"eigendecompose_sym", "sum(eigendecompose_sym(S).2)", "trace(S)"},
	{"qr", "sum(qr(m).1 * qr(m).2)", "sum(m)"},
	{"determinant", "determinant(m)", "m[1, 1] * (m[2, 2] * m[3, 3] - m[2, 3] * m[3, 2]) - m[1, 2] " +
		"* (m[2, 1] * m[3, 3] - m[2, 3] * m[3, 1]) + m[1, 3] * (m[2, 1] * m[3, 2] - m[2, 2] * m[3, 1])"},
	{"determinant of five rows", "determinant(append_row(append_col(append_row(append_col(m, d), " +
		"append_col(v', x)), [q, 1, 0, p]'), [p, 0, x, 2, v[1]]))", "0 * p + " + fiveRows},
	{"bessel_second_kind", "bessel_first_kind(3, q + 1) * bessel_second_kind(2, q + 1) - " +
		"bessel_first_kind(2, q + 1) * bessel_second_kind(3, q + 1)", "2 / (pi() * (q + 1)) + 0 * x"},
	{"bessel_second_kind of a small number", "bessel_second_kind(0, 0.25 * p)", "2 / pi() * " +
		"(log(p / 8) + 0.5772156649015328606) * bessel_first_kind(0, p / 4) + 2 / pi() * " +
		"(square(p / 8) - 0.375 * square(square(p / 8)) + 11 * pow(p / 8, 6) / 216 " +
		"- 25 * pow(p / 8, 8) / 6912)"},
	{"qr_Q", "sum(qr_Q(T) * qr_R(T)) + sum(qr_Q(T') * qr_R(T'))", "2 * sum(T)"},
	{"qr_Q of a tall matrix", "trace(crossprod(qr_Q(T))) + sum(tcrossprod(qr_Q(T)))", "8 + 0 * x"},
	{"determinant of a covariance", "determinant(S)", "exp(log_determinant(S))"},
	{"mdivide_left", "sum(m * mdivide_left(m, S))", "sum(S)"},
	{"mdivide_right", "sum((S / m) * m)", "sum(S)"},
	{"chol2inv", "sum(chol2inv(cholesky_decompose(S)) * S)", "3 + 0 * x"},
	{"gp_dot_prod_cov", "sum(gp_dot_prod_cov({x, q}, p))", "4 * square(p) + square(x + q)"},
	{"csr_matrix_times_vector",
		"sum(csr_matrix_times_vector(2, 3, csr_extract_w(Z), csr_extract_v(Z), csr_extract_u(Z), v))",
		"1.5 * v[1] + 5 * v[3]"},
	{"csr_to_dense_matrix",
		"sum(csr_to_dense_matrix(2, 3, csr_extract_w(Z), csr_extract_v(Z), csr_extract_u(Z)) * v)",
		"sum(Z * v)"},
	{"sort_desc", "sort_desc(v)[1]", "max(v)"},
	{"sort_indices_asc", "dot_product(v[sort_indices_asc(d)], [1, 10, 100]')",
		"v[2] + 10 * v[1] + 100 * v[3]"},
	{"sort_indices_desc", "x * k[sort_indices_desc(k)[2]]", "3 * x"},
	{"sort_indices_asc of unknowns", "v[sort_indices_asc(v)[3]]", "max(v)"},
	{"rank", "rank(d, 3) * x", "2 * x"},
	{"quantile", "sum(quantile(v, {0, 1}))", "min(v) + max(v)"},
	{"one_hot_int_array", "sum(one_hot_int_array(4, 2)) * x", "x"},
	{"linspaced_int_array", "linspaced_int_array(4, 1, 7)[3] * x", "5 * x"},
	{"is_nan", "is_nan(x) + x", "x"},
	{"hmm_hidden_state_prob", "hmm_hidden_state_prob([[x, q], [0, x]], [[p, 1 - p], [0.3, 0.7]], " +
		"[0.4, 0.6]')[1, 2]", "(0.4 * exp(x) * p + 0.6 * 0.3) * exp(q) / ((0.4 * exp(x) * p + 0.6 * " +
		"0.3) * exp(q) + (0.4 * exp(x) * (1 - p) + 0.6 * 0.7) * exp(x))"},
	{"integrate_1d between infinite ends", "integrate_1d(bump, negative_infinity(), " +
		"positive_infinity(), {q}, xr, xi)", "sqrt(pi() / q)"},
	{"integrate_1d to infinity", "integrate_1d(bump, x, positive_infinity(), {q}, xr, xi, 1e-8)",
		"0.5 * sqrt(pi() / q) * erfc(sqrt(q) * x)"},
	{"integrate_1d between ends", "integrate_1d(bump, x, x + 1, {q}, xr, xi)",
		"0.5 * sqrt(pi() / q) * (erfc(sqrt(q) * x) - erfc(sqrt(q) * (x + 1)))"},
	{"integrate_1d to a pole", "integrate_1d(edge, 0, 1, {q}, xr, xi)", "2 * q"},
	{"solve_newton", "sum(solve_newton(eqs, [1, 1]', [x, p]'))", "exp(x) + p / exp(x)"},
	{"solve_powell_tol", "sum(solve_powell_tol(eqs, [1, 1]', 1e-9, 1e-9, 200, [x, p]'))",
		"exp(x) + p / exp(x)"},
	{"algebra_solver", "algebra_solver(eqo, [1, 1]', [q ^ 3 + q, p]', xr, xi)[2]", "q"},
	{"ode_adjoint_tol_ctl", "ode_adjoint_tol_ctl(fall, [1.0]', 0, {1.0}, 1e-9, [1e-9]', 1e-9, " +
		"[1e-9]', 1e-9, 1e-9, 1000, 100, 1, 1, 1, q)[1, 1]", "exp(-q)"},
	{"dae", "dae(slide, [1, 0, 0]', [-q, q, 1]', 0, {0.5, 1.0}, q, {2.0})[2, 3]",
		"1 + sin(1.0) - exp(-q) - q / (1 - q) * (exp(-q) - exp(-1.0))"},
	{"dae_tol", "dae_tol(slide, [1, 0, 0]', [-q, q, 1]', 0, {1.0}, 1e-11, 1e-11, 1000000, q, " +
		"{2.0})[1, 2]", "q / (1 - q) * (exp(-q) - exp(-1.0))"},
	{"map_rect", "map_rect(shard, [x]', {[q]', [p]'}, sr, si)[2]", "x * p * 0.4"},
	{"poisson_binomial_lpmf", "poisson_binomial_lpmf(1 | [p, 0.3]')",
		"log(p * 0.7 + (1 - p) * 0.3)"},
	{"poisson_binomial_lcdf", "poisson_binomial_lcdf(1 | [p, 0.3]')", "log1m(0.3 * p)"},
	{"beta_binomial_lcdf", "beta_binomial_lcdf(3 | 4, q, 1)",
		"log1m_exp(beta_binomial_lpmf(4 | 4, q, 1))"},
	{"beta_neg_binomial_lccdf", "beta_neg_binomial_lccdf(1 | q, 1, p)",
		"log1m(exp(beta_neg_binomial_lpmf(0 | q, 1, p)) + exp(beta_neg_binomial_lpmf(1 | q, 1, p)))"},
	{"skew_double_exponential_lcdf", "skew_double_exponential_lcdf(x | 0.3, q, 0.5)",
		"double_exponential_lcdf(x | 0.3, q)"},
	{"multi_gp_lpdf", "multi_gp_lpdf(m | S, [q, 1, 2]')",
		"multi_normal_lpdf(m[1] | zeros_vector(3), S / q) + " +
			"multi_normal_lpdf(m[2] | zeros_vector(3), S) + multi_normal_lpdf(m[3] | " +
			"zeros_vector(3), S / 2)"},
	{"gaussian_dlm_obs_lpdf", "gaussian_dlm_obs_lpdf([[0.4, x]] | [[1.0]], [[0.5]], [[q]], [[1.5]], " +
		"[0.3]', [[0.7]])", "multi_normal_lpdf([0.4, x]' | [0.15, 0.075]', [[0.175 + 1.5 + q, 0.8375], " +
		"[0.8375, 0.41875 + 1.5 + q]])"},
	{"gaussian_dlm_obs_lpdf of variances", "gaussian_dlm_obs_lpdf([[0.4, x]] | [[1.0]], [[0.5]], " +
		"[q]', [[1.5]], [0.3]', [[0.7]])", "multi_normal_lpdf([0.4, x]' | [0.15, 0.075]', " +
		"[[0.175 + 1.5 + q, 0.8375], [0.8375, 0.41875 + 1.5 + q]])"},
	{"wiener_lpdf", "wiener_lpdf(0.7 | 1 + q, 0.1, p, x)",
		"log(pi()) - 2 * log(1 + q) - x * (1 + q) * p - 0.3 * square(x) + " +
			"log(sin(pi() * p) * exp(-0.3 * square(pi() / (1 + q))) + 2 * sin(2 * " +
			"pi() * p) * exp(-1.2 * square(pi() / (1 + q))) + 3 * sin(3 * pi() * p) * exp(-2.7 * " +
			"square(pi() / (1 + q))) + 4 * sin(4 * pi() * p) * exp(-4.8 * square(pi() / (1 + q))) + 5 * " +
			"sin(5 * pi() * p) * exp(-7.5 * square(pi() / (1 + q))) + 6 * sin(6 * pi() * p) * exp(-10.8 * " +
			"square(pi() / (1 + q))))"},
}

// fiveRows is the determinant of a matrix of five rows by Leibniz's formula.
var fiveRows = leibniz([][]string{{"m[1, 1]", "m[1, 2]", "m[1, 3]", "d[1]", "q"},
	{"m[2, 1]", "m[2, 2]", "m[2, 3]", "d[2]", "1"}, {"m[3, 1]", "m[3, 2]", "m[3, 3]", "d[3]", "0"},
	{"v[1]", "v[2]", "v[3]", "x", "p"}, {"p", "0", "x", "2", "v[1]"}})

func leibniz(a [][]string) string {
	if len(a) == 0 {
		return "1"
	}
	var terms []string
	for i := range a {
		var rest [][]string
		for k, row := range a {
			if k != i {
				rest = append(rest, row[1:])
			}
		}
		terms = append(terms, fmt.Sprintf("(%d) * %s * %s", 1-2*(i%2), a[i][0], leibniz(rest)))
	}
	return "(" + strings.Join(terms, " + ") + ")"
}

// TestFunctions: functions of Stan's library have the values and gradients of closed forms.
func TestFunctions(t *testing.T) {
	for _, c := range functionPairs {
		t.Run(c.name, func(t *testing.T) {
			a, b := evaluatorOf(t, c.expr), evaluatorOf(t, c.closed)
			loose := 1e-8
			if strings.Contains(c.expr, "ode") {
				loose = 1e-6
			}
			x := make([]float64, a.n)
			g, h := make([]float64, a.n), make([]float64, a.n)
			for turn := range 3 {
				for k := range x {
					x[k] = 0.4*math.Sin(float64(5*k+7*turn+1)) + 0.1
				}
				u, v := a.LogDensity(x, nil, 1, 0), b.LogDensity(x, nil, 1, 0)
				if !(math.Abs(u-v) <= loose*(1+math.Abs(v))) {
					t.Fatalf("%s is %v, and %s is %v", c.expr, u, c.closed, v)
				}
				a.Gradient(x, nil, 1, 0, g)
				b.Gradient(x, nil, 1, 0, h)
				for k := range g {
					if !(math.Abs(g[k]-h[k]) <= 10*loose*(1+math.Abs(h[k]))) {
						t.Fatalf("coordinate %d of the gradient of %s is %v, and of %s %v", k, c.expr, g[k],
							c.closed, h[k])
					}
				}
			}
		})
	}
}

type functionEvaluator struct {
	*model.Evaluator
	n int
}

func evaluatorOf(t *testing.T, expr string) functionEvaluator {
	t.Helper()
	src := source.New("f.stan", strings.Replace(functionHead, "EXPR", expr, 1))
	m, e, _ := modelOf(t, src, dataFile(t, functionData))
	return functionEvaluator{e, m.Dim()}
}
