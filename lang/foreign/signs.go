package foreign

// A Sign is how another language writes something that sgppl writes otherwise.
type Sign struct {
	Theirs string
	Ours   string // what the parser reads instead; empty when the statement cannot be read
	Word   bool   // ours is a word, else an operator
	Say    string
}

// Signs, longest first. Those with an ours are read as that, so that one
// run finds the mistakes behind them too.
var Signs = []Sign{
	{"%*%", "@", false, "the matrix product is `@`"},
	{"**", "^", false, "a power is written `^`"},
	{"&&", "and", true, "`&&` is written `and`"},
	{"||", "or", true, "`||` is written `or`"},
	{".*", "*", false, "`*` is elementwise already"},
	{"./", "/", false, "`/` is elementwise already"},
	{".^", "^", false, "`^` is elementwise already"},
	{"+=", "", false, "nothing is added to in place; a term of the log density is `factor e`"},
	{"-=", "", false, "nothing is changed in place; name a new value with `let`"},
	{"*=", "", false, "nothing is changed in place; name a new value with `let`"},
	{":=", "", false, "a value is named with `let x = …`"},
	{"<>", "!=", false, "unequal is written `!=`"},
	{"≤", "<=", false, "`≤` is written `<=`"},
	{"≥", ">=", false, "`≥` is written `>=`"},
	{"≠", "!=", false, "`≠` is written `!=`"},
	{"×", "*", false, "`×` is written `*`"},
	{"·", "*", false, "`·` is written `*` (or `@` for a sum over an axis)"},
	{"−", "-", false, "this is a Unicode minus; the operator is the ASCII `-`"},
	{"–", "-", false, "this is a dash; the operator is the ASCII `-`"},
	{"—", "-", false, "this is a dash; the operator is the ASCII `-`"},
	{"∞", "inf", true, "infinity is written `inf`"},
	{"∈", "in", true, "`∈` is written `in`"},
	{"∼", "~", false, "`∼` is written `~`"},
	{"→", "->", false, "`→` is written `->`"},
	{"..", ":", false, "a range is written `lo:hi`"},
	{"%/%", "", false, "`/` is real; a whole quotient is `floor(a / b)`"},
	{"%%", "%", false, "the remainder is written `%`"},
	{"%in%", "in", true, "`%in%` is written `in`"},
}

// Barred are the endings behind which Stan writes a bar: normal_lpdf(y | mu, sigma).
var Barred = map[string]string{
	"_lpdf": "logpdf", "_lpmf": "logpdf", "_lupdf": "logpdf", "_lupmf": "logpdf", "_cdf": "cdf",
	"_lcdf": "logcdf", "_lccdf": "logccdf",
}
