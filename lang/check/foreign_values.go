package check

import "slices"

// foreignValues are the constants of other languages.
var foreignValues = map[string]hint{
	"True": {name: "true"}, "TRUE": {name: "true"}, "False": {name: "false"}, "FALSE": {name: "false"},
	"Inf": {name: "inf"}, "INF": {name: "inf"}, "Infinity": {name: "inf"}, "INFINITY": {name: "inf"}, "infinity": {name: "inf"},
	"pi": {name: "3.141592653589793"}, "PI": {name: "3.141592653589793"}, "Pi": {name: "3.141592653589793"}, "π": {name: "3.141592653589793"},
	"nan": {note: "there is no nan; entries of data that may be missing are declared real?"}, "NaN": {note: "there is no nan; entries of data that may be missing are declared real?"},
	"NA": {note: "there is no NA; entries of data that may be missing are declared real?"}, "None": {note: "every value is a number or an array of numbers"},
	"NULL": {note: "every value is a number or an array of numbers"}, "null": {note: "every value is a number or an array of numbers"},
	"target": {note: "the log density has no name; a term is added to it with factor"}, "lp__": {note: "the log density has no name; a term is added to it with factor"},
}

// foreignTypes are what other languages call the types. The name alone is put in
// place of theirs where their brackets hold the same sizes.
var foreignTypes = map[string]hint{
	"vector": {name: "real"}, "matrix": {name: "real"}, "row_vector": {name: "real"}, "array": {name: "real"}, "tensor": {name: "real"}, "float": {name: "real"}, "double": {name: "real"},
	"float32": {name: "real"}, "float64": {name: "real"}, "numeric": {name: "real"}, "continuous": {name: "real"}, "scalar": {name: "real"}, "complex": {note: "numbers are real"},
	"number": {name: "real"}, "integer": {name: "int"}, "int32": {name: "int"}, "int64": {name: "int"}, "long": {name: "int"}, "boolean": {name: "bool"}, "logical": {name: "bool"}, "binary": {name: "bool"},
	"unit_vector": {name: "sphere"}, "cholesky_factor_corr": {name: "corr_chol"}, "cholesky_factor_cov": {name: "cov_chol"},
	"cov_matrix": {note: "a covariance is given by its Cholesky factor, cov_chol[K]: Sigma = L @ transpose(L)"}, "corr_matrix": {note: "a correlation is given by its Cholesky factor, corr_chol[K]: R = L @ transpose(L)"},
	"probability": {name: "unit"}, "proportion": {name: "unit"}, "prob": {name: "unit"}, "unit_interval": {name: "unit"}, "non_negative": {name: "nonnegative"}, "nonneg": {name: "nonnegative"}, "pos": {name: "positive"}, "pos_real": {name: "positive"},
	"halfspace": {name: "positive"}, "categorical": {note: "here it is written index[K]"}, "category": {note: "here it is written index[K]"},
	"string": {note: "there are no texts; a category is index[K]"}, "natural": {name: "count"}, "nat": {name: "count"}, "nonnegative_int": {name: "count"}, "sum_to_zero_vector": {name: "sum_to_zero"},
	"orthonormal": {name: "stiefel"}, "bounded": {name: "interval"}, "range": {name: "interval"}, "dirichlet": {name: "simplex"}, "angle": {note: "a direction is sphere[2], an angle interval(-3.141592653589793, 3.141592653589793)"},
}

// foreignArguments are the names of arguments in other languages, with ours in
// the order in which they are tried.
var foreignArguments = map[string][]string{
	"mean": {"mu"}, "loc": {"mu"}, "location": {"mu"}, "center": {"mu"}, "m": {"mu"}, "std": {"sigma"}, "sd": {"sigma"}, "stddev": {"sigma"}, "stdev": {"sigma"}, "scale": {"sigma", "omega"}, "s": {"sigma"},
	"rate": {"beta", "lambda"}, "lambd": {"lambda", "beta"}, "lam": {"lambda", "beta"}, "inv_scale": {"beta"}, "shape": {"alpha"}, "a": {"alpha"}, "b": {"beta"}, "concentration": {"alpha", "kappa"}, "concentration1": {"alpha"}, "concentration0": {"beta"},
	"p": {"theta"}, "prob": {"theta"}, "probs": {"theta"}, "probability": {"theta"}, "logits": {"alpha", "eta"}, "logit_p": {"alpha", "eta"}, "eta": {"alpha"}, "df": {"nu"}, "dof": {"nu"}, "low": {"alpha"}, "lower": {"alpha"}, "high": {"beta"}, "upper": {"beta"},
	"cov": {"Sigma"}, "covariance": {"Sigma"}, "covariance_matrix": {"Sigma"}, "scale_tril": {"L"}, "chol": {"L"}, "precision_matrix": {"Omega"}, "total_count": {"n"}, "n_trials": {"n"}, "size": {"n"}, "N": {"n"}, "trials": {"n"}, "dispersion": {"phi"},
}

// otherArgument is what an argument of another language is called among names.
func otherArgument(theirs string, names []string) string {
	for _, ours := range foreignArguments[theirs] {
		if slices.Contains(names, ours) {
			return ours
		}
	}
	return ""
}
