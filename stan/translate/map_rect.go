package translate

import "github.com/sgppl/sgppl/stan/syntax"

// mapped is the call of map_rect in sum(map_rect(…)); nil where it is not one.
func mapped(c *syntax.Call) *syntax.Call {
	if c.Fun != "sum" || len(c.Args) != 1 {
		return nil
	}
	in, ok := c.Args[0].(*syntax.Call)
	if !ok || in.Fun != "map_rect" || len(in.Args) != 5 {
		return nil
	}
	return in
}

// mapRect translates the sum of map_rect as a loop over its shards that adds up.
func (t *translator) mapRect(c *syntax.Call) *value {
	f, ok := c.Args[0].(*syntax.Name)
	if !ok || t.funcs[f.Name] == nil {
		t.fail(syntax.UnknownCall, c.Args[0].Pos(), "a function of the program is expected here")
	}
	at := c.Span
	name := func(s string) *syntax.Name { return &syntax.Name{Span: at, Name: s} }
	one := func(e syntax.Expr) syntax.Expr {
		return &syntax.Index{Span: at, X: e, Subs: []syntax.Sub{{Span: at, X: name(shard)}}}
	}
	call := func(fun string, args ...syntax.Expr) *syntax.Call {
		return &syntax.Call{Span: at, Fun: fun, Args: args}
	}
	t.open()
	defer t.close()
	t.declare(&syntax.Decl{Span: at, Name: total, Value: &syntax.Real{Span: at, Text: "0.0"},
		Type: &syntax.Type{Span: at, Base: "real"}})
	t.statement(&syntax.For{Span: at, Var: shard, Lo: &syntax.Int{Span: at, Text: "1"},
		Hi: call("size", c.Args[2]), Body: []syntax.Stmt{&syntax.Assign{Span: at, Left: name(total),
			Op: "+", Value: call("sum", call(f.Name, c.Args[1], one(c.Args[2]), one(c.Args[3]),
				one(c.Args[4])))}}})
	return t.expr(name(total))
}

const (
	shard = "shard"
	total = "shards_total"
)
