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
	same   bool // no argument has an axis along which values have laws of their own
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
			t.wrongArg(i, name, d.args[i], a, at)
		}
	}
	most := d.axes + 1
	for i, a := range args {
		if a.t.rank() > d.args[i]+1 || d.args[i] == 2 && a.t.base != matrixBase ||
			d.args[i] == 1 && a.t.base == intBase {
			t.wrongArg(i, name, d.args[i], a, at)
		}
	}
	if y.t.rank() > most {
		t.failNote("to_vector(x) has the entries of a matrix",
			syntax.WrongType, at, "%s is not on %v", name, y.t)
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

// wrongArg refuses an argument of a law that takes values of so many axes.
func (t *translator) wrongArg(i int, name string, axes int, a *value, at source.Span) {
	t.fail(syntax.WrongType, at, "argument %d of %s is %s, and this is %v", i+1, name,
		[]string{"a number, or a vector or array of numbers", "a vector, or an array of vectors",
			"a matrix"}[axes], a.t)
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
			args = append(args, t.fullArgument(l, i, a))
		}
		if l.d.shift && !t.isIndex(args[0]) {
			return t.byCategory(l, args)
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
	if l.name == "dirichlet" && len(a.sh) == 1 { // one number stands for all
		if c, ok := n.(comp); ok && c.fun == "" && t.mentions(c.elem, c.binds[0].v) == 0 {
			return c.elem
		}
		if c, ok := n.(call); ok && c.fun == "ones" {
			return num(1)
		}
	}
	return t.fullArgument(l, i, a)
}

// fullArgument is one argument with all its entries.
func (t *translator) fullArgument(l *lawCall, i int, a *value) node {
	n := t.raw(a)
	own := l.d.args[i]
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
	if t.truncateByCalls(s) {
		return
	}
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
	t.unordered(l, s)
	t.observe(l, s)
}

// unordered takes the matrix M itself for the entries of to_vector(M), where all of them have one
// law: their order does not matter.
func (t *translator) unordered(l *lawCall, s *syntax.Tilde) {
	c, ok := s.Left.(*syntax.Call)
	if !ok || s.Trunc || l.d.axes > 0 || len(c.Args) != 1 || t.funcs[c.Fun] != nil {
		return
	}
	switch c.Fun {
	case "to_vector", "to_row_vector", "to_array_1d":
	default:
		return
	}
	for _, a := range l.args {
		if a.t.rank() > 0 {
			return
		}
	}
	if y := t.expr(c.Args[0]); y.t.base != tupleBase && y.t.rank() > 1 {
		l.y = y
	}
}

func (t *translator) truncUser(s *syntax.Tilde) {
	t.failNote("define "+s.Dist+"_lcdf or "+s.Dist+"_lccdf",
		syntax.NoTruncation, s.Pos(), "%s is a law of the program, which has no distribution function "+
			"of it", s.Dist)
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
	l, s := t.lawOf(name, y, args, c.Pos()), &syntax.Tilde{Span: c.Span, Left: c.Args[0]}
	t.unordered(l, s)
	t.observe(l, s)
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
	if t.constant(v.n) {
		return
	}
	t.factor(v, s.Pos())
}
