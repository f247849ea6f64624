package lower

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
)

// infinite are the data whose entries may be infinite: those from which the model
// computes ends of intervals and of truncation and censoring, which it compares,
// takes the least or largest of, or hands to a function of its own, which might.
// What is observed may not be: its density would be 0, or no number.
func infinite(m *check.Model) map[*check.Symbol]bool {
	out, seen := map[*check.Symbol]bool{}, map[*check.Symbol]bool{}
	var mark func(e ast.Expr)
	mark = func(e ast.Expr) {
		if e == nil {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			_, name := n.(*ast.Name)
			s := m.Uses[n]
			if !name || s == nil || seen[s] {
				return true
			}
			if seen[s] = true; s.Kind == check.Data {
				out[s] = true
			}
			mark(s.Expr) // of a let
			return true
		})
	}
	var observed []*check.Symbol
	ast.InspectFile(m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeExpr:
			for _, e := range n.Ends {
				mark(e)
			}
		case *ast.Interval:
			mark(n.Lo)
			mark(n.Hi)
		case *ast.Binary:
			if slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, n.Op) {
				mark(n.X)
				mark(n.Y)
			}
		case *ast.Call:
			if c := m.Callees[n]; c != nil && (c.Fn != nil || c.Builtin != nil && slices.Contains([]string{"min", "max"}, c.Builtin.Name)) {
				for _, a := range n.Args {
					mark(a.Value)
				}
			}
		case *ast.Tilde:
			ast.Inspect(n.Left, func(x ast.Node) bool {
				switch x := x.(type) {
				case *ast.Index:
					observed = append(observed, m.Uses[x.X])
					return false
				case *ast.Name:
					observed = append(observed, m.Uses[x])
				}
				return true
			})
		}
		return true
	})
	for _, s := range observed {
		delete(out, s)
	}
	return out
}
