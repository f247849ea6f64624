package foreign

import "slices"

// Values are the constants of other languages.
var Values = map[string]Hint{
	"True":     {Name: "true"},
	"TRUE":     {Name: "true"},
	"False":    {Name: "false"},
	"FALSE":    {Name: "false"},
	"Inf":      {Name: "inf"},
	"INF":      {Name: "inf"},
	"Infinity": {Name: "inf"},
	"INFINITY": {Name: "inf"},
	"infinity": {Name: "inf"},
	"pi":       {Name: "3.141592653589793"},
	"PI":       {Name: "3.141592653589793"},
	"Pi":       {Name: "3.141592653589793"},
	"π":        {Name: "3.141592653589793"},
	"nan":      {Note: "there is no nan; entries of data that may be missing are declared real?"},
	"NaN":      {Note: "there is no nan; entries of data that may be missing are declared real?"},
	"NA":       {Note: "there is no NA; entries of data that may be missing are declared real?"},
	"None":     {Note: "every value is a number or an array of numbers"},
	"NULL":     {Note: "every value is a number or an array of numbers"},
	"null":     {Note: "every value is a number or an array of numbers"},
	"target":   {Note: "the log density has no name; a term is added to it with factor"},
	"lp__":     {Note: "the log density has no name; a term is added to it with factor"},
}

// Types are what other languages call the types. The name alone is put in
// place of theirs where their brackets hold the same sizes.
var Types = map[string]Hint{
	"vector":               {Name: "real"},
	"matrix":               {Name: "real"},
	"row_vector":           {Name: "real"},
	"array":                {Name: "real"},
	"tensor":               {Name: "real"},
	"float":                {Name: "real"},
	"double":               {Name: "real"},
	"float32":              {Name: "real"},
	"float64":              {Name: "real"},
	"numeric":              {Name: "real"},
	"continuous":           {Name: "real"},
	"scalar":               {Name: "real"},
	"complex":              {Note: "numbers are real"},
	"number":               {Name: "real"},
	"integer":              {Name: "int"},
	"int32":                {Name: "int"},
	"int64":                {Name: "int"},
	"long":                 {Name: "int"},
	"boolean":              {Name: "bool"},
	"logical":              {Name: "bool"},
	"binary":               {Name: "bool"},
	"unit_vector":          {Name: "sphere"},
	"cholesky_factor_corr": {Name: "corr_chol"},
	"cholesky_factor_cov":  {Name: "cov_chol"},
	"cov_matrix": {Note: "a covariance is given by its Cholesky factor, cov_chol[K]: " +
		"Sigma = L @ transpose(L)"},
	"corr_matrix": {Note: "a correlation is given by its Cholesky factor, corr_chol[K]: R " +
		"= L @ transpose(L)"},
	"probability":        {Name: "unit"},
	"proportion":         {Name: "unit"},
	"prob":               {Name: "unit"},
	"unit_interval":      {Name: "unit"},
	"non_negative":       {Name: "nonnegative"},
	"nonneg":             {Name: "nonnegative"},
	"pos":                {Name: "positive"},
	"pos_real":           {Name: "positive"},
	"halfspace":          {Name: "positive"},
	"categorical":        {Note: "here it is written index[K]"},
	"category":           {Note: "here it is written index[K]"},
	"string":             {Note: "there are no texts; a category is index[K]"},
	"natural":            {Name: "count"},
	"nat":                {Name: "count"},
	"nonnegative_int":    {Name: "count"},
	"sum_to_zero_vector": {Name: "sum_to_zero"},
	"orthonormal":        {Name: "stiefel"},
	"bounded":            {Name: "interval"},
	"range":              {Name: "interval"},
	"dirichlet":          {Name: "simplex"},
	"angle": {Note: "a direction is sphere[2], an angle " +
		"interval(-3.141592653589793, 3.141592653589793)"},
}

// arguments are the names of arguments in other languages, with ours in
// the order in which they are tried.
var arguments = map[string][]string{
	"mean":              {"mu"},
	"loc":               {"mu"},
	"location":          {"mu"},
	"center":            {"mu"},
	"m":                 {"mu"},
	"std":               {"sigma"},
	"sd":                {"sigma"},
	"stddev":            {"sigma"},
	"stdev":             {"sigma"},
	"scale":             {"sigma", "omega"},
	"s":                 {"sigma"},
	"rate":              {"beta", "lambda"},
	"lambd":             {"lambda", "beta"},
	"lam":               {"lambda", "beta"},
	"inv_scale":         {"beta"},
	"shape":             {"alpha"},
	"a":                 {"alpha"},
	"b":                 {"beta"},
	"concentration":     {"alpha", "kappa"},
	"concentration1":    {"alpha"},
	"concentration0":    {"beta"},
	"p":                 {"theta"},
	"prob":              {"theta"},
	"probs":             {"theta"},
	"probability":       {"theta"},
	"logits":            {"alpha", "eta"},
	"logit_p":           {"alpha", "eta"},
	"eta":               {"alpha"},
	"df":                {"nu"},
	"dof":               {"nu"},
	"low":               {"alpha"},
	"lower":             {"alpha"},
	"high":              {"beta"},
	"upper":             {"beta"},
	"cov":               {"Sigma"},
	"covariance":        {"Sigma"},
	"covariance_matrix": {"Sigma"},
	"scale_tril":        {"L"},
	"chol":              {"L"},
	"precision_matrix":  {"Omega"},
	"total_count":       {"n"},
	"n_trials":          {"n"},
	"size":              {"n"},
	"N":                 {"n"},
	"trials":            {"n"},
	"dispersion":        {"phi"},
}

// Argument is what an argument of another language is called among names.
func Argument(theirs string, names []string) string {
	for _, ours := range arguments[theirs] {
		if slices.Contains(names, ours) {
			return ours
		}
	}
	return ""
}

// Modules stand before the functions of Python's libraries.
var Modules = map[string]bool{
	"np":       true,
	"numpy":    true,
	"jnp":      true,
	"jax":      true,
	"torch":    true,
	"tf":       true,
	"math":     true,
	"Math":     true,
	"pt":       true,
	"tt":       true,
	"pm":       true,
	"pytensor": true,
	"aesara":   true,
	"theano":   true,
	"scipy":    true,
	"special":  true,
	"F":        true,
	"std":      true,
	"stats":    true,
	"pymc":     true,
	"numpyro":  true,
	"pyro":     true,
}

// Methods are what x.f(…) and x.f are for an array x of Python's libraries.
var Methods = map[string]Hint{
	"T":       {Form: "transpose($1)"},
	"t":       {Form: "transpose($1)"},
	"dot":     {Form: "$1 @ $2"},
	"matmul":  {Form: "$1 @ $2"},
	"mm":      {Form: "$1 @ $2"},
	"std":     {Form: "sd($1)"},
	"var":     {Form: "variance($1)"},
	"pow":     {Form: "$1^$2"},
	"square":  {Form: "$1^2"},
	"flatten": {Form: "flatten($1)"},
	"ravel":   {Form: "flatten($1)"},
	"shape":   {Note: "a size is known by the name of its dim"},
	"size":    {Note: "a size is known by the name of its dim"},
	"length":  {Note: "a size is known by the name of its dim"},
	"ndim":    {Note: "a size is known by the name of its dim"},
	"item":    {Form: "$1"},
	"astype":  {Form: "$1"},
	"float":   {Form: "$1"},
	"append":  {Note: "an array is made whole: [e for n in N]"},
}
