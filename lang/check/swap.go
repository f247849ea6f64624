package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// swapped looks for two arguments that would fit if they were exchanged. It then replaces the
// errors reported since before by one, and suggests the exchange. It tries only arguments that are
// given by position; fits reports whether all fit in an order.
func (c *checker) swapped(
	before int, args []ast.Expr, given []ast.Arg, names []string, fits func(order []int) bool,
) {
	if c.quiet > 0 || len(c.m.Diags) <= before {
		return
	}
	byPlace := map[ast.Expr]bool{}
	for i := range given {
		if given[i].Name.Name == "" {
			byPlace[given[i].Value] = true
		}
	}
	order := make([]int, len(args))
	for i := range order {
		order[i] = i
	}
	for i := range args {
		for j := i + 1; j < len(args); j++ {
			if !byPlace[args[i]] || !byPlace[args[j]] {
				continue
			}
			order[i], order[j] = j, i
			ok := false
			c.quietly(func() { ok = fits(order) })
			order[i], order[j] = i, j
			if !ok {
				continue
			}
			c.m.Diags = c.m.Diags[:before+1]
			d := c.m.Diags[before]
			d.Note(names[i] + " comes before " + names[j] +
				": the two would fit if they changed places")
			c.exchange(d, args[i].Pos(), args[j].Pos())
			return
		}
	}
}

// exchange suggests that two places change their texts.
func (c *checker) exchange(d *diag.Diagnostic, a, b source.Span) {
	d.Suggest(a, c.source(b)).Suggest(b, c.source(a))
}

// retype suggests another type for a name that does not share its declaration.
func (c *checker) retype(d *diag.Diagnostic, g *ast.Group, kind string) {
	if g == nil || g.Type == nil || len(g.Vars) != 1 || c.in != c.root || len(g.Type.Ends) > 0 ||
		g.Type.Sparse || g.Type.From != nil {
		return
	}
	d.Suggest(g.Type.Name.Span, kind)
}

// elementwiseProduct suggests @ where a * b does not fit and a @ b would.
func (c *checker) elementwiseProduct(d *diag.Diagnostic, e ast.Expr, full types.Shape) {
	found := false
	walk(e, func(x ast.Expr) {
		b, ok := x.(*ast.Binary)
		if !ok || b.Op != "*" || found {
			return
		}
		m, v := c.m.Types[b.X].Shape, c.m.Types[b.Y].Shape
		if len(m) == 0 || len(v) == 0 || !m[len(m)-1].Equal(v[0]) {
			return
		}
		if _, ways := types.Fit(types.JoinShapes(m[:len(m)-1], v[1:]), full); ways == 1 {
			found = true
			d.Note("* is elementwise; the sum over "+v[0].String()+" is @").Suggest(b.OpSpan, "@")
		}
	})
}
