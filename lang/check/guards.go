package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
)

// A guard is a condition around an expression: the indices of a branch that is not
// taken may lie outside, as y[t - 1] does in `if t == 0 then 0 else y[t - 1]`.
type guard struct {
	works bool   // a part of the condition is one truth value, known with the data
	why   string // of one that does not: what to say
	fix   string // and what to write
}

// under checks an expression that is evaluated where cond is true, or is false.
func (c *checker) under(cond ast.Expr, truth bool, e ast.Expr) value {
	g := guard{works: c.known(cond, truth)}
	switch {
	case g.works:
	case len(c.m.Types[cond].Shape) > 0:
		g.why = "a condition that is an array guards no index"
		g.fix = "write a comprehension with one condition an entry, [if c[n] then a[i[n]] else b " +
			"for n in N]"
	default:
		g.why = "the condition depends on unknowns, so it guards no index"
		g.fix = "keep the index inside by max(0, …) or min(…, …)"
	}
	c.guards = append(c.guards, g)
	defer func() { c.guards = c.guards[:len(c.guards)-1] }()
	return c.expr(e)
}

// known reports whether the truth of a checked condition tells something that is
// known with the data: of `a and b` being true, a or b may; of `a or b` being false, likewise.
func (c *checker) known(e ast.Expr, truth bool) bool {
	switch x := e.(type) {
	case *ast.Paren:
		return c.known(x.X, truth)
	case *ast.Unary:
		if x.Op == "not" {
			return c.known(x.X, !truth)
		}
	case *ast.Binary:
		if x.Op == "and" && truth || x.Op == "or" && !truth {
			return c.known(x.X, truth) || c.known(x.Y, truth)
		}
	}
	t, ok := c.m.Types[e]
	return ok && len(t.Shape) == 0 && c.m.Levels[e].Stage != OfParams
}

// guarded reports whether a condition guards the indices of the current expression.
func (c *checker) guarded() bool {
	for _, g := range c.guards {
		if g.works {
			return true
		}
	}
	return false
}

// noteGuards tells why the conditions around a refused index do not guard it.
func (c *checker) noteGuards(d *diag.Diagnostic) {
	for _, g := range c.guards {
		if !g.works {
			d.Note(g.why + ": " + g.fix)
			return
		}
	}
}
