package cuda

// ops is how CUDA C writes the elementwise operations of package ir, for numbers of either
// precision. The functions that begin with sg_ are in prelude.cu.
var ops = map[string]string{
	"add": "%[1]s + %[2]s", "sub": "%[1]s - %[2]s", "mul": "%[1]s * %[2]s",
	"div": "%[1]s / %[2]s", "neg": "-%[1]s", "pow": "sg_pow(%[1]s, %[2]s)",
	"abs": "sg_abs(%[1]s)", "sign": "sg_sign(%[1]s)",
	"min": "sg_min(%[1]s, %[2]s)", "max": "sg_max(%[1]s, %[2]s)",
	"floor": "sg_floor(%[1]s)", "ceil": "sg_ceil(%[1]s)", "round": "sg_round(%[1]s)",
	"lt": "%[1]s < %[2]s", "le": "%[1]s <= %[2]s", "gt": "%[1]s > %[2]s", "ge": "%[1]s >= %[2]s",
	"eq": "%[1]s == %[2]s", "ne": "%[1]s != %[2]s",
	"and": "%[1]s != 0 && %[2]s != 0", "or": "%[1]s != 0 || %[2]s != 0", "not": "%[1]s == 0",
	"select": "(%[1]s != 0 ? %[2]s : %[3]s)", "mul0": "sg_mul0(%[1]s, %[2]s)",

	"exp": "sg_exp(%[1]s)", "expm1": "sg_expm1(%[1]s)", "log": "sg_log(%[1]s)",
	"log1p": "sg_log1p(%[1]s)", "sqrt": "sg_sqrt(%[1]s)", "sigmoid": "sg_sigmoid(%[1]s)",
	"log_sigmoid": "-sg_softplus(-%[1]s)", "log1p_exp": "sg_softplus(%[1]s)",
	"log1m_exp": "sg_log1mexp(%[1]s)", "logit": "sg_logit(%[1]s)", "relu": "sg_relu(%[1]s)",
	"tanh": "sg_tanh(%[1]s)", "sinh": "sg_sinh(%[1]s)", "cosh": "sg_cosh(%[1]s)",
	"sin": "sg_sin(%[1]s)", "cos": "sg_cos(%[1]s)", "tan": "sg_tan(%[1]s)",
	"asin": "sg_asin(%[1]s)", "acos": "sg_acos(%[1]s)", "atan": "sg_atan(%[1]s)",
	"atan2": "sg_atan2(%[1]s, %[2]s)", "erf": "sg_erf(%[1]s)", "erfc": "sg_erfc(%[1]s)",
	"lgamma": "sg_lgamma(%[1]s)", "digamma": "sg_digamma(%[1]s)",
}
