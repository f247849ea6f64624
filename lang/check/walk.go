package check

import "github.com/sgppl/sgppl/lang/ast"

// walk visits an expression and all in it, parents first.
func walk(e ast.Expr, f func(ast.Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, x := range children(e) {
		walk(x, f)
	}
}

// children are the expressions directly inside another.
func children(e ast.Expr) []ast.Expr {
	var out []ast.Expr
	add := func(list ...ast.Expr) {
		for _, x := range list {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	switch e := e.(type) {
	case *ast.Unary:
		add(e.X)
	case *ast.Binary:
		add(e.X, e.Y)
	case *ast.If:
		add(e.Cond, e.Then, e.Else)
	case *ast.Paren:
		add(e.X)
	case *ast.Tuple:
		add(e.Elems...)
	case *ast.Array:
		add(e.Elems...)
	case *ast.Comp:
		add(e.Elem)
	case *ast.Call:
		add(e.Fun)
		for i := range e.Args {
			add(e.Args[i].Value)
		}
	case *ast.Select:
		add(e.X)
	case *ast.Index:
		add(e.X)
		add(e.Subs...)
	case *ast.Range:
		add(e.Lo, e.Hi)
	case *ast.Scan:
		for i := range e.Carries {
			add(e.Carries[i].Init)
		}
		if e.Body != nil {
			for _, l := range e.Body.Lets {
				add(l.Value)
			}
			add(e.Body.Result)
		}
	case *ast.DistValue:
		add(distChildren(e.Dist)...)
	}
	return out
}

// distChildren are the expressions of a distribution.
func distChildren(d *ast.DistExpr) []ast.Expr {
	if d == nil {
		return nil
	}
	var out []ast.Expr
	for i := range d.Args {
		if d.Args[i].Value != nil {
			out = append(out, d.Args[i].Value)
		}
	}
	if d.Comp != nil && d.Comp.Elem != nil {
		out = append(out, d.Comp.Elem)
	}
	for _, iv := range []*ast.Interval{d.Trunc, d.Cens} {
		if iv != nil {
			for _, e := range []ast.Expr{iv.Lo, iv.Hi} {
				if e != nil {
					out = append(out, e)
				}
			}
		}
	}
	return out
}
