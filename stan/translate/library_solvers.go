package translate

import (
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Solvers that call a function of the program are written as statements of Stan, which are then
// translated.

// A maker makes expressions of Stan at one place.
type maker struct{ at source.Span }

func (m maker) name(s string) *syntax.Name { return &syntax.Name{Span: m.at, Name: s} }

func (m maker) whole(n int) syntax.Expr { return &syntax.Int{Span: m.at, Text: itoa(n)} }

func (m maker) real(x float64) syntax.Expr {
	if x < 0 {
		return &syntax.Unary{Span: m.at, Op: "-", X: m.real(-x)}
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return &syntax.Real{Span: m.at, Text: s}
}

func (m maker) call(fun string, args ...syntax.Expr) *syntax.Call {
	return &syntax.Call{Span: m.at, Fun: fun, Args: args}
}

func (m maker) op(op string, x, y syntax.Expr) syntax.Expr {
	return &syntax.Binary{Span: m.at, Op: op, X: x, Y: y}
}

func (m maker) entry(x syntax.Expr, subs ...syntax.Sub) syntax.Expr {
	return &syntax.Index{Span: m.at, X: x, Subs: subs}
}

func (m maker) one(e syntax.Expr) syntax.Sub { return syntax.Sub{Span: m.at, X: e} }

// solvers are the functions that solve equations, by the number of arguments between the start and
// those of the function of the program.
var solvers = map[string]int{"solve_newton": 0, "solve_powell": 0, "solve_newton_tol": 3,
	"solve_powell_tol": 3, "algebra_solver": 0, "algebra_solver_newton": 0}

// newtonSteps is the number of steps of Newton's method. Each step multiplies the distance from
// the solution by its square, or by the error of the differences, about 1e-10.
const newtonSteps = 30

// solveEquations finds the zero of a function of the program by Newton's method, whose matrix is
// made of central differences. At the zero the derivatives of a step by what the function depends
// on are those of the solution, whatever the error of the matrix.
func (t *translator) solveEquations(c *syntax.Call) *value {
	skip := solvers[c.Fun]
	if len(c.Args) < 2+skip {
		t.fail(syntax.WrongType, c.Pos(), "%s takes a function, a start and arguments", c.Fun)
	}
	f, ok := c.Args[0].(*syntax.Name)
	if !ok || t.funcs[f.Name] == nil {
		t.fail(syntax.UnknownCall, c.Args[0].Pos(), "a function of the program is expected here")
	}
	more := c.Args[2+skip:]
	if strings.HasPrefix(c.Fun, "algebra") && len(more) > 3 {
		more = more[:3]
	}
	defer t.asLoops()()
	m := maker{c.Span}
	const y, j, k, jac, dim = "solution ", "column ", "step ", "slopes ", "unknowns "
	at := func(x syntax.Expr) syntax.Expr {
		return m.call(f.Name, append([]syntax.Expr{x}, more...)...)
	}
	moved := func(op string) syntax.Expr {
		return at(m.op(op, m.name(y), m.op("*", m.real(1e-5),
			m.call("one_hot_vector", m.name(dim), m.name(j)))))
	}
	t.open()
	defer t.close()
	start := t.expr(c.Args[1])
	if start.t.rank() != 1 {
		t.fail(syntax.WrongType, c.Args[1].Pos(), "the start is a vector, and this is %v", start.t)
	}
	t.bindVar(dim, intVal(start.sh[0]))
	vector := func(base string, n int) *syntax.Type {
		out := &syntax.Type{Span: c.Span, Base: base}
		for range n {
			out.Sizes = append(out.Sizes, m.name(dim))
		}
		return out
	}
	t.declare(&syntax.Decl{Span: c.Span, Name: y, Type: vector("vector", 1), Value: c.Args[1]})
	all := syntax.Sub{Span: c.Span, Range: true}
	t.statement(&syntax.For{Span: c.Span, Var: k, Lo: m.whole(1), Hi: m.whole(newtonSteps),
		Body: []syntax.Stmt{
			&syntax.Decl{Span: c.Span, Name: jac, Type: vector("matrix", 2)},
			&syntax.For{Span: c.Span, Var: j, Lo: m.whole(1), Hi: m.name(dim), Body: []syntax.Stmt{
				&syntax.Assign{Span: c.Span, Left: m.entry(m.name(jac), all, m.one(m.name(j))),
					Value: m.op("/", m.op("-", moved("+"), moved("-")), m.real(2e-5))}}},
			&syntax.Assign{Span: c.Span, Left: m.name(y), Value: m.op("-", m.name(y),
				m.call("mdivide_left", m.name(jac), at(m.name(y))))}}})
	return t.expr(m.name(y))
}

// integrate translates integrate_1d as a sum over the nodes of the rules of Takahasi and Mori,
// whose error falls exponentially with the number of nodes where the function is smooth inside.
func (t *translator) integrate(c *syntax.Call) *value {
	if len(c.Args) < 6 {
		t.fail(syntax.WrongType, c.Pos(), "integrate_1d takes a function, two ends, and three arguments")
	}
	f, ok := c.Args[0].(*syntax.Name)
	if !ok || t.funcs[f.Name] == nil {
		t.fail(syntax.UnknownCall, c.Args[0].Pos(), "a function of the program is expected here")
	}
	defer t.asLoops()()
	m := maker{c.Span}
	const a, b, i, sum = "low ", "high ", "node ", "integral "
	lo, hi := t.expr(c.Args[1]), t.expr(c.Args[2])
	infinite := func(v *value) bool {
		n := v.n
		if u, ok := n.(unary); ok {
			n = u.x
		}
		r, ok := n.(ref)
		return ok && r.s == infSym
	}
	t.open()
	defer t.close()
	t.bindVar(a, &value{n: t.raw(lo), t: typ{realBase, 0}, unk: lo.unk})
	t.bindVar(b, &value{n: t.raw(hi), t: typ{realBase, 0}, unk: hi.unk})
	rule := quadrature(infinite(lo), infinite(hi))
	table := func(name string, x []float64) {
		g := &Given{Shape: []int{len(x)}, X: x}
		n := t.let(t.before, "nodes", &value{n: literalOf(g, false), t: typ{realBase, 1},
			sh: []size.Poly{size.Const(len(x))}})
		t.auto[n] = true
		t.bindVar(name, &value{n: ref{n}, t: typ{realBase, 1}, sh: []size.Poly{size.Const(len(x))}})
	}
	table("x ", rule.x)
	table("w ", rule.w)
	at := func(name string) syntax.Expr { return m.entry(m.name(name), m.one(m.name(i))) }
	x, w, rest := at("x "), at("w "), syntax.Expr(m.call("not_a_number"))
	switch {
	case infinite(lo) && infinite(hi):
	case infinite(lo):
		x = m.op("-", m.name(b), x)
	case infinite(hi):
		x = m.op("+", m.name(a), x)
	default:
		half := m.op("/", m.op("-", m.name(b), m.name(a)), m.real(2))
		table("rest ", rule.rest)
		x = m.op("+", m.op("/", m.op("+", m.name(a), m.name(b)), m.real(2)), m.op("*", half, x))
		w = m.op("*", half, w)
		rest = m.op("*", half, at("rest "))
	}
	t.declare(&syntax.Decl{Span: c.Span, Name: sum, Type: &syntax.Type{Span: c.Span, Base: "real"},
		Value: m.real(0)})
	t.statement(&syntax.For{Span: c.Span, Var: i, Lo: m.whole(1), Hi: m.whole(len(rule.x)),
		Body: []syntax.Stmt{&syntax.Assign{Span: c.Span, Left: m.name(sum), Op: "+",
			Value: m.op("*", w, m.call(f.Name, append([]syntax.Expr{x, rest}, c.Args[3:6]...)...))}}})
	return t.expr(m.name(sum))
}

// A rule has nodes and weights; rest is the distance to the nearer end of [-1, 1], as Stan gives it
// to the function: the end less the node.
type rule struct{ x, w, rest []float64 }

// quadrature is the rule for an interval: tanh-sinh for [-1, 1], exp-sinh for [0, ∞), sinh-sinh
// for all numbers.
func quadrature(lowInfinite, highInfinite bool) rule {
	const h = 1.0 / 20
	var out rule
	ends := [2]float64{-3.2, 3.2}
	switch {
	case lowInfinite && highInfinite:
		ends = [2]float64{-3.6, 3.6}
	case lowInfinite || highInfinite:
		ends = [2]float64{-4.2, 3.2}
	}
	for k := int(ends[0] / h); k <= int(ends[1]/h); k++ {
		u := float64(k) * h
		s, c := math.Pi/2*math.Sinh(u), math.Pi/2*math.Cosh(u)
		switch {
		case lowInfinite && highInfinite:
			out.x, out.w = append(out.x, math.Sinh(s)), append(out.w, h*c*math.Cosh(s))
		case lowInfinite || highInfinite:
			out.x, out.w = append(out.x, math.Exp(s)), append(out.w, h*c*math.Exp(s))
		default:
			out.x = append(out.x, math.Tanh(s))
			out.w = append(out.w, h*c/(math.Cosh(s)*math.Cosh(s)))
			// ±1 less tanh(s), which has no digits left as a difference
			out.rest = append(out.rest, math.Copysign(2/(1+math.Exp(2*math.Abs(s))), s))
		}
	}
	return out
}

// mapShards is map_rect: the results of all shards, one behind the other.
func (t *translator) mapShards(c *syntax.Call) *value {
	f, ok := c.Args[0].(*syntax.Name)
	if !ok || len(c.Args) != 5 || t.funcs[f.Name] == nil {
		t.fail(syntax.UnknownCall, c.Pos(), "map_rect takes a function of the program and four arguments")
	}
	n, ok := t.expr(c.Args[2]).sh[0].Number()
	if !ok || n == 0 {
		t.failNote("write sum(map_rect(f, …)), or give the number of shards as a number",
			syntax.UnknownCall, c.Pos(), "map_rect over shards whose number the data give has no "+
				"counterpart")
	}
	m := maker{c.Span}
	var out syntax.Expr
	for k := n; k >= 1; k-- {
		part := func(e syntax.Expr) syntax.Expr { return m.entry(e, m.one(m.whole(k))) }
		one := syntax.Expr(m.call(f.Name, c.Args[1], part(c.Args[2]), part(c.Args[3]), part(c.Args[4])))
		if out != nil {
			one = m.call("append_row", one, out)
		}
		out = one
	}
	return t.expr(out)
}

// adjoint translates ode_adjoint_tol_ctl, whose controls of the backward solution have no meaning
// here.
func (t *translator) adjoint(c *syntax.Call) *value {
	if len(c.Args) < 15 {
		t.fail(syntax.WrongType, c.Pos(), "%s takes a function, a state, a time, times and 11 controls",
			c.Fun)
	}
	m := maker{c.Span}
	args := append([]syntax.Expr{}, c.Args[:5]...)
	args = append(args, c.Args[4], c.Args[10])
	return t.solveOde(m.call("ode_bdf_tol", append(args, c.Args[15:]...)...))
}

// asLoops keeps the loops that solvers make as such, where those of the program are written turn by
// turn; what it returns ends that.
func (t *translator) asLoops() func() {
	if t.bound == nil {
		return func() {}
	}
	loops := t.bound.loops
	t.bound.loops = Unrolled{}
	return func() { t.bound.loops = loops }
}
