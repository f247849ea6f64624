package reference

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/stan/catalogue"
)

// overloads are further calls of functions of the table: types of the results and expressions.
var overloads = [][2]string{
	{"", "log_mix(s, v)"}, {"", "log_mix(s, {v, d})"}, {"", "log_sum_exp(m)"}, {"", "sum(m)"},
	{"", "prod(m)"}, {"", "mean(m)"}, {"", "sd(m)"}, {"", "variance(to_array_1d(v))"}, {"", "min(m)"},
	{"", "norm2(v')"}, {"", "norm1({x, q})"}, {"", "distance(v', d')"}, {"", "dot_product(v', d)"},
	{"", "dot_product({x, q}, {p, 2})"}, {"", "columns_dot_product(v, d)[1]"},
	{"matrix[3, 3]", "quad_form_diag(m, v')"}, {"matrix[3, 3]", "add_diag(m, v)"},
	{"matrix[3, 3]", "add_diag(m, v')"}, {"int", "sort_asc(k)[2]"},
	{"array[2] real", "reverse({x, q})"},
	{"vector[2]", "reverse({v[1:2], d[1:2]})[1]"}, {"array[2] real", "head({x, q, p}, 2)"},
	{"matrix[4, 3]", "append_row(m, v')"}, {"row_vector[6]", "append_col(v', d')"},
	{"row_vector[4]", "append_col(x, d')"}, {"matrix[3, 2]", "append_col(v, d)"},
	{"matrix[2, 3]", "to_matrix({v', d'})"}, {"matrix[2, 2]", "to_matrix({{x, q}, {p, 1}})"},
	{"matrix[3, 1]", "to_matrix(v)"}, {"matrix[1, 3]", "to_matrix(v')"},
	{"matrix[4, 2]", "to_matrix(to_vector(T), 4, 2, 0)"}, {"vector[3]", "to_vector(v')"},
	{"vector[2]", "to_vector({x, q})"}, {"array[4] real", "to_array_1d({{x, q}, {p, 1}})"},
	{"matrix[2, 3]", "rep_matrix(v', 2)"}, {"matrix[2, 3]", "rep_matrix(x, 2, 3)"},
	{"vector[3]", "rep_array(v, 2)[2]"}, {"array[2, 3] real", "rep_array(x, 2, 3)"},
	{"matrix[2, 2]", "gp_exp_quad_cov({v, d}, q, p)"},
	{"matrix[2, 2]", "gp_exp_quad_cov({x, 0.3}, {p, 1.2}, q, p)"},
	{"matrix[2, 2]", "gp_exp_quad_cov({v, d}, q, {p, 1, 2})"},
	{"matrix[2, 2]", "gp_matern32_cov({v, d}, q, {p, 1, 2})"},
	{"matrix[2, 2]", "gp_matern52_cov({x, 0.3}, {p, 1.2}, q, p)"},
	{"matrix[2, 2]", "gp_exponential_cov({v, d}, {d, 2 * v}, q, p)"},
	{"matrix[2, 2]", "gp_dot_prod_cov({v, d}, q)"},
	{"matrix[3, 3]", "mdivide_left_tri_low(cholesky_decompose(S), m)"},
	{"matrix[3, 3]", "mdivide_right_tri_low(m, cholesky_decompose(S))"},
	{"matrix[3, 3]", "mdivide_left_spd(S, m)"}, {"matrix[3, 3]", "mdivide_right_spd(m, S)"},
	{"matrix[3, 3]", "m \\ S"}, {"matrix[3, 3]", "m / S"}, {"row_vector[3]", "v' / S"},
	{"", "quad_form_sym(S, v)"}, {"vector[3]", "v .^ 2"}, {"vector[3]", "2 .^ v"},
	{"matrix[3, 3]", "m ./ S"}, {"array[2] real", "cumulative_sum({x, q})"},
	{"matrix[3, 3]", "inverse(S)"}, {"matrix[3, 3]", "fmax(m, 0.2)"}, {"vector[3]", "pow(exp(v), d)"},
	{"array[2] real", "lbeta({q, p}, {1.0, 2.0})"}, {"vector[3]", "beta(exp(v), 2)"},
	{"vector[3]", "modified_bessel_first_kind(1, v)"}, {"vector[3]", "gamma_p(exp(v), q)"},
	{"vector[3]", "log_diff_exp(v + 5, v)"}, {"matrix[3, 3]", "lambert_w0(exp(m))"},
	{"array[2] real", "inv_erfc({p, 0.3})"}, {"matrix[3, 3]", "Phi(m)"},
	{"vector[3]", "falling_factorial(v + 5, 2)"}, {"vector[3]", "rising_factorial(v + 5, 2)"},
	{"vector[3]", "ldexp(v, 2)"}, {"vector[3]", "lmgamma(2, v + 3)"},
	{"vector[3]", "owens_t(v, d)"}, {"vector[2]", "binary_log_loss(b, [p, 0.3]')"},
	{"matrix[3, 3]", "trigamma(exp(m))"}, {"vector[3]", "log_inv_logit_diff(v + 1, v)"},
	{"vector[3]", "inv_logit(v)"}, {"matrix[3, 3]", "inv_Phi(inv_logit(m))"},
	{"vector[3]", "lower_bound_constrain(v, q)"}, {"vector[3]", "lower_bound_jacobian(v, q)"},
	{"matrix[3, 3]", "lower_upper_bound_constrain(m, -1, q)"},
	{"vector[3]", "lower_upper_bound_jacobian(v, -1, q)"},
	{"matrix[4, 4]", "sum_to_zero_constrain(m)"}, {"matrix[2, 2]", "sum_to_zero_unconstrain(m)"},
	{"matrix[3, 2]", "cholesky_factor_cov_constrain(append_row(v, d[1:2]), 3, 2)"},
	{"", "std_normal_lcdf(v)"}, {"", "normal_lpdf(v | d, {q, 1, 2})"},
	{"", "normal_lpdf(to_array_1d(v) | x, q)"}, {"", "student_t_lpdf(v' | 3, d', q)"},
	{"", "poisson_lpmf(k | q)"}, {"", "neg_binomial_2_lpmf({2, 0, 1} | exp(v), q)"},
	{"", "multi_normal_lpdf({v, d} | d, S)"}, {"", "multi_normal_lpdf(v' | d', S)"},
	{"", "multi_normal_cholesky_lpdf({v, d} | {d, v}, cholesky_decompose(S))"},
	{"", "dirichlet_lpdf({s, softmax(d)} | exp(v))"}, {"", "ordered_logistic_lpmf(xi | [x, q]', o)"},
	{"", "categorical_logit_lpmf({1, 3} | v)"}, {"", "beta_binomial_lpmf({1, 3} | 5, {q, p}, 2)"},
	{"", "wiener_lpdf(1 + q | 1.5, 0.2, p, x, 0.7)"},
	{"", "von_mises_lcdf(v | 0, q)"}, {"", "beta_binomial_lcdf({1, 3} | 5, q, 2)"},
	{"", "binomial_lcdf({1, 3} | 5, p)"}, {"", "normal_lccdf(v | d, q)"},
	{"", "skew_double_exponential_lcdf(v | x, q, p)"},
}

// TestOverloads: calls of functions with containers and other arguments have the values and
// gradients of the interpreter.
func TestOverloads(t *testing.T) {
	for _, o := range overloads {
		t.Run(o[1], func(t *testing.T) {
			f := catalogue.Function{Type: o[0], Example: o[1]}
			name, _, _ := strings.Cut(o[1], "(")
			row(t, "overload of "+name, added(f), catalogue.Refusal{})
		})
	}
}
