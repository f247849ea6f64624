package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/catalogue"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A calling is one call of a function of Stan's library.
type calling struct {
	*translator
	name string
	args []*value
	at   source.Span
}

// call translates a call.
func (t *translator) call(c *syntax.Call) *value {
	if strings.HasSuffix(c.Fun, "_rng") && t.funcs[c.Fun] == nil {
		return t.drawCall(c)
	}
	if t.funcs[c.Fun] != nil {
		v := t.callUser(c, false)
		return v
	}
	if strings.HasPrefix(c.Fun, "ode_") || strings.HasPrefix(c.Fun, "integrate_ode") {
		switch strings.TrimSuffix(strings.TrimSuffix(c.Fun, "_tol"), "_adams") {
		case "ode_rk45", "ode_ckrk", "ode_bdf", "ode", "integrate_ode_rk45", "integrate_ode_bdf",
			"integrate_ode":
			return t.solveOde(c)
		}
	}
	if c.Fun == "reduce_sum" || c.Fun == "reduce_sum_static" {
		return t.reduceSum(c)
	}
	if in := mapped(c); in != nil {
		return t.mapRect(in)
	}
	if _, ok := solvers[c.Fun]; ok {
		return t.solveEquations(c)
	}
	switch c.Fun {
	case "integrate_1d":
		return t.integrate(c)
	case "map_rect":
		return t.mapShards(c)
	case "ode_adjoint_tol_ctl":
		return t.adjoint(c)
	case "dae", "dae_tol":
		return t.solveDae(c)
	}
	if c.Fun == "target" || c.Fun == "get_lp" {
		t.fail(syntax.UnknownCall, c.Pos(), "the log density so far has no counterpart as a value")
	}
	if !t.knows(c) {
		t.noFunction(c)
	}
	if v := t.declaredExtent(c); v != nil {
		return v
	}
	if x := t.partOf(c); x != nil {
		return x
	}
	var args []*value
	for _, a := range c.Args {
		args = append(args, t.expr(a))
	}
	if f := t.library(c.Fun); f != nil {
		k := &calling{t, c.Fun, args, c.Pos()}
		return f(k)
	}
	if base, suffix, ok := cutSuffix(c.Fun); ok && t.funcs[base+suffix] != nil {
		return t.expand(base+suffix, args, c.Pos(), false)
	}
	if name, of := lawName(c.Fun); of != "" && len(args) > 0 {
		l := t.lawOf(name, args[0], args[1:], c.Pos())
		if of != "logpdf" && !l.d.cdf {
			t.fail(syntax.NoTruncation, c.Pos(), "%s has no distribution function here", name)
		}
		if of == "cdf" {
			v := t.density(l, "logcdf")
			v.n = call{fun: "exp", args: []node{v.n}}
			return v
		}
		return t.density(l, of)
	}
	t.noFunction(c)
	return nil
}

// knows reports whether a function has a counterpart by its name.
func (t *translator) knows(c *syntax.Call) bool {
	if base, suffix, ok := cutSuffix(c.Fun); ok && t.funcs[base+suffix] != nil {
		return true
	}
	_, of := lawName(c.Fun)
	return t.library(c.Fun) != nil || of != "" && len(c.Args) > 0
}

func (t *translator) noFunction(c *syntax.Call) {
	if f, ok := catalogue.Find(c.Fun); ok && f.Code != "" {
		t.failNote(f.Why, f.Code, c.Pos(), "the function %s has no counterpart", c.Fun)
	}
	d := t.diagnostic(syntax.UnknownCall, c.Pos(), "the function %s has no counterpart", c.Fun)
	var names []string
	for n := range t.funcs {
		names = append(names, n)
	}
	for n := range library {
		names = append(names, n)
	}
	for n := range elementary {
		names = append(names, n)
	}
	if near := spelling.Nearest(c.Fun, names); near != "" {
		d.Note("did you mean " + near + "?")
	} else {
		d.Note("a function of your own stands in the block functions; sgppl doc functions lists those " +
			"of the language")
	}
	panic(stop{d})
}

// cutSuffix finds the density that a call without constants means: foo_lupdf is foo_lpdf.
func cutSuffix(fun string) (string, string, bool) {
	if n, ok := strings.CutSuffix(fun, "_lupdf"); ok {
		return n, "_lpdf", true
	}
	n, ok := strings.CutSuffix(fun, "_lupmf")
	return n, "_lpmf", ok
}

// reduceSum is the sum over all of the first argument, which need not be cut.
func (t *translator) reduceSum(c *syntax.Call) *value {
	if len(c.Args) < 3 {
		t.fail(syntax.WrongType, c.Pos(), "reduce_sum takes a function, an array and a grain size")
	}
	name, ok := c.Args[0].(*syntax.Name)
	if !ok {
		t.fail(syntax.WrongType, c.Pos(), "reduce_sum takes a function, an array and a grain size")
	}
	x := t.expr(c.Args[1])
	if x.t.arr == 0 {
		t.fail(syntax.WrongType, c.Pos(), "reduce_sum cuts an array, and this is %v", x.t)
	}
	args := []*value{x, intVal(size.Const(1)), intVal(x.sh[0])}
	for _, a := range c.Args[3:] {
		args = append(args, t.expr(a))
	}
	fun := name.Name
	if base, suffix, ok := cutSuffix(fun); ok {
		fun = base + suffix
	}
	return t.expand(fun, args, c.Pos(), false)
}

// elementary are functions of one number that act on every entry of a container, by their names
// here; %s stands for the argument where it is no function.
var elementary = map[string]string{
	"exp": "exp", "log": "log", "sqrt": "sqrt", "fabs": "abs", "log1p": "log1p", "expm1": "expm1",
	"lgamma": "lgamma", "digamma": "digamma", "trigamma": "trigamma", "inv_logit": "sigmoid",
	"log_inv_logit": "log_sigmoid", "log1m": "log1m", "log1m_exp": "log1m_exp",
	"log1p_exp": "log1p_exp", "logit": "logit", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh",
	"sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
	"erf": "erf", "erfc": "erfc", "Phi": "normal_cdf", "std_normal_lcdf": "log_normal_cdf",
	"inv_Phi": "normal_quantile", "square": "square", "floor": "floor", "ceil": "ceil",
	"round": "round",
}

// formulas are functions of one number, as formulas of it.
var formulas = map[string]func(x node) node{
	"inv":        func(x node) node { return binary{"/", num(1), x} },
	"inv_sqrt":   func(x node) node { return binary{"/", num(1), f1("sqrt", x)} },
	"inv_square": func(x node) node { return binary{"/", num(1), f1("square", x)} },
	"exp2":       func(x node) node { return binary{"^", num(2), x} },
	"log2":       func(x node) node { return binary{"/", f1("log", x), f1("log", num(2))} },
	"log10":      func(x node) node { return binary{"/", f1("log", x), f1("log", num(10))} },
	"cbrt": func(x node) node {
		return binary{"*", f1("sign", x), binary{"^", f1("abs", x), binary{"/", num(1), num(3)}}}
	},
	"tgamma":          func(x node) node { return f1("exp", f1("lgamma", x)) },
	"inv_cloglog":     func(x node) node { return unary{"-", f1("expm1", unary{"-", f1("exp", x)})} },
	"cloglog":         func(x node) node { return f1("log", unary{"-", f1("log1m", x)}) },
	"log1m_inv_logit": func(x node) node { return f1("log_sigmoid", neg(x)) },
	"Phi_approx": func(x node) node {
		return f1("sigmoid", binary{"+", binary{"*", number{"0.07056"}, binary{"^", x, num(3)}},
			binary{"*", number{"1.5976"}, x}})
	},
	"asinh": func(x node) node {
		long := f1("sqrt", binary{"+", f1("square", x), num(1)})
		return cond{binary{"<", x, num(0)}, neg(f1("log", minus(long, x))),
			f1("log", binary{"+", x, long})}
	},
	"acosh": func(x node) node {
		return f1("log", binary{"+", x, f1("sqrt", binary{"-", f1("square", x), num(1)})})
	},
	"atanh": func(x node) node {
		return binary{"*", number{"0.5"}, binary{"-", f1("log1p", x), f1("log1m", x)}}
	},
	"step":  func(x node) node { return binary{">=", x, num(0)} },
	"trunc": func(x node) node { return binary{"*", f1("sign", x), f1("floor", f1("abs", x))} },
}

func f1(name string, args ...node) node { return call{fun: name, args: args} }

// pairs are functions of two numbers, as formulas; they act entry by entry.
var pairs = map[string]func(x, y node) node{
	"pow":                      func(x, y node) node { return binary{"^", x, y} },
	"fmax":                     func(x, y node) node { return f1("max", x, y) },
	"fmin":                     func(x, y node) node { return f1("min", x, y) },
	"atan2":                    func(x, y node) node { return f1("atan2", x, y) },
	"lbeta":                    func(x, y node) node { return f1("lbeta", x, y) },
	"beta":                     func(x, y node) node { return f1("exp", f1("lbeta", x, y)) },
	"lchoose":                  func(x, y node) node { return f1("lchoose", x, y) },
	"binomial_coefficient_log": func(x, y node) node { return f1("lchoose", x, y) },
	"choose": func(x, y node) node {
		return f1("round", f1("exp", f1("lchoose", x, y)))
	},
	"hypot": func(x, y node) node {
		return f1("sqrt", binary{"+", f1("square", x), f1("square", y)})
	},
	"fdim": func(x, y node) node { return f1("relu", binary{"-", x, y}) },
	"fmod": func(x, y node) node {
		return binary{"*", f1("sign", x), binary{"%", f1("abs", x), f1("abs", y)}}
	},
	"multiply_log": func(x, y node) node { return binary{"*", x, f1("log", y)} },
	"lmultiply":    func(x, y node) node { return binary{"*", x, f1("log", y)} },
	"log_diff_exp": func(x, y node) node { return plus(x, f1("log1m_exp", minus(y, x))) },
	"log_inv_logit_diff": func(x, y node) node {
		return plus(plus(f1("log_sigmoid", x), f1("log_sigmoid", neg(y))), f1("log1m_exp", minus(y, x)))
	},
	"log_falling_factorial": func(x, n node) node {
		return minus(f1("lgamma", plus(x, num(1))), f1("lgamma", plus(minus(x, n), num(1))))
	},
	"log_rising_factorial": func(x, n node) node {
		return minus(f1("lgamma", plus(x, n)), f1("lgamma", x))
	},
	"rising_factorial": func(x, n node) node {
		return f1("exp", minus(f1("lgamma", plus(x, n)), f1("lgamma", x)))
	},
	"gamma_p": func(x, y node) node { return f1("exp", f1("log_gamma_p", x, y)) },
	"gamma_q": func(x, y node) node { return f1("exp", f1("log_gamma_q", x, y)) },
}

// constants are functions without arguments.
var constants = map[string]node{
	"pi": number{"3.141592653589793"}, "e": f1("exp", num(1)), "sqrt2": f1("sqrt", num(2)),
	"log2": f1("log", num(2)), "log10": f1("log", num(10)),
	"positive_infinity": ref{infSym}, "negative_infinity": unary{"-", ref{infSym}},
	"machine_precision": number{"2.220446049250313e-16"},
	"not_a_number":      nan,
}

// library finds a function of Stan's library.
func (t *translator) library(name string) func(*calling) *value {
	if n, ok := constants[name]; ok {
		return func(c *calling) *value {
			if formulas[name] != nil && len(c.args) > 0 {
				return c.formula()
			}
			c.count(0)
			return realVal(n, false)
		}
	}
	if f, ok := library[name]; ok {
		return f
	}
	if _, ok := elementary[name]; ok {
		return (*calling).formula
	}
	if _, ok := formulas[name]; ok {
		return (*calling).formula
	}
	if _, ok := pairs[name]; ok {
		return (*calling).pair
	}
	return nil
}

func (c *calling) count(n int) {
	if len(c.args) != n {
		c.fail(syntax.WrongType, c.at, "%s takes %d arguments, and not %d", c.name, n, len(c.args))
	}
	for i, a := range c.args {
		if a.t.base == tupleBase || a.fn != "" {
			c.fail(syntax.WrongType, c.at, "argument %d of %s is no number", i+1, c.name)
		}
	}
}

// want checks an argument's number of axes.
func (c *calling) want(i, rank int) *value {
	if i >= len(c.args) {
		c.fail(syntax.WrongType, c.at, "%s takes more than %d arguments", c.name, len(c.args))
	}
	a := c.args[i]
	if a.t.base == tupleBase || a.fn != "" || rank >= 0 && a.t.rank() != rank {
		c.fail(syntax.WrongType, c.at, "argument %d of %s cannot be %v", i+1, c.name, a.t)
	}
	return a
}

// whole is an argument that is a whole number.
func (c *calling) whole(i int) size.Poly { return c.intOf(c.want(i, 0), c.at) }

// size is an argument that is a size.
func (c *calling) size(i int) size.Poly {
	p := c.whole(i)
	if c.moves(p) {
		c.fail(syntax.SizeUnknown, c.at, "argument %d of %s is a size, and depends on entries of arrays "+
			"or on an index", i+1, c.name)
	}
	return p
}

// floats is the type of a result whose entries are real.
func floats(t typ) typ {
	if t.base == intBase {
		t.base = realBase
	}
	return t
}

// formula applies a function of one number to every entry.
func (c *calling) formula() *value {
	c.count(1)
	x := c.args[0]
	f := func(n node) node {
		if name, ok := elementary[c.name]; ok {
			return f1(name, n)
		}
		return formulas[c.name](n)
	}
	out := &value{t: floats(x.t), sh: x.sh, unk: x.unk}
	if c.lazy(x) {
		out.n = c.eachOf(x.sh, func(r []size.Poly) node { return f(c.atAll(x, r).n) })
		return out
	}
	out.n = f(c.raw(x))
	return out
}

// pair applies a function of two numbers to every pair of entries, or of an entry and a number.
func (c *calling) pair() *value {
	c.count(2)
	x, y := c.args[0], c.args[1]
	big := x
	if y.t.rank() > x.t.rank() {
		big = y
	}
	if x.t.rank() > 0 && y.t.rank() > 0 && x.t.rank() != y.t.rank() {
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, x.t, y.t)
	}
	a, b := c.raw(x), c.raw(y)
	if x.t.rank() > 0 && y.t.rank() > 0 {
		b = c.reshaped(b, y.sh, x.sh)
	}
	if c.lazy(big) {
		c.fail(syntax.NoIndex, c.at, "%s of a slice whose length depends on data has no counterpart",
			c.name)
	}
	return &value{n: pairs[c.name](a, b), t: floats(big.t), sh: big.sh, unk: x.unk || y.unk}
}
