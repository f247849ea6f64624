package formula

import "math"

// A function acts on columns, entry by entry unless it depends on the whole column.
type function struct {
	entry func(x float64) float64
	whole func(x []float64) []float64
	text  string // of the call in the language; $ is the argument
}

// functions may be called in a formula, on a column or an expression of columns.
var functions = map[string]function{
	"log":    {entry: math.Log, text: "log($)"},
	"log2":   {entry: math.Log2, text: "(log($) / log(2))"},
	"log10":  {entry: math.Log10, text: "(log($) / log(10))"},
	"log1p":  {entry: math.Log1p, text: "log1p($)"},
	"exp":    {entry: math.Exp, text: "exp($)"},
	"expm1":  {entry: math.Expm1, text: "expm1($)"},
	"sqrt":   {entry: math.Sqrt, text: "sqrt($)"},
	"abs":    {entry: math.Abs, text: "abs($)"},
	"sin":    {entry: math.Sin, text: "sin($)"},
	"cos":    {entry: math.Cos, text: "cos($)"},
	"tanh":   {entry: math.Tanh, text: "tanh($)"},
	"center": {whole: centred, text: "($ - mean($))"},
	"scale":  {whole: scaled, text: "(($ - mean($)) / sd($))"},
}

func centred(x []float64) []float64 {
	m, out := mean(x), make([]float64, len(x))
	for i, v := range x {
		out[i] = v - m
	}
	return out
}

func scaled(x []float64) []float64 {
	s, out := deviation(x), centred(x)
	for i := range out {
		out[i] /= s
	}
	return out
}

const (
	severalColumns = "smooths of several columns are not covered: write s(x1) + s(x2), or a " +
		"Gaussian process in the model"
	inTime = "autocorrelation is not covered: edit the model; docs/language.md has a series " +
		"under *Scan*"
)

// elsewhere says what to write instead of a function of R, brms or Bambi that is not
// covered.
var elsewhere = map[string]string{
	"poly": "write the powers: x + I(x^2) + I(x^3)",
	"ns":   "write s(x), a penalised spline",
	"bs":   "write s(x), a penalised spline",
	"te":   severalColumns,
	"ti":   severalColumns,
	"t2":   severalColumns,
	"gp":   "write s(x), or a Gaussian process in the model: `sgppl doc gp_matern52`",
	"hsgp": "write s(x), or a Gaussian process in the model: `sgppl doc gp_matern52`",
	"me": "covariates with measurement error are not covered: edit the model, and give " +
		"the true values a prior",
	"mi": "missing covariates are not covered: declare the column `real?` in the " +
		"model, and give it a distribution",
	"mm": "groups with several members are not covered: edit the model, and sum the " +
		"effects of the members",
	"cs": "effects of a category are not covered: family categorical has an effect for " +
		"each category",
	"gr":   "options of groups are not covered: write (1 | group)",
	"ar":   inTime,
	"ma":   inTime,
	"arma": inTime,
	"car":  "spatial effects are not covered: edit the model",
	"sar":  "spatial effects are not covered: edit the model",
	"nlf": "non-linear formulas are not covered: write the model itself; `sgppl doc` " +
		"has its functions",
	"bf": "one formula for the mean is covered: give its text alone, and edit the " +
		"model for the rest",
	"mvbind": "several responses are not covered: write a model for each, and join them in " +
		"an editor",
	"cbind": "write successes | trials(n) for a binomial response; several responses are " +
		"not covered",
	"cens":  "censoring is not covered: edit the model, and write y[n] ~ censored(…)",
	"trunc": "truncation is not covered: edit the model, and write y[n] ~ truncated(…)",
	"se": "known standard errors are not covered: edit the model, and put the column " +
		"in the place of sigma",
	"rate":     "write offset(log(exposure)) among the terms",
	"thres":    "thresholds by group are not covered",
	"dec":      "decisions are not covered",
	"cat":      "write factor(x)",
	"subset":   "select the rows in the table; sample takes --data d.csv:rows=0:100",
	"interval": "intervals are not covered: edit the model, and write y[n] ~ censored(…)",
}
