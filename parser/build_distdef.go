package parser

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// distItems builds the lines of a dist: logpdf(x) = e, sample = e, let, check.
func (b *builder) distItems(id string) []ast.DistItem {
	outer := b.tokens
	defer func() { b.tokens = outer }()
	var out []ast.DistItem
	for _, st := range b.blockOf(id).statements {
		g := b.read(st)
		if g == nil {
			continue
		}
		b.tokens = st.tokens
		item := ast.DistItem{Span: stmtSpan(st)}
		ok := false
		switch {
		case g.Let != nil:
			item.Name = ast.Ident{Span: firstToken(st), Name: "let"}
			item.Let, ok = b.let(g.Let, st, false), true
		case g.Check != nil:
			ok = b.check(&item, b.expr(g.Check), firstToken(st))
		case g.Line != nil && g.Line.Equal != nil:
			ok = b.property(&item, g.Line)
		default:
			b.add("E0116", firstToken(st),
				"a `dist` holds lines such as `logpdf(x) = …`, `sample = …`, `let` and `check`; "+
					what(g)+" cannot stand in it")
		}
		if ok {
			out = append(out, item)
		}
	}
	return out
}

// check builds check logpdf(1.5, 2) == -1.2.
func (b *builder) check(item *ast.DistItem, e ast.Expr, word source.Span) bool {
	item.Name = ast.Ident{Span: word, Name: "check"}
	if eq, ok := e.(*ast.Binary); ok && eq.Op == "==" {
		if call, ok := eq.X.(*ast.Call); ok {
			item.Check, item.Body = call, eq.Y
			return true
		}
	}
	b.add("E0116", e.Pos(), "a check has the form: check logpdf(1.5, 2) == -1.2001885").
		Note("the value first, then the distribution's arguments; the result to the digits that are " +
			"known")
	return false
}

// property builds logpdf(x) = e and sample = e.
func (b *builder) property(item *ast.DistItem, g *gLine) bool {
	left := b.expr(g.Left)
	item.Body = b.expr(g.Equal)
	switch left := left.(type) {
	case *ast.Name:
		item.Name = ast.Ident(*left)
		return true
	case *ast.Call:
		name, ok := left.Fun.(*ast.Name)
		for _, a := range left.Args {
			p, plain := a.Value.(*ast.Name)
			if !plain || a.Name.Name != "" {
				ok = false
				break
			}
			item.Params = append(item.Params, ast.Ident(*p))
		}
		if ok {
			item.Name = ast.Ident(*name)
			return true
		}
	}
	b.add("E0116", left.Pos(),
		"the left side is the name of a property, such as `logpdf(x)` or `sample`")
	return false
}
