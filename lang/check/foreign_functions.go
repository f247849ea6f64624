package check

const (
	aSize         = "a size is known by the name of its dim: `track how_many = N`"
	anIndex       = "an index runs over a dim or a range lo:hi; as an array it is `[n + 1 for n in N]`"
	aGrid         = "an array is a comprehension: `[a + (b - a) * n / (N - 1) for n in N]`"
	noNaN         = "no value is nan; entries of data that may be missing are declared so: `data seen[N] : real?`"
	aPlate        = "rows are a plate, whose work is split over the cores: `for n in N { factor -x[n]^2 * a }`, or a comprehension: `[a * x[n] for n in N]`"
	aFactor       = "a term is added to the log density with factor: `factor -a^2`"
	aRefusal      = "nothing is raised; a point is refused by a term that is -inf: `factor if a > 10 then -inf else 0`"
	onlySPD       = "inverses and solutions are of positive definite matrices, `inverse_spd(S)` and `solve_spd(S, v)`, or of triangles, `triangular_solve(L, v)`; least squares are by `let (Q, R) = qr_thin(X)`"
	asODE         = "a differential equation is solved by ode(f, z0, t0, ts, …), where fn f(t, z, …) gives the slope; stiff ones with stiff = true: `fn slope(t : real, z : real[1]) -> real[1] { -z }`"
	ownFn         = "there is no such function here; a fn of your own is seen by all below it: "
	aLocal        = "latent states are summed out by the compiler: a discrete local, or a scan over log probabilities: `let forward = scan t in T from f = zeros(K) { [log_sum_exp(f + A[:, k]) for k in K] }`"
	noBessel      = "Bessel functions are in the laws that need them, von_mises and vmf: `von_mises.logpdf(a, 0, 2)`"
	noLambert     = ownFn + "`fn lambert(x : real) -> real { (scan i in 30 from g = log1p(x) { g - (g * exp(g) - x) / (exp(g) * (g + 1)) })[30] }`"
	noMatrixExp   = "the exponential of a matrix times a vector is the solution of a differential equation, by ode; of a symmetric matrix it is by eigenvalues: `let (d, V) = eigen_sym(S)` and `[exp(eigenvalues_sym(S)[k]) for k in K]`"
	noOrder       = "places in the order are not values here; the entries in order are `sort(x)`, one of them `quantile(x, 0.5)`, the largest `max(x)`"
	byColumn      = "it is a comprehension over columns: `[dot(A[:, k], B[:, k]) for k in K]`"
	byRow         = "it is a comprehension over rows: `[dot(A[k], B[k]) for k in K]`"
	theDiagonal   = "the diagonal of a matrix is `[A[k, k] for k in K]`; diag makes a matrix: `diag(v)`"
	oneHot        = "it is a comprehension: `[if k == 1 then 1 else 0 for k in K]`"
	aPart         = "a part is a slice, counting from 0: `A[0:2, 1:3]`"
	kernels       = "covariance functions give matrices: `gp_exp_quad(x, a, b)`, and gp_matern32, gp_matern52, gp_exponential, gp_rational_quad, gp_periodic"
	onlySymmetric = "eigenvalues are of symmetric matrices: `eigenvalues_sym(S)`, `eigenvectors_sym(S)`, both by `let (d, V) = eigen_sym(S)`"
	noSVD         = "singular values are `sqrt(eigenvalues_sym(transpose(X) @ X))`, in rising order, and the right vectors `eigenvectors_sym(transpose(X) @ X)`; for regressions there is `let (Q, R) = qr_thin(X)`"
	noFFT         = "numbers are real, and there is no Fourier transform; a sum is written out: `[sum(x[n] * cos(6.283185307179586 * n * m / N) for n in N) for m in N]`"
	kron          = "it is written out: `[A[i, j] * B[k, l] for i in K, k in K, j in K, l in K]`"
	aSparse       = "sparse is how data are stored, and they are used as others are: `data W[N, K] : sparse real`"
	noSolver      = "equations are solved by a scan of Newton steps: `let root = scan i in 20 from r = 1 { r - (r^2 - a) / (2 * r) }`"
	noQuadrature  = "an integral is a sum: `sum(exp(-((n + 0.5) / 100)^2) / 100 for n in 100)`, or the solution of a differential equation by ode"
	aLaplace      = "latent values are unknowns: `param latent[N] : real ~ normal(0, 1)`"
	aType         = "a type has its transform and its Jacobian: `param weights : simplex[K]`"
)

// foreignFunctions are the names that other languages give to functions.
var foreignFunctions = map[string]hint{
	"inv_logit": {name: "sigmoid"}, "expit": {name: "sigmoid"}, "ilogit": {name: "sigmoid"}, "invlogit": {name: "sigmoid"}, "logistic": {name: "sigmoid"}, "plogis": {name: "sigmoid"},
	"qlogis": {name: "logit"}, "log_inv_logit": {name: "log_sigmoid"}, "logsigmoid": {name: "log_sigmoid"}, "log1m_inv_logit": {form: "log_sigmoid(-$1)"},
	"Phi": {name: "normal_cdf"}, "phi": {name: "normal_cdf"}, "invprobit": {name: "normal_cdf"}, "Phi_approx": {name: "normal_cdf"}, "std_normal_cdf": {name: "normal_cdf"}, "std_normal_lcdf": {name: "log_normal_cdf"}, "probit": {name: "normal_quantile"}, "inv_Phi": {name: "normal_quantile"}, "std_normal_qf": {name: "normal_quantile"}, "std_normal_log_qf": {form: "normal_quantile(exp($1))"}, "std_normal_lccdf": {form: "log_normal_cdf(-$1)"}, "ndtri": {name: "normal_quantile"}, "qnorm": {name: "normal_quantile"},
	"logsumexp": {name: "log_sum_exp"}, "logaddexp": {name: "log_add_exp"}, "log_diff": {name: "log_diff_exp"},
	"fabs": {name: "abs"}, "ln": {name: "log"}, "log2": {form: "log($1) / log(2)"}, "log10": {form: "log($1) / log(10)"}, "exp2": {form: "2^$1"},
	"gammaln": {name: "lgamma"}, "loggamma": {name: "lgamma"}, "lgam": {name: "lgamma"}, "log_gamma": {name: "lgamma"}, "tgamma": {form: "exp(lgamma($1))"}, "psi": {name: "digamma"},
	"lfactorial": {form: "lgamma($1 + 1)"}, "log_factorial": {form: "lgamma($1 + 1)"}, "factorial": {form: "exp(lgamma($1 + 1))"},
	"betaln": {name: "lbeta"}, "log_beta": {name: "lbeta"}, "lbinom": {name: "lchoose"}, "binomln": {name: "lchoose"}, "binomial_coefficient_log": {name: "lchoose"}, "beta": {form: "exp(lbeta($1, $2))"}, "choose": {form: "exp(lchoose($1, $2))"},
	"fmax": {name: "max"}, "fmin": {name: "min"}, "maximum": {name: "max"}, "minimum": {name: "min"}, "amax": {name: "max"}, "amin": {name: "min"},
	"inv": {form: "1 / $1"}, "inv_sqrt": {form: "1 / sqrt($1)"}, "inv_square": {form: "1 / $1^2"}, "rsqrt": {form: "1 / sqrt($1)"}, "cbrt": {form: "$1^(1 / 3)"}, "hypot": {form: "sqrt($1^2 + $2^2)"},
	"fma": {form: "$1 * $2 + $3"}, "multiply_log": {name: "xlogy"}, "fmod": {form: "sign($1) * (abs($1) % abs($2))"}, "modulus": {form: "$1 % $2"}, "remainder": {form: "$1 % $2"},
	"step": {form: "$1 >= 0"}, "int_step": {form: "$1 > 0"}, "heaviside": {form: "$1 > 0"}, "trunc": {form: "sign($1) * floor(abs($1))"}, "fix": {form: "sign($1) * floor(abs($1))"}, "isnan": {note: noNaN},
	"arctan": {name: "atan"}, "arctan2": {name: "atan2"}, "arcsin": {name: "asin"}, "arccos": {name: "acos"}, "power": {name: "pow"}, "sqr": {name: "square"}, "sgn": {name: "sign"},
	"log_softplus": {name: "log1p_exp"}, "logistic_sigmoid": {name: "sigmoid"}, "ReLU": {name: "relu"}, "GELU": {name: "gelu"}, "Softplus": {name: "softplus"},

	"dot_product": {name: "dot"}, "inner": {name: "dot"}, "vdot": {name: "dot"}, "dot_self": {form: "dot($1, $1)"}, "sum_of_squares": {form: "sum($1^2)"}, "squared_distance": {form: "sum(($1 - $2)^2)"},
	"distance": {form: "norm($1 - $2)"}, "norm2": {name: "norm"}, "l2norm": {name: "norm"}, "norm1": {form: "sum(abs($1))"}, "unit_vector": {name: "normalize"},
	"std": {name: "sd"}, "stddev": {name: "sd"}, "stdev": {name: "sd"}, "var": {name: "variance"}, "product": {name: "prod"}, "average": {name: "mean"}, "total": {name: "sum"},
	"cumulative_sum": {name: "cumsum"}, "cumprod": {form: "exp(cumsum(log($1)))"}, "logit_softmax": {name: "softmax"}, "logsoftmax": {name: "log_softmax"}, "log_softmax_": {name: "log_softmax"},

	"matmul": {form: "$1 @ $2"}, "mm": {form: "$1 @ $2"}, "multiply": {form: "$1 * $2"}, "elt_multiply": {form: "$1 * $2"}, "elt_divide": {form: "$1 / $2"}, "add": {form: "$1 + $2"}, "subtract": {form: "$1 - $2"}, "divide": {form: "$1 / $2"},
	"t": {name: "transpose"}, "crossprod": {form: "transpose($1) @ $1"}, "tcrossprod": {form: "$1 @ transpose($1)"}, "multiply_lower_tri_self_transpose": {form: "$1 @ transpose($1)"},
	"cholesky_decompose": {name: "cholesky"}, "chol": {name: "cholesky"}, "mdivide_left_tri_low": {name: "triangular_solve"}, "solve_triangular": {name: "triangular_solve"}, "forwardsolve": {name: "triangular_solve"},
	"log_determinant": {name: "log_det"}, "logdet": {name: "log_det"}, "slogdet": {name: "log_det"}, "determinant": {form: "exp(log_det($1))"}, "det": {form: "exp(log_det($1))"}, "log_determinant_spd": {name: "log_det"},
	"inverse": {name: "inverse_spd", note: onlySPD}, "matrix_inverse": {name: "inverse_spd", note: onlySPD}, "inv_spd": {name: "inverse_spd"}, "generalized_inverse": {note: onlySPD}, "pinv": {note: onlySPD}, "solve": {name: "solve_spd", note: onlySPD}, "mdivide_left": {name: "solve_spd", note: onlySPD}, "mdivide_left_spd": {name: "solve_spd"},
	"eye": {name: "identity"}, "identity_matrix": {name: "identity"}, "diag_matrix": {name: "diag"}, "diagonal": {note: theDiagonal}, "diag_pre_multiply": {form: "diag($1) @ $2"}, "diag_post_multiply": {form: "$1 @ diag($2)"},

	"zeros_vector": {name: "zeros"}, "zeros_row_vector": {name: "zeros"}, "ones_vector": {name: "ones"}, "rep_vector": {form: "$1 * ones($2)"}, "rep_row_vector": {form: "$1 * ones($2)"}, "rep_matrix": {form: "$1 * ones($2, $3)"},
	"rep_array": {form: "$1 * ones($2)"}, "rep": {form: "$1 * ones($2)"}, "full": {form: "$2 * ones($1)"}, "to_vector": {name: "flatten", note: "it is flatten, row by row, where Stan goes column by column: that is `flatten(transpose(A))`"}, "to_row_vector": {name: "flatten"}, "to_array_1d": {name: "flatten"}, "ravel": {name: "flatten"},
	"to_matrix": {name: "reshape", note: "it is reshape, row by row, where Stan goes column by column: that is `transpose(reshape(flatten(A), K, K))`"}, "as_matrix": {name: "reshape"}, "append_row": {name: "concat"}, "append_array": {name: "concat"}, "hstack": {name: "concat"}, "concatenate": {name: "concat"}, "cat": {name: "concat"}, "vstack": {name: "concat"}, "stack": {form: "[$*]"}, "c": {form: "[$*]"},
	"vector": {form: "[$*]"}, "array": {form: "$1"}, "tensor": {form: "$1"}, "asarray": {form: "$1"}, "row": {form: "$1[$2]", note: "rows count from 0: of a matrix A, the first is `A[0]`"}, "col": {form: "$1[:, $2]", note: "columns count from 0: of a matrix A, the first is `A[:, 0]`"}, "head": {form: "$1[:$2]"}, "segment": {form: "$1[$2:$2 + $3]"},
	"size": {note: aSize}, "length": {note: aSize}, "len": {note: aSize}, "num_elements": {note: aSize}, "rows": {note: aSize},
	"cols": {note: aSize}, "nrow": {note: aSize}, "ncol": {note: aSize}, "dims": {note: aSize}, "dim": {note: aSize}, "shape": {note: aSize},
	"range": {note: anIndex}, "arange": {note: anIndex}, "seq_len": {note: anIndex},
	"seq": {note: anIndex}, "seq_along": {note: anIndex}, "linspaced_array": {note: aGrid}, "linspace": {note: aGrid},
	"einsum": {note: "products over named axes are written with @, or as a sum: `sum(x[n] * w[n] for n in N)`"},

	"where": {form: "if $1 then $2 else $3"}, "ifelse": {form: "if $1 then $2 else $3"}, "if_else": {form: "if $1 then $2 else $3"}, "IfElse": {form: "if $1 then $2 else $3"}, "select": {form: "if $1 then $2 else $3"}, "switch": {form: "if $1 then $2 else $3"},
	"log_mix": {form: "log_sum_exp([log($1) + $2, log1m($1) + $3])", note: "the density of a mixture of two, y ~ mixture(p, d1, d2), says it with distributions"},
	"scale":   {form: "($1 - mean($1)) / sd($1)"}, "standardize": {form: "($1 - mean($1)) / sd($1)"}, "zscore": {form: "($1 - mean($1)) / sd($1)"}, "center": {form: "$1 - mean($1)"},
	"target": {note: aFactor},
	"print":  {note: "nothing is printed; a value that is stored with every draw is a track: `track m = mean(x)`"}, "reject": {note: aRefusal}, "increment_log_prob": {note: aFactor}, "stop": {note: aRefusal},
	"pi": {form: "3.141592653589793"}, "e": {form: "exp(1)"}, "positive_infinity": {form: "inf"}, "negative_infinity": {form: "-inf"}, "not_a_number": {note: noNaN},
	"integrate_ode": {note: asODE}, "integrate_ode_rk45": {note: asODE}, "integrate_ode_bdf": {note: asODE}, "ode_rk45": {note: asODE}, "ode_bdf": {note: asODE}, "odeint": {note: asODE}, "solve_ivp": {note: asODE},
	"reduce_sum": {note: aPlate}, "map_rect": {note: aPlate}, "vmap": {note: aPlate}, "map": {note: aPlate},
	"conv": {name: "conv2d"}, "maxpool": {name: "max_pool2d"}, "max_pool": {name: "max_pool2d"}, "avg_pool": {name: "avg_pool2d"},
	"fdim": {form: "max($1 - $2, 0)"}, "acosh": {form: "log($1 + sqrt($1^2 - 1))"}, "asinh": {form: "sign($1) * log(abs($1) + sqrt($1^2 + 1))"}, "atanh": {form: "0.5 * (log1p($1) - log1m($1))"},
	"arccosh": {form: "log($1 + sqrt($1^2 - 1))"}, "arcsinh": {form: "sign($1) * log(abs($1) + sqrt($1^2 + 1))"}, "arctanh": {form: "0.5 * (log1p($1) - log1m($1))"},
	"inv_cloglog": {form: "-expm1(-exp($1))"}, "icloglog": {form: "-expm1(-exp($1))"}, "cloglog": {form: "log(-log1m($1))"}, "inv_erfc": {form: "-0.7071067811865476 * normal_quantile(0.5 * $1)"}, "erfcinv": {form: "-0.7071067811865476 * normal_quantile(0.5 * $1)"}, "erfinv": {form: "0.7071067811865476 * normal_quantile(0.5 * (1 + $1))"},
	"binary_log_loss": {form: "-bernoulli.logpdf($1, $2)", note: "it is minus the log density of a bernoulli: `-bernoulli.logpdf(1, p)`"}, "owens_t": {note: ownFn + "`fn owens(h : real, a : real) -> real { sum(exp(-0.5 * h^2 * (1 + ((k + 0.5) / 200 * a)^2)) / (1 + ((k + 0.5) / 200 * a)^2) * a / 200 for k in 200) / 6.283185307179586 }`"},
	"inc_beta": {name: "beta_inc"}, "betainc": {name: "beta_inc"}, "pbeta": {name: "beta_inc"}, "inv_inc_beta": {note: "the inverse of a distribution function is not here; data that are censored or truncated are said by the law: `beta_inc(a, b, 0.5)`"}, "gammainc": {name: "gamma_p"}, "gammaincc": {name: "gamma_q"},
	"lmgamma": {form: "0.25 * $1 * ($1 - 1) * log(3.141592653589793) + sum(lgamma($2 - 0.5 * j) for j in $1)"}, "multigammaln": {form: "0.25 * $2 * ($2 - 1) * log(3.141592653589793) + sum(lgamma($1 - 0.5 * j) for j in $2)"},
	"falling_factorial": {form: "exp(lgamma($1 + 1) - lgamma($1 - $2 + 1))"}, "log_falling_factorial": {form: "lgamma($1 + 1) - lgamma($1 - $2 + 1)"}, "rising_factorial": {form: "exp(lgamma($1 + $2) - lgamma($1))"}, "log_rising_factorial": {form: "lgamma($1 + $2) - lgamma($1)"},
	"ldexp": {form: "$1 * 2^$2"}, "lmultiply": {name: "xlogy"}, "log_inv_logit_diff": {form: "log_diff_exp(log_sigmoid($1), log_sigmoid($2))"}, "log1pexp": {name: "log1p_exp"}, "log1mexp": {name: "log1m_exp", note: "it is log1m_exp, with the sign of x as it stands in log(1 - exp(x)): `log1m_exp(-a)`"}, "logdiffexp": {name: "log_diff_exp"},
	"bessel_first_kind": {note: noBessel}, "bessel_second_kind": {note: noBessel}, "modified_bessel_first_kind": {note: noBessel}, "log_modified_bessel_first_kind": {note: noBessel}, "modified_bessel_second_kind": {note: noBessel},
	"lambert_w0": {note: noLambert}, "lambert_wm1": {note: noLambert}, "is_inf": {form: "$1 == inf or $1 == -inf"}, "isinf": {form: "$1 == inf or $1 == -inf"}, "is_nan": {note: noNaN}, "sqrt2": {form: "1.4142135623730951"}, "machine_precision": {form: "2.220446049250313e-16"},
	"equals": {form: "$1 == $2"}, "eq": {form: "$1 == $2"}, "neq": {form: "$1 != $2"}, "ge": {form: "$1 >= $2"}, "gt": {form: "$1 > $2"}, "le": {form: "$1 <= $2"}, "lt": {form: "$1 < $2"}, "and_": {form: "$1 and $2"}, "or_": {form: "$1 or $2"}, "invert": {form: "not $1"},
	"logfact": {form: "lgamma($1 + 1)"}, "loggam": {name: "lgamma"}, "inprod": {name: "dot"}, "mexp": {note: noMatrixExp}, "clip": {form: "min(max($1, $2), $3)"},

	"sort_asc": {name: "sort"}, "sort_desc": {form: "-sort(-$1)"}, "sort_indices_asc": {note: noOrder}, "sort_indices_desc": {note: noOrder}, "argsort": {note: noOrder}, "rank": {note: noOrder}, "order": {note: noOrder}, "argmax": {note: noOrder}, "argmin": {note: noOrder},
	"reverse": {note: "an array is read backwards by its index: `[x[N - 1 - n] for n in N]`"}, "rev": {note: "an array is read backwards by its index: `[x[N - 1 - n] for n in N]`"}, "percentile": {form: "quantile($1, $2 / 100)"},

	"columns_dot_product": {note: byColumn}, "rows_dot_product": {note: byRow}, "columns_dot_self": {note: byColumn}, "rows_dot_self": {note: byRow},
	"quad_form_sym": {name: "quad_form"}, "quad_form_diag": {form: "diag($2) @ $1 @ diag($2)"}, "trace_quad_form": {form: "trace(transpose($2) @ $1 @ $2)"}, "trace_gen_quad_form": {form: "trace($1 @ transpose($3) @ $2 @ $3)"},
	"symmetrize_from_lower_tri": {note: "the lower triangle is read where symmetry is wanted; as a matrix: `[A[max(i, j), min(i, j)] for i in K, j in K]`"},
	"add_diag":                  {note: "a diagonal is added as a matrix: `A + diag(v)`, or `A + 0.1 * identity(K)`"}, "extract_diag": {note: theDiagonal}, "one_hot": {note: oneHot}, "one_hot_array": {note: oneHot}, "one_hot_int_array": {note: oneHot}, "one_hot_vector": {note: oneHot}, "one_hot_row_vector": {note: oneHot},
	"linspaced_vector": {note: aGrid}, "linspaced_row_vector": {note: aGrid}, "linspaced_int_array": {note: aGrid}, "ones_array": {name: "ones"}, "ones_int_array": {name: "ones"}, "ones_row_vector": {name: "ones"}, "zeros_array": {name: "zeros"}, "zeros_int_array": {name: "zeros"}, "uniform_simplex": {form: "ones($1) / $1"},
	"block": {note: aPart}, "sub_col": {note: aPart}, "sub_row": {note: aPart}, "tail": {note: "the last entries are a slice: `x[N - 2:]`"}, "append_col": {note: "columns are put beside each other by rows: `transpose(concat(transpose(A), transpose(B)))`"},
	"gp_exp_quad_cov": {name: "gp_exp_quad"}, "cov_exp_quad": {name: "gp_exp_quad"}, "gp_exponential_cov": {name: "gp_exponential"}, "gp_matern32_cov": {name: "gp_matern32"}, "gp_matern52_cov": {name: "gp_matern52"}, "gp_periodic_cov": {name: "gp_periodic"},
	"gp_dot_prod_cov": {note: "it is written out: `[a^2 + x[n] * x[m] for n in N, m in N]`"}, "ExpQuad": {note: kernels}, "Matern32": {note: kernels}, "Matern52": {note: kernels}, "RatQuad": {note: kernels}, "Periodic": {note: kernels},
	"mdivide_right_tri_low": {note: "a row times the inverse of a triangle: `triangular_solve_t(L, v)`"}, "mdivide_right_spd": {form: "solve_spd($2, $1)"}, "mdivide_right": {note: onlySPD}, "backsolve": {note: "an upper triangle is the transpose of a lower one: `triangular_solve_t(L, v)`"},
	"matrix_exp": {note: noMatrixExp}, "expm": {note: noMatrixExp}, "matrix_exp_multiply": {note: noMatrixExp}, "scale_matrix_exp_multiply": {note: noMatrixExp}, "matrix_power": {note: "a power of a matrix is a product: `A @ A`, or of a symmetric one by its eigenvalues, `let (d, V) = eigen_sym(S)`"},
	"chol2inv": {form: "inverse_spd($1 @ transpose($1))"}, "eigh": {note: onlySymmetric}, "eigendecompose_sym": {note: onlySymmetric}, "eigvalsh": {name: "eigenvalues_sym"}, "eigenvalues": {note: onlySymmetric}, "eigenvectors": {note: onlySymmetric}, "eigen": {note: onlySymmetric}, "eig": {note: onlySymmetric}, "eigendecompose": {note: onlySymmetric},
	"qr": {note: "it gives two values: `let (Q, R) = qr_thin(X)`"}, "qr_Q": {name: "qr_thin_Q"}, "qr_R": {name: "qr_thin_R"}, "singular_values": {form: "sqrt(eigenvalues_sym(transpose($1) @ $1))"}, "svd": {note: noSVD}, "svd_U": {note: noSVD}, "svd_V": {note: noSVD},
	"fft": {note: noFFT}, "inv_fft": {note: noFFT}, "fft2": {note: noFFT}, "inv_fft2": {note: noFFT}, "to_complex": {note: noFFT}, "kronecker": {note: kron}, "kron": {note: kron}, "kron_diag": {note: kron}, "block_diagonal": {note: "it is written out: `[if i < K and j < K then A[min(i, K - 1), min(j, K - 1)] else 0 for i in 5, j in 5]`"},
	"csr_extract_w": {note: aSparse}, "csr_extract_v": {note: aSparse}, "csr_extract_u": {note: aSparse}, "csr_to_dense_matrix": {note: aSparse}, "csr_matrix_times_vector": {note: aSparse}, "to_array_2d": {form: "$1"}, "to_int": {form: "sign($1) * floor(abs($1))"}, "flat_outer": {form: "flatten(outer($1, $2))"}, "expand_packed_triangular": {note: "a triangle is a type: `param C : cov_chol[K]`"},
	"algebra_solver": {note: noSolver}, "solve_newton": {note: noSolver}, "solve_newton_tol": {note: noSolver}, "solve_powell": {note: noSolver}, "solve_powell_tol": {note: noSolver}, "integrate_1d": {note: noQuadrature}, "quad": {note: noQuadrature}, "dae": {note: asODE}, "dae_tol": {note: asODE},
	"ode_adams": {note: asODE}, "ode_ckrk": {note: asODE}, "ode_rk45_tol": {note: asODE}, "ode_bdf_tol": {note: asODE}, "ode_adams_tol": {note: asODE}, "ode_ckrk_tol": {note: asODE}, "ode_adjoint_tol_ctl": {note: asODE}, "integrate_ode_adams": {note: asODE},
	"reduce_sum_static": {note: aPlate}, "hmm_marginal": {note: aLocal}, "hmm_hidden_state_prob": {note: aLocal}, "hmm_latent_rng": {note: aLocal}, "laplace_marginal": {note: aLaplace}, "fatal_error": {note: aRefusal}, "get_lp": {note: aFactor}, "profile": {note: "blocks are not timed; a term stands alone: `factor -a^2`"},
	"Potential": {note: aFactor}, "Deterministic": {form: "$1", note: "a value that is stored with every draw is a track: `track m = mean(x)`"}, "Data": {note: "inputs are data: `data seen[N] : real`"}, "MutableData": {note: "inputs are data: `data seen[N] : real`"}, "ConstantData": {note: "inputs are data: `data seen[N] : real`"},
	"simplex_jacobian": {note: aType}, "simplex_constrain": {note: aType}, "ordered_constrain": {note: aType}, "lower_bound_jacobian": {note: aType}, "upper_bound_jacobian": {note: aType}, "lower_upper_bound_jacobian": {note: aType}, "positive_ordered_jacobian": {note: aType}, "unit_vector_jacobian": {note: aType}, "cholesky_corr_constrain": {note: aType}, "sum_to_zero_constrain": {note: aType},
	"constant": {form: "$1"}, "as_tensor": {form: "$1"}, "stop_gradient": {note: "every value has its gradient; data have none: `data seen[N] : real`"}, "extract": {note: aPart}, "cartesian": {note: "every pair is a comprehension: `[x[n] + w[m] for n in N, m in N]`"}, "meshgrid": {note: "every pair is a comprehension: `[x[n] + w[m] for n in N, m in N]`"}, "nanmean": {note: noNaN},
}
