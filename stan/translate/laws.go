package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A law is a distribution with its arguments, as it stands behind ~.
type law struct {
	name   string
	args   []node
	trunc  bool
	lo, hi node // nil for an open end
}

// A dist is a row of the table of distributions.
type dist struct {
	to       string // the name in the language, where it is not the same
	args     []int  // axes of one argument
	axes     int    // of one value
	discrete bool
	shift    bool   // values count from 1 in Stan, and from 0 here
	on       string // positive, unit, simplex: what a param of it may be without another density
	cdf      bool
	kind     string // of data that have it: bool, count
	own      string // its definition, where the library has no such law
}

// The table of distributions by their names in Stan.
var dists = map[string]dist{
	"normal": {args: []int{0, 0}, cdf: true}, "std_normal": {cdf: true},
	"student_t": {args: []int{0, 0, 0}, cdf: true}, "cauchy": {args: []int{0, 0}, cdf: true},
	"double_exponential": {args: []int{0, 0}, cdf: true}, "logistic": {args: []int{0, 0}, cdf: true},
	"gumbel": {args: []int{0, 0}, cdf: true}, "uniform": {args: []int{0, 0}, cdf: true},
	"exp_mod_normal": {args: []int{0, 0, 0}, cdf: true},
	"skew_normal":    {args: []int{0, 0, 0}, cdf: true}, "von_mises": {args: []int{0, 0}},
	"pareto_type_2":         {args: []int{0, 0, 0}, cdf: true},
	"lognormal":             {args: []int{0, 0}, cdf: true, on: "positive"},
	"chi_square":            {args: []int{0}, cdf: true, on: "positive"},
	"inv_chi_square":        {args: []int{0}, cdf: true, on: "positive"},
	"scaled_inv_chi_square": {args: []int{0, 0}, cdf: true, on: "positive"},
	"exponential":           {args: []int{0}, cdf: true, on: "positive"},
	"gamma":                 {args: []int{0, 0}, cdf: true, on: "positive"},
	"inv_gamma":             {args: []int{0, 0}, cdf: true, on: "positive"},
	"weibull":               {args: []int{0, 0}, cdf: true, on: "positive"},
	"frechet":               {args: []int{0, 0}, cdf: true, on: "positive"},
	"rayleigh":              {args: []int{0}, cdf: true, on: "positive"},
	"pareto":                {args: []int{0, 0}, cdf: true},
	"loglogistic":           {args: []int{0, 0}, cdf: true, on: "positive"},
	"beta":                  {args: []int{0, 0}, cdf: true, on: "unit"},
	"beta_proportion":       {args: []int{0, 0}, cdf: true, on: "unit"},

	"bernoulli":          {args: []int{0}, discrete: true, kind: "bool"},
	"bernoulli_logit":    {args: []int{0}, discrete: true, kind: "bool"},
	"binomial":           {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"binomial_logit":     {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"beta_binomial":      {args: []int{0, 0, 0}, discrete: true, kind: "count"},
	"hypergeometric":     {args: []int{0, 0, 0}, discrete: true, kind: "count"},
	"neg_binomial":       {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"neg_binomial_2":     {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"neg_binomial_2_log": {args: []int{0, 0}, discrete: true, cdf: true, kind: "count"},
	"poisson":            {args: []int{0}, discrete: true, cdf: true, kind: "count"},
	"poisson_log":        {args: []int{0}, discrete: true, cdf: true, kind: "count"},
	"discrete_range":     {args: []int{0, 0}, discrete: true, cdf: true},
	"categorical":        {args: []int{1}, discrete: true, shift: true},
	"categorical_logit":  {args: []int{1}, discrete: true, shift: true},
	"ordered_logistic":   {args: []int{0, 1}, discrete: true, shift: true},
	"ordered_probit":     {args: []int{0, 1}, discrete: true, shift: true},

	"multi_normal":             {args: []int{1, 2}, axes: 1},
	"multi_normal_cholesky":    {args: []int{1, 2}, axes: 1},
	"multi_normal_prec":        {args: []int{1, 2}, axes: 1},
	"multi_student_t":          {args: []int{0, 1, 2}, axes: 1},
	"multi_student_t_cholesky": {args: []int{0, 1, 2}, axes: 1},
	"dirichlet":                {args: []int{1}, axes: 1, on: "simplex"},
	"multinomial":              {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"multinomial_logit":        {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"dirichlet_multinomial":    {args: []int{1}, axes: 1, discrete: true, kind: "count"},
	"lkj_corr":                 {args: []int{0}, axes: 2},
	"lkj_corr_cholesky":        {args: []int{0}, axes: 2, on: "corr_chol"},
	"wishart":                  {args: []int{0, 2}, axes: 2},
	"inv_wishart":              {args: []int{0, 2}, axes: 2},
	"wishart_cholesky":         {args: []int{0, 2}, axes: 2, on: "cov_chol"},
	"inv_wishart_cholesky":     {args: []int{0, 2}, axes: 2, on: "cov_chol"},

	"skew_double_exponential": {args: []int{0, 0, 0}, own: `dist skew_double_exponential(mu : real, ` +
		`sigma : positive, tau : unit) on real {
  logpdf(x) = log(2 * tau * (1 - tau) / sigma) -
              2 / sigma * (if x < mu then (1 - tau) * (mu - x) else tau * (x - mu))
}`},
	"beta_neg_binomial": {args: []int{0, 0, 0}, discrete: true, kind: "count",
		own: `dist beta_neg_binomial(r : positive, s : positive, t : positive) on count {
  logpdf(n) = lgamma(r + n) - lgamma(n + 1) - lgamma(r) + lbeta(s + r, t + n) - lbeta(s, t)
}`},
}

// glms are the fused regressions, by the law and the place of the coefficients.
var glms = map[string]struct {
	law  string
	more int // arguments behind the coefficients
}{
	"bernoulli_logit_glm": {"bernoulli_logit", 0}, "poisson_log_glm": {"poisson_log", 0},
	"normal_id_glm": {"normal", 1}, "neg_binomial_2_log_glm": {"neg_binomial_2_log", 1},
}

// lawCall is a distribution of a value.
type lawCall struct {
	name string
	d    dist
	y    *value
	args []*value
	at   source.Span
}

// lawOf finds a distribution and its arguments. Fused regressions are written out.
func (t *translator) lawOf(name string, y *value, args []*value, at source.Span) *lawCall {
	if g, ok := glms[name]; ok {
		if len(args) != 3+g.more {
			t.fail(syntax.WrongType, at, "%s takes %d arguments", name, 3+g.more)
		}
		x, alpha, beta := args[0], args[1], args[2]
		mean := t.arith("*", x, beta, at)
		mean = t.arith("+", mean, alpha, at)
		return t.lawOf(g.law, y, append([]*value{mean}, args[3:]...), at)
	}
	if name == "binomial_logit_glm" && len(args) == 4 {
		mean := t.arith("+", t.arith("*", args[1], args[3], at), args[2], at)
		return t.lawOf("binomial_logit", y, []*value{args[0], mean}, at)
	}
	if name == "ordered_logistic_glm" && len(args) == 3 {
		return t.lawOf("ordered_logistic", y, []*value{t.arith("*", args[0], args[1], at), args[2]}, at)
	}
	if name == "categorical_logit_glm" && len(args) == 3 && args[2].t.base == matrixBase {
		x, alpha, beta := args[0], args[1], args[2]
		prod := t.arith("*", x, beta, at)
		if prod.t.rank() == 2 {
			n := t.eachOf(prod.sh[:1], func(r []size.Poly) node {
				return plus(alpha.n, t.at(prod, r[0]).n)
			})
			prod = &value{n: n, t: typ{vectorBase, 1}, sh: prod.sh, unk: true}
		}
		return t.lawOf("categorical_logit", y, []*value{prod}, at)
	}
	d, ok := dists[name]
	if !ok {
		x := t.diagnostic(syntax.NoDist, at, "the language has no distribution %s", name)
		var names []string
		for n := range dists {
			names = append(names, n)
		}
		if near := spelling.Nearest(name, names); near != "" {
			x.Note("did you mean " + near + "?")
		} else {
			x.Note("a law of your own is a function with the suffix _lpdf in the block functions")
		}
		panic(stop{x})
	}
	if len(args) != len(d.args) {
		t.fail(syntax.WrongType, at, "%s takes %d arguments, and not %d", name, len(d.args), len(args))
	}
	if y.t.base == tupleBase || y.t.rank() < d.axes {
		t.fail(syntax.WrongType, at, "%s is not on %v", name, y.t)
	}
	if d.discrete && !y.isInt() {
		t.fail(syntax.WrongType, at, "%s is on whole numbers, and this is %v", name, y.t)
	}
	for i, a := range args {
		if a.t.base == tupleBase || a.t.rank() < d.args[i] {
			t.fail(syntax.WrongType, at, "argument %d of %s cannot be %v", i+1, name, a.t)
		}
	}
	most := d.axes + 1
	for i, a := range args {
		if a.t.rank() > d.args[i]+1 || d.args[i] == 2 && a.t.base != matrixBase ||
			d.args[i] == 1 && a.t.base == intBase {
			t.fail(syntax.WrongType, at, "argument %d of %s cannot be %v", i+1, name, a.t)
		}
	}
	if y.t.rank() > most {
		t.fail(syntax.WrongType, at, "%s is not on %v", name, y.t).
			Note("to_vector(x) has the entries of a matrix")
	}
	if d.own != "" {
		t.dists[name] = true
	}
	if d.kind == "bool" && !t.isBool(y) { // other values than 0 and 1 have no probability
		name = strings.Replace(name, "bernoulli", "binomial", 1)
		return t.lawOf(name, y, append([]*value{intVal(size.Const(1))}, args...), at)
	}
	l := &lawCall{name, d, y, args, at}
	t.domain(l)
	return l
}

// isBool reports whether whole numbers are truth values by their type.
func (t *translator) isBool(y *value) bool {
	if p := y.n; t.isBoolData(p) {
		return true
	}
	w, ok := y.n.(whole)
	return ok && t.boolAtom(w.p) != nil
}

func (l *lawCall) to() string {
	if l.d.to != "" {
		return l.d.to
	}
	return l.name
}

// family is the shape of the values and arguments behind their own axes: that of the longest.
func (t *translator) family(l *lawCall) []size.Poly {
	var out []size.Poly
	take := func(v *value, own int) {
		if k := v.t.rank() - own; k > len(out) {
			out = v.sh[:k]
		}
	}
	take(l.y, l.d.axes)
	for i, a := range l.args {
		take(a, l.d.args[i])
	}
	return out
}

// variate is a value as the law takes it: categories count from 0, truth values are such.
func (t *translator) variate(l *lawCall, y *value) node {
	if l.d.shift {
		if y.t.arr > 0 {
			return t.zeroBased(y)
		}
		return minus(y.n, num(1))
	}
	n := t.raw(y)
	return n
}

func (t *translator) isBoolData(n node) bool {
	w, ok := n.(whole)
	if ok {
		name, one := w.p.Name()
		if !one || t.syms[name] == nil || t.syms[name].atom == nil {
			k, isNum := w.p.Number()
			return isNum && (k == 0 || k == 1)
		}
		n = t.syms[name].atom
	}
	if s := t.rootOf(n); s != nil {
		for _, g := range t.data {
			if g.s == s {
				return g.kind == "bool"
			}
		}
	}
	return false
}

// density is the log density of a value as an expression: a sum over its entries. fun is logpdf,
// logcdf or logccdf.
func (t *translator) density(l *lawCall, fun string) *value {
	fam := t.family(l)
	out := &value{t: typ{realBase, 0}, unk: true}
	if n := t.matrixLaw(l); n != nil {
		out.n = n
		return out
	}
	name := l.to() + "." + fun
	one := func(r []size.Poly) node {
		y := l.y
		if y.t.rank()-l.d.axes > 0 {
			y = t.atAll(y, r[:y.t.rank()-l.d.axes])
		}
		args := []node{t.variate(l, y)}
		for i, a := range l.args {
			if k := a.t.rank() - l.d.args[i]; k > 0 {
				a = t.atAll(a, r[:k])
			}
			args = append(args, t.argument(l, i, a))
		}
		return call{fun: name, args: args}
	}
	if len(fam) == 0 {
		out.n = one(nil)
		return out
	}
	plain := l.d.axes == 0 && !t.lazy(l.y)
	for i, a := range l.args {
		plain = plain && l.d.args[i] == 0 && !t.lazy(a)
	}
	if plain {
		args := []node{t.reshaped(t.variate(l, l.y), l.y.sh, shapeOr(fam, l.y))}
		for _, a := range l.args {
			args = append(args, t.reshaped(t.raw(a), a.sh, shapeOr(fam, a)))
		}
		out.n = call{fun: "sum", args: []node{call{fun: name, args: args}}}
		return out
	}
	c := t.eachOf(fam, one).(comp)
	c.fun = "sum"
	out.n = t.masked(c, num(0))
	return out
}

func shapeOr(fam []size.Poly, v *value) []size.Poly {
	if len(v.sh) == len(fam) {
		return fam
	}
	return v.sh
}

// argument is one argument as the law takes it.
func (t *translator) argument(l *lawCall, i int, a *value) node {
	n := t.raw(a)
	own := l.d.args[i]
	if l.name == "dirichlet" && len(a.sh) == 1 { // one number stands for all
		if c, ok := n.(comp); ok && c.fun == "" && t.mentions(c.elem, c.binds[0].v) == 0 {
			return c.elem
		}
		if c, ok := n.(call); ok && c.fun == "ones" {
			return num(1)
		}
	}
	if own == 1 && l.d.axes == 1 && len(a.sh) > 0 { // sizes by name
		return t.reshaped(n, a.sh, append(append([]size.Poly{}, a.sh[:len(a.sh)-1]...),
			l.y.sh[len(l.y.sh)-1]))
	}
	if own == 2 && l.d.axes >= 1 && len(a.sh) >= 2 {
		k := l.y.sh[len(l.y.sh)-1]
		return t.reshaped(n, a.sh, append(append([]size.Poly{}, a.sh[:len(a.sh)-2]...), k, k))
	}
	return n
}

// tilde translates y ~ d(…) T[lo, hi].
func (t *translator) tilde(s *syntax.Tilde) {
	for _, suffix := range []string{"_lpdf", "_lpmf", "_log"} {
		if t.funcs[s.Dist+suffix] != nil {
			c := &syntax.Call{Span: s.Span, Fun: s.Dist + suffix, Args: append([]syntax.Expr{s.Left},
				s.Args...)}
			if s.Trunc {
				t.truncUser(s)
			}
			t.factor(t.callUser(c, false), s.Pos())
			return
		}
	}
	y := t.expr(s.Left)
	var args []*value
	for _, a := range s.Args {
		args = append(args, t.expr(a))
	}
	l := t.lawOf(s.Dist, y, args, s.Pos())
	t.observe(l, s)
}

func (t *translator) truncUser(s *syntax.Tilde) {
	t.fail(syntax.NoTruncation, s.Pos(), "%s is a law of the program, and its truncation has no "+
		"counterpart", s.Dist).Note("subtract its _lccdf or _lcdf from target")
}

// densityStmt translates target += d_lpdf(y | …) as y ~ d(…), where y is data or a parameter.
func (t *translator) densityStmt(c *syntax.Call) bool {
	name, fun := lawName(c.Fun)
	if fun != "logpdf" || t.funcs[c.Fun] != nil || len(c.Args) == 0 {
		return false
	}
	y := t.expr(c.Args[0])
	var args []*value
	for _, a := range c.Args[1:] {
		args = append(args, t.expr(a))
	}
	t.observe(t.lawOf(name, y, args, c.Pos()), &syntax.Tilde{Span: c.Span, Left: c.Args[0]})
	return true
}

// lawName takes the suffix off a density or distribution function.
func lawName(fun string) (name, of string) {
	for _, s := range [][2]string{{"_lupdf", "logpdf"}, {"_lupmf", "logpdf"}, {"_lpdf", "logpdf"},
		{"_lpmf", "logpdf"}, {"_lccdf", "logccdf"}, {"_lcdf", "logcdf"}, {"_ccdf_log", "logccdf"},
		{"_cdf_log", "logcdf"}, {"_cdf", "cdf"}, {"_log", "logpdf"}} {
		if n, ok := strings.CutSuffix(fun, s[0]); ok {
			if _, is := dists[n]; is {
				return n, s[1]
			}
			if _, is := glms[n]; is || strings.HasSuffix(n, "_glm") {
				return n, s[1]
			}
			if s[0] == "_lpdf" || s[0] == "_lpmf" || s[0] == "_lccdf" || s[0] == "_lcdf" {
				return n, s[1]
			}
		}
	}
	return "", ""
}

// observe adds the density of a value: with ~ where the language has it, else as a factor.
func (t *translator) observe(l *lawCall, s *syntax.Tilde) {
	if t.quiet {
		return
	}
	if t.matrixPrior(l, s) {
		return
	}
	var lo, hi *value
	if s.Lo != nil {
		lo = t.expr(s.Lo)
	}
	if s.Hi != nil {
		hi = t.expr(s.Hi)
	}
	if s.Trunc && !l.d.cdf {
		t.fail(syntax.NoTruncation, s.Pos(), "%s has no distribution function here, so it cannot be "+
			"truncated", l.name)
	}
	if st := t.tildeForm(l, lo, hi, s); st != nil {
		t.blk.stmts = append(t.blk.stmts, st)
		return
	}
	v := t.density(l, "logpdf")
	if s.Trunc && (lo != nil || hi != nil) {
		v = t.truncated(l, v, lo, hi, s.Pos())
	}
	if !t.unknown(v.n) {
		return
	}
	t.factor(v, s.Pos())
}

// truncated subtracts the log probability of an interval, for every entry.
func (t *translator) truncated(l *lawCall, v *value, lo, hi *value, at source.Span) *value {
	fam := t.family(l)
	one := func(r []size.Poly) node {
		pick := func(x *value, own int) *value {
			if k := x.t.rank() - own; k > 0 {
				return t.atAll(x, r[:k])
			}
			return x
		}
		var args []node
		for i, a := range l.args {
			args = append(args, t.argument(l, i, pick(a, l.d.args[i])))
		}
		f := func(name string, x node) node {
			return call{fun: l.to() + "." + name, args: append([]node{x}, args...)}
		}
		below := func() node { // the end that is not in the interval any more
			n := t.raw(pick(lo, 0))
			if l.d.discrete {
				n = minus(n, num(1))
			}
			return n
		}
		var z node
		switch {
		case hi == nil:
			z = f("logccdf", below())
		case lo == nil:
			z = f("logcdf", t.raw(pick(hi, 0)))
		default:
			up := f("logcdf", t.raw(pick(hi, 0)))
			z = plus(up, call{fun: "log1m_exp", args: []node{minus(f("logcdf", below()), up)}})
		}
		if lo == nil || !l.d.discrete {
			return z
		}
		// below 0 a count has probability 0, and its logarithm is no number
		n := below()
		whole := node(num(0))
		if hi != nil {
			whole = f("logcdf", t.raw(pick(hi, 0)))
		}
		return t.choose(t.compare("<", n, num(0)), whole, z)
	}
	var z node
	if len(fam) == 0 {
		z = one(nil)
	} else {
		c := t.eachOf(fam, one).(comp)
		c.fun = "sum"
		z = t.masked(c, num(0))
	}
	n := minus(v.n, z)
	if in := t.inside(l, lo, hi, at); len(in) > 0 {
		n = t.choose(and(in), n, unary{"-", ref{infSym}})
	}
	return &value{n: n, t: typ{realBase, 0}, unk: true}
}

// inside are the conditions under which a truncated value has a density above 0, where its type
// does
// not say them already.
func (t *translator) inside(l *lawCall, lo, hi *value, at source.Span) []node {
	var in []node
	y := t.raw(l.y)
	test := func(op string, end *value, upper bool) {
		if end == nil || t.within(rootRef(l.y.n), end.n, upper) {
			return
		}
		c := t.compare(op, y, t.raw(end))
		switch {
		case l.y.t.rank() == 0:
			in = append(in, c)
		case l.y.unk:
			t.fail(syntax.NoTruncation, at, "the truncation of several unknowns at once needs their "+
				"bounds in their declaration").Note("declare them with <lower=…, upper=…>")
		default:
			in = append(in, f1("all", c))
		}
	}
	test(">=", lo, false)
	test("<=", hi, true)
	return in
}

func nodeOf(v *value) node {
	if v == nil {
		return nil
	}
	return v.n
}

func rootRef(n node) node {
	if x, ok := n.(index); ok {
		return x.x
	}
	return n
}

// within reports whether a param's type keeps it on the right side of an end; no end is kept.
func (t *translator) within(n, end node, upper bool) bool {
	if end == nil {
		return true
	}
	p := t.paramOf(n)
	if p == nil {
		return false
	}
	b := p.lower
	if upper {
		b = p.upper
	}
	return b != nil && t.same(b, end)
}

// paramOf is the param that a node is, or is an entry of.
func (t *translator) paramOf(n node) *param {
	r, ok := rootRef(n).(ref)
	if !ok {
		return nil
	}
	for _, p := range t.params {
		if p.s == r.s {
			return p
		}
	}
	return nil
}
