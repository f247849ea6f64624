package check

import (
	"math"

	"github.com/sgppl/sgppl/lang/ast"
)

// A Required is what data have to be: require g == [0, 1, 1].
type Required struct {
	Stmt   *ast.Require
	Shape  []int
	Values []float64 // the last axis fastest; indices count from 0
}

// require checks require x == values.
func (c *checker) require(s *ast.Require) {
	const form = "write require NAME == VALUES, the values as a number or as lists of numbers"
	e, ok := unwrapped(s.Value).(*ast.Binary)
	if !ok || e.Op != "==" {
		c.report(RequireForm, s.Value.Pos(), "this does not say what data are: %s", form)
		return
	}
	c.expr(e.X)
	name, _ := unwrapped(e.X).(*ast.Name)
	sym := c.m.Uses[name]
	if name == nil || sym == nil || sym.Kind != Data {
		if sym != nil || name == nil {
			c.report(RequireForm, e.X.Pos(), "%s is not data: %s", c.source(e.X.Pos()), form)
		}
		return
	}
	r := &Required{Stmt: s}
	if !r.read(e.Y, 0) {
		c.report(RequireForm, e.Y.Pos(), "these are no numbers in lists of one length: %s", form)
		return
	}
	switch {
	case sym.Type.Sparse || sym.Type.Listed || sym.Type.Optional:
		c.report(RequireForm, e.X.Pos(), "%s is %s, and its values cannot be required: only data "+
			"with a number at each index can be", sym.Name, sym.Type)
	case len(r.Shape) != len(sym.Type.Shape):
		c.report(RequireForm, e.Y.Pos(), "%s has %d axes, and these values have %d", sym.Name,
			len(sym.Type.Shape), len(r.Shape))
	case c.m.Required[sym] != nil:
		c.report(RequireTwice, s.Value.Pos(), "the values of %s are required above already",
			sym.Name).NoteAt(c.in.file.Source, c.m.Required[sym].Stmt.Pos(), "there")
	default:
		c.m.Required[sym] = r
	}
}

// read adds a number, or the numbers of a list at a depth.
func (r *Required) read(e ast.Expr, depth int) bool {
	list, is := unwrapped(e).(*ast.Array)
	if !is {
		x, ok := literal(e)
		r.Values = append(r.Values, x)
		return ok && depth == len(r.Shape)
	}
	if depth == len(r.Shape) {
		if len(r.Values) > 0 {
			return false
		}
		r.Shape = append(r.Shape, len(list.Elems))
	}
	if len(list.Elems) != r.Shape[depth] {
		return false
	}
	for _, x := range list.Elems {
		if !r.read(x, depth+1) {
			return false
		}
	}
	return true
}

// literal is the value of a number, of true or false, or of inf, with a sign.
func literal(e ast.Expr) (float64, bool) {
	switch e := unwrapped(e).(type) {
	case *ast.Number:
		return e.Value, true
	case *ast.Bool:
		if e.Value {
			return 1, true
		}
		return 0, true
	case *ast.Inf:
		return math.Inf(1), true
	case *ast.Unary:
		x, ok := literal(e.X)
		return -x, ok && e.Op == "-"
	}
	return 0, false
}

// unwrapped is an expression without parentheses around it.
func unwrapped(e ast.Expr) ast.Expr {
	for {
		p, is := e.(*ast.Paren)
		if !is {
			return e
		}
		e = p.X
	}
}
