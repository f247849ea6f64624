package check

// foreignFunctions are the names that other languages give to functions.
var foreignFunctions = map[string]hint{
	"inv_logit": {name: "sigmoid"}, "expit": {name: "sigmoid"}, "ilogit": {name: "sigmoid"}, "invlogit": {name: "sigmoid"}, "logistic": {name: "sigmoid"}, "plogis": {name: "sigmoid"},
	"qlogis": {name: "logit"}, "log_inv_logit": {name: "log_sigmoid"}, "logsigmoid": {name: "log_sigmoid"}, "log1m_inv_logit": {form: "log_sigmoid(-$1)"},
	"Phi": {name: "normal_cdf"}, "phi": {name: "normal_cdf"}, "Phi_approx": {name: "normal_cdf"}, "std_normal_cdf": {name: "normal_cdf"}, "std_normal_lcdf": {name: "log_normal_cdf"}, "probit": {name: "normal_cdf"},
	"logsumexp": {name: "log_sum_exp"}, "logaddexp": {name: "log_add_exp"}, "log_diff": {name: "log_diff_exp"},
	"fabs": {name: "abs"}, "ln": {name: "log"}, "log2": {form: "log($1) / log(2)"}, "log10": {form: "log($1) / log(10)"}, "exp2": {form: "2^$1"},
	"gammaln": {name: "lgamma"}, "loggamma": {name: "lgamma"}, "lgam": {name: "lgamma"}, "log_gamma": {name: "lgamma"}, "tgamma": {form: "exp(lgamma($1))"}, "psi": {name: "digamma"},
	"lfactorial": {form: "lgamma($1 + 1)"}, "log_factorial": {form: "lgamma($1 + 1)"}, "factorial": {form: "exp(lgamma($1 + 1))"},
	"betaln": {name: "lbeta"}, "log_beta": {name: "lbeta"}, "lbinom": {name: "lchoose"}, "binomln": {name: "lchoose"}, "binomial_coefficient_log": {name: "lchoose"}, "choose": {form: "exp(lchoose($1, $2))"},
	"fmax": {name: "max"}, "fmin": {name: "min"}, "maximum": {name: "max"}, "minimum": {name: "min"}, "amax": {name: "max"}, "amin": {name: "min"},
	"inv": {form: "1 / $1"}, "inv_sqrt": {form: "1 / sqrt($1)"}, "inv_square": {form: "1 / $1^2"}, "rsqrt": {form: "1 / sqrt($1)"}, "cbrt": {form: "$1^(1 / 3)"}, "hypot": {form: "norm([$1, $2])"},
	"fma": {form: "$1 * $2 + $3"}, "multiply_log": {name: "xlogy"}, "fmod": {form: "$1 - $2 * floor($1 / $2)"}, "mod": {form: "$1 - $2 * floor($1 / $2)"}, "modulus": {form: "$1 - $2 * floor($1 / $2)"},
	"step": {form: "$1 >= 0"}, "int_step": {form: "$1 > 0"}, "heaviside": {form: "$1 > 0"}, "trunc": {note: "there are floor, ceil and round"}, "isnan": {note: "no value is nan; entries of data that may be missing are declared real?"},
	"arctan": {name: "atan"}, "arctan2": {name: "atan2"}, "arcsin": {name: "asin"}, "arccos": {name: "acos"}, "power": {name: "pow"}, "sqr": {name: "square"}, "sgn": {name: "sign"},
	"log_softplus": {name: "log1p_exp"}, "logistic_sigmoid": {name: "sigmoid"}, "ReLU": {name: "relu"}, "GELU": {name: "gelu"}, "Softplus": {name: "softplus"},

	"dot_product": {name: "dot"}, "inner": {name: "dot"}, "vdot": {name: "dot"}, "dot_self": {form: "dot($1, $1)"}, "sum_of_squares": {form: "sum($1^2)"}, "squared_distance": {form: "sum(($1 - $2)^2)"},
	"distance": {form: "norm($1 - $2)"}, "norm2": {name: "norm"}, "l2norm": {name: "norm"}, "norm1": {form: "sum(abs($1))"}, "unit_vector": {name: "normalize"},
	"std": {name: "sd"}, "stddev": {name: "sd"}, "stdev": {name: "sd"}, "var": {name: "variance"}, "product": {name: "prod"}, "average": {name: "mean"}, "total": {name: "sum"},
	"cumulative_sum": {name: "cumsum"}, "cumprod": {form: "exp(cumsum(log($1)))"}, "logit_softmax": {name: "softmax"}, "logsoftmax": {name: "log_softmax"}, "log_softmax_": {name: "log_softmax"},

	"matmul": {form: "$1 @ $2"}, "mm": {form: "$1 @ $2"}, "multiply": {form: "$1 * $2"}, "elt_multiply": {form: "$1 * $2"}, "elt_divide": {form: "$1 / $2"}, "add": {form: "$1 + $2"}, "subtract": {form: "$1 - $2"}, "divide": {form: "$1 / $2"},
	"t": {name: "transpose"}, "crossprod": {form: "transpose($1) @ $1"}, "tcrossprod": {form: "$1 @ transpose($1)"}, "multiply_lower_tri_self_transpose": {form: "$1 @ transpose($1)"},
	"cholesky_decompose": {name: "cholesky"}, "chol": {name: "cholesky"}, "mdivide_left_tri_low": {name: "triangular_solve"}, "solve_triangular": {name: "triangular_solve"}, "forwardsolve": {name: "triangular_solve"},
	"log_determinant": {name: "log_det"}, "logdet": {name: "log_det"}, "slogdet": {name: "log_det"}, "determinant": {form: "exp(log_det($1))"}, "det": {form: "exp(log_det($1))"},
	"inverse": {name: "inverse_spd"}, "solve": {name: "solve_spd"}, "mdivide_left_spd": {name: "solve_spd"},
	"eye": {name: "identity"}, "identity_matrix": {name: "identity"}, "diag_matrix": {name: "diag"}, "diagonal": {name: "diag"}, "diag_pre_multiply": {form: "diag($1) @ $2"}, "diag_post_multiply": {form: "$1 @ diag($2)"},

	"zeros_vector": {name: "zeros"}, "zeros_row_vector": {name: "zeros"}, "ones_vector": {name: "ones"}, "rep_vector": {form: "$1 * ones($2)"}, "rep_row_vector": {form: "$1 * ones($2)"}, "rep_matrix": {form: "$1 * ones($2, $3)"},
	"rep_array": {form: "$1 * ones($2)"}, "rep": {form: "$1 * ones($2)"}, "full": {form: "$2 * ones($1)"}, "to_vector": {name: "flatten"}, "to_row_vector": {name: "flatten"}, "to_array_1d": {name: "flatten"}, "ravel": {name: "flatten"},
	"to_matrix": {name: "reshape"}, "as_matrix": {name: "reshape"}, "append_row": {name: "concat"}, "append_array": {name: "concat"}, "hstack": {name: "concat"}, "concatenate": {name: "concat"}, "cat": {name: "concat"}, "vstack": {form: "[$*]"}, "stack": {form: "[$*]"}, "c": {form: "[$*]"},
	"vector": {form: "[$*]"}, "array": {form: "$1"}, "tensor": {form: "$1"}, "asarray": {form: "$1"}, "row": {form: "$1[$2]"}, "col": {form: "$1[:, $2]"}, "head": {form: "$1[:$2]"}, "segment": {form: "$1[$2:$2 + $3]"},
	"size": {note: "a size is known by the name of its dim"}, "length": {note: "a size is known by the name of its dim"}, "len": {note: "a size is known by the name of its dim"}, "num_elements": {note: "a size is known by the name of its dim"}, "rows": {note: "a size is known by the name of its dim"},
	"cols": {note: "a size is known by the name of its dim"}, "nrow": {note: "a size is known by the name of its dim"}, "ncol": {note: "a size is known by the name of its dim"}, "dims": {note: "a size is known by the name of its dim"}, "shape": {note: "a size is known by the name of its dim"},
	"range": {note: "an index runs over a dim or lo:hi, for n in N; as an array it is [n for n in N]"}, "arange": {note: "an index runs over a dim or lo:hi, for n in N; as an array it is [n for n in N]"}, "seq_len": {note: "an index runs over a dim or lo:hi, for n in N; as an array it is [n for n in N]"},
	"seq": {note: "an index runs over a dim or lo:hi, for n in N; as an array it is [n for n in N]"}, "seq_along": {note: "an index runs over a dim or lo:hi, for n in N; as an array it is [n for n in N]"}, "linspaced_array": {note: "an array is a comprehension: [a + (b - a) * n / (N - 1) for n in N]"}, "linspace": {note: "an array is a comprehension: [a + (b - a) * n / (N - 1) for n in N]"},
	"einsum": {note: "products over named axes are written with @, or as sum(a[i] * b[i] for i in I)"}, "sort": {note: "nothing is sorted; numbers in order are a param of type ordered[K]"},

	"where": {form: "if $1 then $2 else $3"}, "ifelse": {form: "if $1 then $2 else $3"}, "if_else": {form: "if $1 then $2 else $3"}, "IfElse": {form: "if $1 then $2 else $3"}, "select": {form: "if $1 then $2 else $3"}, "switch": {form: "if $1 then $2 else $3"},
	"log_mix": {form: "log_sum_exp([log($1) + $2, log1m($1) + $3])", note: "the density of a mixture of two, y ~ mixture(p, d1, d2), says it with distributions"},
	"print":   {note: "nothing is printed; a value that is stored with every draw is a track"}, "reject": {form: "-inf", note: "a point is refused by a term that is -inf"}, "increment_log_prob": {note: "a term is added to the log density with factor"}, "stop": {note: "nothing is raised; a point is refused by a term that is -inf"},
	"pi": {form: "3.141592653589793"}, "e": {form: "exp(1)"}, "positive_infinity": {form: "inf"}, "negative_infinity": {form: "-inf"}, "not_a_number": {note: "no value is nan; entries of data that may be missing are declared real?"},
	"integrate_ode": {name: "ode"}, "integrate_ode_rk45": {name: "ode"}, "integrate_ode_bdf": {name: "ode"}, "ode_rk45": {name: "ode"}, "ode_bdf": {name: "ode"}, "odeint": {name: "ode"}, "solve_ivp": {name: "ode"},
	"reduce_sum": {note: "rows are a plate, for n in N { … }; the engine splits them over the cores"}, "map_rect": {note: "rows are a plate, for n in N { … }; the engine splits them over the cores"}, "vmap": {note: "rows are a plate, for n in N { … }, or a comprehension, [e for n in N]"}, "map": {note: "rows are a plate, for n in N { … }, or a comprehension, [e for n in N]"},
	"conv": {name: "conv2d"}, "maxpool": {name: "max_pool2d"}, "max_pool": {name: "max_pool2d"}, "avg_pool": {name: "avg_pool2d"},
}
