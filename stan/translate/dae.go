package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Differential algebraic equations F(t, y, y') = 0 of index 1 that are linear in y' become the
// differential equations y' = g(t, y): a row of F that reads y' is M y' + r = 0, and one that does
// not, G(t, y) = 0, holds along the solution where ∂G/∂y y' + ∂G/∂t = 0. Together these are n
// equations for y'.
// Source: Hairer & Wanner (1996), Solving Ordinary Differential Equations II, §VII.1.

// daeSlopes are the slopes of the equations whose residual is F. A row of F reads no slope where
// its values at unit slopes are those at none. The derivatives by y and t are central differences
// of the fourth order.
const daeSlopes = `functions {
  vector NAME(real t, vector y, HEADS) {
    int n = num_elements(y);
    vector[n] none = rep_vector(0, n);
    vector[n] r = F(t, y, none, ARGS);
    matrix[n, n] a;
    matrix[n, n] g;
    for (j in 1:n) a[, j] = F(t, y, one_hot_vector(n, j), ARGS) - r;
    for (j in 1:n) {
      vector[n] e = 1e-3 * fmax(abs(y[j]), 1e-2) * one_hot_vector(n, j);
      g[, j] = (8 * (F(t, y + e, none, ARGS) - F(t, y - e, none, ARGS))
                - F(t, y + 2 * e, none, ARGS) + F(t, y - 2 * e, none, ARGS)) / (12 * sum(e));
    }
    vector[n] later = (8 * (F(t + 1e-4, y, none, ARGS) - F(t - 1e-4, y, none, ARGS))
                       - F(t + 2e-4, y, none, ARGS) + F(t - 2e-4, y, none, ARGS)) / 12e-4;
    vector[n] reads;
    for (i in 1:n) reads[i] = sum(abs(a[i]));
    matrix[n, n] m;
    vector[n] b;
    for (i in 1:n) {
      b[i] = reads[i] > 0 ? -r[i] : -later[i];
      for (j in 1:n) m[i, j] = reads[i] > 0 ? a[i, j] : g[i, j];
    }
    return mdivide_left(m, b);
  }
  real NAME_gap(real t, vector y, HEADS) {
    int n = num_elements(y);
    vector[n] none = rep_vector(0, n);
    vector[n] r = F(t, y, none, ARGS);
    matrix[n, n] a;
    vector[n] gap;
    for (j in 1:n) a[, j] = F(t, y, one_hot_vector(n, j), ARGS) - r;
    for (i in 1:n) gap[i] = sum(abs(a[i])) > 0 ? 0 : abs(r[i]);
    return max(gap);
  }
}`

// mostGap is how far algebraic equations may be from 0 at the start.
const mostGap = "1e-6"

// solveDae translates dae and dae_tol. The slopes at the start, which Stan takes as a first guess
// of what follows from the state, are not read.
func (t *translator) solveDae(c *syntax.Call) *value {
	more := 5
	if strings.HasSuffix(c.Fun, "_tol") {
		more = 8
	}
	f, ok := c.Args[0].(*syntax.Name)
	if !ok || t.funcs[f.Name] == nil || len(c.Args) < more {
		t.fail(syntax.UnknownCall, c.Pos(), "%s takes a function of the program, a state, its slopes, "+
			"a time and times", c.Fun)
	}
	fun := t.funcs[f.Name][0]
	if len(fun.Args) != 3+len(c.Args)-more {
		t.fail(syntax.WrongType, c.Pos(), "%s takes %d arguments, and this call gives it %d", f.Name,
			len(fun.Args), 3+len(c.Args)-more)
	}
	if !t.linearSlopes(fun) {
		t.failNote("solve the residual for the slopes in its rows", syntax.UnknownCall, c.Pos(),
			"a residual that is not linear in the slopes has no counterpart")
	}
	var heads, args []string
	for _, a := range fun.Args[3:] {
		head := a.Type.Base
		if k := len(a.Type.Array); k > 0 {
			head = "array[" + strings.Repeat(",", k-1) + "] " + head
		}
		heads, args = append(heads, head+" "+a.Name), append(args, a.Name)
	}
	name := f.Name + "_slopes"
	for t.funcs[name] != nil && !t.funcs[name][0].Library {
		name += "_"
	}
	if t.funcs[name] == nil {
		text := strings.NewReplacer("NAME", name, "HEADS", strings.Join(heads, ", "), "ARGS",
			strings.Join(args, ", "), "F(", f.Name+"(").Replace(daeSlopes)
		prog, diags := syntax.Parse(source.New(name, strings.ReplaceAll(text, ", )", ")")))
		if diags.Errors() {
			panic(name + ": " + diags[0].Message)
		}
		for _, g := range prog.Functions {
			g.Library = true
			t.funcs[g.Name] = []*syntax.Func{g}
		}
	}
	m := maker{c.Span}
	y0, t0, ts, rest := c.Args[1], c.Args[3], c.Args[4], c.Args[more:]
	if !t.quiet && !t.inRNG {
		gap := t.expr(m.call(name+"_gap", append([]syntax.Expr{t0, y0}, rest...)...))
		t.keepOut(gap, binary{"<=", t.raw(gap), number{mostGap}}, c.Span)
	}
	tol := []syntax.Expr{m.real(1e-10), m.real(1e-10), m.whole(100000000)} // Stan's
	if more == 8 {
		tol = c.Args[5:8]
	}
	all := append([]syntax.Expr{m.name(name), y0, t0, ts}, tol...)
	return t.solveOde(m.call("ode_bdf_tol", append(all, rest...)...))
}
