package foreign

// Sections are Stan's, and BUGS's model, with what stands for them.
var Sections = map[string]string{
	"data": "each input is declared by itself: data y[N] : real, and its sizes " +
		"as dims: dim N",
	"transformed data": "a value of the data is named where it is computed: let z = (x - " +
		"mean(x)) / sd(x)",
	"parameters": "each unknown is declared by itself: param s : positive ~ " +
		"exponential(1)",
	"transformed parameters": "a value is named where it is computed: let eta = X @ w; one that " +
		"is stored is a track",
	"model": "the statements of the model stand at the top of the file",
	"generated quantities": "a value that is stored with every draw is a track: track o = exp(w); " +
		"one that draws at random is computed after the run: generate y_rep = normal.sample(mu, s)",
	"functions": "a function stands at the top of the file: fn f(x : real) -> real { … }",
}

// ScriptWords begin statements of languages that run from line to line.
var ScriptWords = map[string]string{
	"import":  "nothing is imported; the modules of the library are brought by `use nn`",
	"from":    "nothing is imported; the modules of the library are brought by `use nn`",
	"library": "nothing is imported; the modules of the library are brought by `use nn`",
	"with":    "there is no `with`; the rows of a plate stand in: for n in N { … }",
	"while": "there is no `while`; a plate is `for n in N { … }`, and `scan` carries values " +
		"from step to step",
	"repeat": "there is no `repeat`; a plate is `for n in N { … }`, and `scan` carries values " +
		"from step to step",
	"class":  "there are no classes; a piece with parameters of its own is a `layer`",
	"return": "there is no `return`: the last line of a fn is its value",
}

// Words begin the statements of other languages that have one of ours.
var Words = map[string]string{
	"parameter":     "param",
	"parameters":    "param",
	"par":           "param",
	"unknown":       "param",
	"latent":        "local",
	"hidden":        "local",
	"input":         "data",
	"inputs":        "data",
	"observed":      "data",
	"obs":           "data",
	"given":         "data",
	"observe":       "data",
	"size":          "dim",
	"dimension":     "dim",
	"dims":          "dim",
	"def":           "fn",
	"function":      "fn",
	"func":          "fn",
	"fun":           "fn",
	"deterministic": "track",
	"generated":     "generate",
	"save":          "track",
	"define":        "let",
	"val":           "let",
	"auto":          "let",
	"set":           "let",
	"constant":      "const",
	"static":        "const",
	"foreach":       "for",
	"plate":         "for",
	"loop":          "for",
	"distribution":  "dist",
	"density":       "dist",
	"module":        "layer",
	"network":       "layer",
	"increment":     "factor",
	"potential":     "factor",
	"penalty":       "factor",
	"using":         "use",
	"load":          "use",
	"include":       "use",
}

// Declared are the types that stand before a name in other languages, with
// what a declaration here calls them. Types with sizes keep them.
var Declared = map[string]string{
	"real":                 "real",
	"int":                  "int",
	"vector":               "real",
	"row_vector":           "real",
	"matrix":               "real",
	"array":                "real",
	"simplex":              "simplex",
	"ordered":              "ordered",
	"positive_ordered":     "positive_ordered",
	"unit_vector":          "sphere",
	"sphere":               "sphere",
	"double":               "real",
	"float":                "real",
	"bool":                 "bool",
	"positive":             "positive",
	"unit":                 "unit",
	"var":                  "real",
	"count":                "count",
	"integer":              "int",
	"long":                 "int",
	"index":                "index",
	"cholesky_factor_corr": "corr_chol",
	"cholesky_factor_cov":  "cov_chol",
	"corr_matrix":          "corr_chol",
	"cov_matrix":           "cov_chol",
	"sum_to_zero_vector":   "sum_to_zero",
}

// SectionWords are what the declarations of a section are here.
var SectionWords = map[string]string{"data": "data",
	"parameters": "param"}

// A Law is how a distribution of a Python library is declared here.
type Law struct {
	Kind string // the type of an unknown that has it
	Name string // the distribution
	Lead string // what stands before its arguments
}

// Laws by name, in lower case and without underscores. Others are real, by
// their own name in lower case.
var Laws = map[string]Law{
	"halfnormal":   {"positive", "normal", "0, "},
	"halfcauchy":   {"positive", "cauchy", "0, "},
	"exponential":  {"positive", "exponential", ""},
	"gamma":        {"positive", "gamma", ""},
	"inversegamma": {"positive", "inv_gamma", ""},
	"lognormal":    {"positive", "lognormal", ""},
	"weibull":      {"positive", "weibull", ""},
	"beta":         {"unit", "beta", ""},
	"studentt":     {"real", "student_t", ""},
	"laplace":      {"real", "double_exponential", ""},
	"poisson":      {"count", "poisson", ""},
	"bernoulli":    {"bool", "bernoulli", ""},
	"binomial":     {"count", "binomial", ""},
	"dirichlet":    {"simplex[K]", "dirichlet", ""},
	"categorical":  {"index[K]", "categorical", ""},
	"vonmises":     {"real", "von_mises", ""},
	"uniform":      {"", "uniform", ""},
}
