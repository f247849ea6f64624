package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Stan rejects a point at which an argument of a law lies outside its domain, or a transformed
// parameter breaks its constraint. The language evaluates the formula there. So where the form of
// the argument does not show that it is inside, a factor of 0 probability keeps the point out.

// domains say for each law which of its arguments are positive (p) or between 0 and 1 (u), where
// the
// formula has a finite value outside. The value itself comes first.
var domains = map[string]string{
	"poisson": ".p", "bernoulli": ".u", "binomial": "..u", "beta_binomial": "..pp",
	"neg_binomial": ".pp", "neg_binomial_2": ".pp", "neg_binomial_2_log": "..p",
	"gamma": "ppp", "inv_gamma": "ppp", "chi_square": "pp", "inv_chi_square": "pp",
	"scaled_inv_chi_square": "ppp", "weibull": "ppp", "frechet": "ppp", "loglogistic": "ppp",
	"rayleigh": "pp", "lognormal": "p.p", "exponential": "pp", "beta": "upp",
	"beta_proportion": "uup", "pareto": "ppp", "pareto_type_2": "..pp", "exp_mod_normal": "..pp",
	"student_t": ".p.p", "von_mises": "..p", "dirichlet": ".p", "dirichlet_multinomial": ".p",
	"skew_double_exponential": "..pu", "beta_neg_binomial": ".ppp", "multi_student_t": ".p..",
	"normal": "..p", "cauchy": "..p", "logistic": "..p", "gumbel": "..p",
	"double_exponential": "..p", "skew_normal": "..p.",
}

// domain keeps points out at which an argument of a law is outside its domain.
func (t *translator) domain(l *lawCall) {
	if t.quiet || t.inRNG || t.blk == t.before || len(t.spies) > 0 {
		return
	}
	values := append([]*value{l.y}, l.args...)
	for i, c := range domains[l.name] {
		if i >= len(values) {
			break
		}
		v := values[i]
		if c == '.' || !t.unknown(v.n) || t.lazy(v) {
			continue
		}
		if c == 'p' && !t.isPositive(v.n) {
			t.keepOut(v, binary{">=", t.raw(v), num(0)}, l.at)
		}
		if c == 'u' && !t.isUnit(v.n) {
			t.keepOut(v, binary{">=", t.raw(v), num(0)}, l.at)
			t.keepOut(v, binary{"<=", t.raw(v), num(1)}, l.at)
		}
	}
}

// mostLooked is the number of statements among which a condition that is kept out already is looked
// for.
const mostLooked = 200

// keepOut adds a factor that is minus infinity where a condition does not hold for all entries.
func (t *translator) keepOut(v *value, c binary, at source.Span) {
	if c.op == ">=" && isNum(c.y, 0) && t.isPositive(v.n) {
		return
	}
	n := node(c)
	if v.t.rank() > 0 {
		n = f1("all", c)
	}
	k := cond{n, num(0), unary{"-", ref{infSym}}}
	same := func(s *stmt) bool {
		return s.kind == factorStmt && len(s.conds) == 0 && t.same(s.value, k)
	}
	for b := t.blk; b != nil; b = b.parent {
		if slices.ContainsFunc(b.stmts[max(0, len(b.stmts)-mostLooked):], same) {
			return
		}
	}
	t.factor(&value{n: k, t: typ{realBase, 0}, unk: true}, at)
}

// constraint keeps points out at which a transformed parameter breaks its declared bounds.
func (t *translator) constraint(d *syntax.Decl, v *variable) {
	if v.t.base == tupleBase || v.base == nil || !t.unknown(v.base.n) {
		return
	}
	val := v.base
	switch d.Type.Base {
	case "ordered", "positive_ordered":
		if one := size.Const(1); val.t.rank() == 1 {
			n := val.sh[0]
			later := t.sliced(val, 0, one, n, whole{one}, whole{n})
			before := t.sliced(val, 0, size.Poly{}, n.Sub(one), num(0), whole{n.Sub(one)})
			t.keepOut(val, binary{">", later.n, t.reshaped(before.n, before.sh, later.sh)}, d.Pos())
		}
		if d.Type.Base == "positive_ordered" {
			t.keepOut(val, binary{">=", val.n, num(0)}, d.Pos())
		}
		return
	}
	if e := d.Type.Lower; e != nil {
		if x := t.expr(e); !(isNum(x.n, 0) && t.isPositive(val.n)) && !t.isMinusInf(x.n) {
			t.keepOut(val, binary{">=", val.n, t.raw(x)}, d.Pos())
		}
	}
	if e := d.Type.Upper; e != nil {
		if x := t.expr(e); !(isNum(x.n, 1) && t.isUnit(val.n)) {
			t.keepOut(val, binary{"<=", val.n, t.raw(x)}, d.Pos())
		}
	}
}

func (t *translator) isMinusInf(n node) bool {
	u, ok := n.(unary)
	return ok && t.same(u.x, ref{infSym})
}

// isPositive reports whether a value is 0 or above by its form.
func (t *translator) isPositive(n node) bool { return t.signs(n, nil, 0) }

var positiveCalls = map[string]bool{"exp": true, "sqrt": true, "square": true, "sigmoid": true,
	"normal_cdf": true, "cosh": true, "erfc": true, "log1p_exp": true, "norm": true, "abs": true,
	"softmax": true, "ones": true, "zeros": true, "sd": true, "variance": true, "relu": true,
	"quad_form": false}

// same-signed functions are positive where their arguments are.
var keepSign = map[string]bool{"sum": true, "mean": true, "prod": true, "max": true, "min": true,
	"reshape": true, "flatten": true, "transpose": true, "concat": true, "cumsum": true, "sort": true,
	"log1p": true, "diag": true, "tanh": true, "quantile": true}

func (t *translator) signs(n node, known map[*sym]bool, depth int) bool {
	if depth > 40 {
		return false
	}
	all := func(list []node) bool {
		return !slices.ContainsFunc(list, func(x node) bool { return !t.signs(x, known, depth+1) })
	}
	switch n := n.(type) {
	case number:
		return n.text[0] != '-'
	case whole:
		low := t.least(n.p, 0)
		return low != nil && *low >= 0
	case ref:
		return t.refSign(n.s, known, depth)
	case call:
		return positiveCalls[n.fun] || keepSign[n.fun] && all(n.args)
	case binary:
		switch n.op {
		case "+", "*", "/", "@":
			if n.op == "*" && t.same(n.x, n.y) {
				return true
			}
			return all([]node{n.x, n.y})
		case "^":
			w, ok := n.y.(whole)
			if ok {
				k, isNum := w.p.Number()
				return isNum && k%2 == 0 || t.signs(n.x, known, depth+1)
			}
			return t.signs(n.x, known, depth+1)
		case "-":
			return isNum(n.x, 1) && t.units(n.y, depth+1)
		case "<", ">", "<=", ">=", "==", "!=", "and", "or":
			return true
		}
	case index:
		return t.signs(n.x, known, depth+1)
	case array:
		return all(n.elems)
	case cond:
		return n.b != nil && all([]node{n.a, n.b})
	case comp:
		return (n.fun == "" || keepSign[n.fun]) && t.signs(n.elem, known, depth+1)
	case *scan:
		with := map[*sym]bool{}
		for s := range known {
			with[s] = true
		}
		for _, c := range n.carries {
			if !t.signs(c.init, known, depth+1) {
				return false
			}
			with[c.s] = true
		}
		return !slices.ContainsFunc(n.next, func(x node) bool { return !t.signs(x, with, depth+1) })
	}
	return false
}

func (t *translator) refSign(s *sym, known map[*sym]bool, depth int) bool {
	if known[s] || s == infSym {
		return true
	}
	if g := t.givenOf(s); g != nil {
		return g.dim || g.kind == "unit" || g.kind == "nonnegative" || g.kind == "bool" ||
			g.kind == "count" || g.kind == "index" || g.kind == "simplex"
	}
	for _, p := range t.params {
		if p.s != s {
			continue
		}
		switch p.kind {
		case "positive", "unit", "simplex", "positive_ordered":
			return true
		case "interval":
			return p.lower != nil && t.signs(p.lower, known, depth+1)
		}
		return false
	}
	return s.def != nil && t.signs(s.def, known, depth+1)
}

// isUnit reports whether a value is between 0 and 1 by its form.
func (t *translator) isUnit(n node) bool { return t.units(n, 0) }

func (t *translator) units(n node, depth int) bool {
	if depth > 40 {
		return false
	}
	all := func(list []node) bool {
		return !slices.ContainsFunc(list, func(x node) bool { return !t.units(x, depth+1) })
	}
	switch n := n.(type) {
	case number:
		return n.text == "1.0" || n.text[0] == '0'
	case whole:
		k, ok := n.p.Number()
		if name, one := n.p.Name(); one && t.syms[name] != nil && t.syms[name].atom != nil {
			return t.units(t.syms[name].atom, depth+1)
		}
		return ok && (k == 0 || k == 1)
	case ref:
		if g := t.givenOf(n.s); g != nil {
			return g.kind == "unit" || g.kind == "bool" || g.kind == "simplex"
		}
		for _, p := range t.params {
			if p.s == n.s {
				return p.kind == "unit" || p.kind == "simplex" || p.kind == "interval" &&
					p.lower != nil && p.upper != nil && t.signs(p.lower, nil, depth+1) &&
					t.units(p.upper, depth+1)
			}
		}
		return n.s.def != nil && t.units(n.s.def, depth+1)
	case call:
		switch n.fun {
		case "sigmoid", "normal_cdf", "softmax", "zeros", "ones":
			return true
		case "reshape", "flatten", "transpose":
			return t.units(n.args[0], depth+1)
		case "concat", "prod", "max", "min", "mean":
			return all(n.args)
		}
	case binary:
		switch n.op {
		case "*":
			return all([]node{n.x, n.y})
		case "-":
			return isNum(n.x, 1) && t.units(n.y, depth+1)
		case "<", ">", "<=", ">=", "==", "!=":
			return true
		}
	case index:
		return t.units(n.x, depth+1)
	case array:
		return all(n.elems)
	case cond:
		return n.b != nil && all([]node{n.a, n.b})
	case comp:
		return (n.fun == "" || n.fun == "prod" || n.fun == "max") && t.units(n.elem, depth+1)
	}
	return false
}
