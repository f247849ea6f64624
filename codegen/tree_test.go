package codegen

import (
	"fmt"
	"go/ast"
)

// tree writes an expression with every operation in brackets.
func tree(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return tree(e.X)
	case *ast.BinaryExpr:
		return "[" + tree(e.X) + e.Op.String() + tree(e.Y) + "]"
	case *ast.UnaryExpr:
		return "[" + e.Op.String() + tree(e.X) + "]"
	case *ast.CallExpr:
		s := tree(e.Fun) + "("
		for _, a := range e.Args {
			s += tree(a) + ","
		}
		return s + ")"
	case *ast.SelectorExpr:
		return tree(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	case *ast.BasicLit:
		return e.Value
	}
	return fmt.Sprintf("%T", e)
}
