package parser

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

func (b *builder) expr(g *gExpr) ast.Expr {
	if g.If != nil {
		return &ast.If{Span: b.span(g.If.place), Cond: b.expr(g.If.Cond), Then: b.expr(g.If.Then),
			Else: b.expr(g.If.Else)}
	}
	x := b.and(g.Or.Head)
	for _, t := range g.Or.Tail {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.and(t.X))
	}
	return x
}

func (b *builder) exprs(list []*gExpr) []ast.Expr {
	var out []ast.Expr
	for _, g := range list {
		out = append(out, b.expr(g))
	}
	return out
}

func binary(x ast.Expr, op string, at source.Span, y ast.Expr) ast.Expr {
	return &ast.Binary{Span: x.Pos().To(y.Pos()), Op: op, OpSpan: at, X: x, Y: y}
}

func (b *builder) and(g *gAnd) ast.Expr {
	x := b.not(g.Head)
	for _, t := range g.Tail {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.not(t.X))
	}
	return x
}

// callable refuses to call what is not a function.
func (b *builder) callable(x ast.Expr) {
	switch x := x.(type) {
	case *ast.Name, *ast.Select, *ast.Index:
	case *ast.Number, *ast.Paren, *ast.Inf:
		b.add("E0101", x.Pos(),
			"this is no function, so no `(` can follow it").Note(
			"a product is written with `*`").Suggest(endOf(x.Pos()),
			" * ")
	default:
		b.add("E0101", x.Pos(), "this is no function, so no `(` can follow it")
	}
}

// op is the exact place of the operator that begins a piece: `&&` was read as `and`.
func (b *builder) op(p place, op string) source.Span {
	i := sort.Search(len(b.tokens), func(i int) bool { return b.tokens[i].start >= p.Pos.Offset })
	if i < len(b.tokens) {
		return source.Span{Start: b.tokens[i].start, End: b.tokens[i].end}
	}
	return source.Span{Start: p.Pos.Offset, End: p.Pos.Offset + len(op)}
}

func (b *builder) not(g *gNot) ast.Expr {
	if g.Not != nil {
		return &ast.Unary{Span: b.span(g.place), Op: "not", X: b.not(g.Not)}
	}
	x := b.sum(g.Cmp.Left)
	if t := g.Cmp.Right; t != nil {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.sum(t.X))
	}
	return x
}

func (b *builder) sum(g *gSum) ast.Expr {
	x := b.mul(g.Head)
	for _, t := range g.Tail {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.mul(t.X))
	}
	return x
}

func (b *builder) mul(g *gMul) ast.Expr {
	x := b.unary(g.Head)
	for _, t := range g.Tail {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.unary(t.X))
	}
	return x
}

func (b *builder) unary(g *gUnary) ast.Expr {
	if g.Minus != nil {
		return &ast.Unary{Span: b.span(g.place), Op: "-", X: b.unary(g.Minus)}
	}
	x := b.postfix(g.Pow.Base)
	if t := g.Pow.Exp; t != nil {
		x = binary(x, t.Op, b.op(t.place, t.Op), b.unary(t.X))
	}
	return x
}

func (b *builder) postfix(g *gPostfix) ast.Expr {
	if g.Scan != nil {
		return b.scan(g.Scan)
	}
	x := b.primary(g.Head)
	for i := range g.Tail {
		t := &g.Tail[i]
		span := x.Pos().To(b.span(t.place))
		switch {
		case t.Call:
			b.callable(x)
			x = &ast.Call{Span: span, Fun: x, Args: b.args(t.Args)}
		case t.Name != nil:
			x = &ast.Select{Span: span, X: x, Name: b.ident(t.Name)}
		default:
			index := &ast.Index{Span: span, X: x}
			for j := range t.Subs {
				index.Subs = append(index.Subs, b.sub(&t.Subs[j]))
			}
			x = index
		}
	}
	return x
}

func (b *builder) sub(g *gSub) ast.Expr {
	r := &ast.Range{Span: b.span(g.place)}
	switch {
	case g.From0:
		if g.To != nil {
			r.Hi = b.expr(g.To)
		}
	case g.Colon:
		r.Lo = b.expr(g.Value)
		if g.Hi != nil {
			r.Hi = b.expr(g.Hi)
		}
	default:
		return b.expr(g.Value)
	}
	return r
}

// args builds the arguments of a call of a function; distributions stand only
// behind ~ in them.
func (b *builder) args(g *gArgs) []ast.Arg {
	if g == nil {
		return nil
	}
	var out []ast.Arg
	for i := range g.Args {
		a := &g.Args[i]
		b.noCuts(a)
		out = append(out, b.arg(a))
	}
	if len(g.Binds) > 0 {
		if len(out) != 1 || out[0].Name.Name != "" {
			b.add("E0118", b.span(g.place), "a comprehension is the only argument of its function").
				Note("to pass an array, write it in brackets: [e for i in I]")
		}
		last := &out[len(out)-1]
		last.Value = b.comp(last.Value, g.Binds)
	}
	return out
}

func (b *builder) noCuts(a *gArg) {
	for i := range a.Cuts {
		c := &a.Cuts[i]
		b.add("E0119", b.span(c.place), "`"+c.Kind+"` follows a distribution, and this is a value").
			Note("it stands after `~`, as in: y ~ normal(mu, sigma) " + c.Kind + "(0, inf)")
	}
}

func (b *builder) arg(a *gArg) ast.Arg {
	switch {
	case a.Dist != nil:
		return ast.Arg{Name: b.ident(a.Name),
			Value: &ast.DistValue{Span: b.span(a.Dist.place), Dist: b.dist(a.Dist)}}
	case a.Named != nil:
		return ast.Arg{Name: b.ident(a.Name), Value: b.expr(a.Named)}
	}
	return ast.Arg{Value: b.expr(a.Value)}
}

func (b *builder) comp(elem ast.Expr, binds []gBind) *ast.Comp {
	c := &ast.Comp{Elem: elem, Binds: b.binds(binds)}
	c.Span = elem.Pos().To(c.Binds[len(c.Binds)-1].Span)
	return c
}

func (b *builder) binds(list []gBind) []ast.Bind {
	var out []ast.Bind
	for i := range list {
		out = append(out, b.bind(&list[i]))
	}
	return out
}

func (b *builder) bind(g *gBind) ast.Bind {
	in := b.sum(g.Lo)
	if g.Hi != nil {
		hi := b.sum(g.Hi)
		in = &ast.Range{Span: in.Pos().To(hi.Pos()), Lo: in, Hi: hi}
	}
	return ast.Bind{Span: b.span(g.place), Var: b.ident(g.Var), In: in}
}

func (b *builder) primary(g *gPrimary) ast.Expr {
	span := b.span(g.place)
	switch {
	case g.Number != "":
		v, _ := strconv.ParseFloat(g.Number, 64) // the scanner has reported what does not fit
		return &ast.Number{Span: span, Text: g.Number, Value: v,
			Int: !strings.ContainsAny(g.Number, ".eE")}
	case g.Word == "inf":
		return &ast.Inf{Span: span}
	case g.Word != "":
		return &ast.Bool{Span: span, Value: g.Word == "true"}
	case g.Name != "":
		return &ast.Name{Span: span, Name: g.Name}
	case g.Array != nil:
		return b.array(g.Array, span)
	}
	elems := b.exprs(g.Paren.Elems)
	if len(elems) == 1 {
		return &ast.Paren{Span: span, X: elems[0]}
	}
	return &ast.Tuple{Span: span, Elems: elems}
}

func (b *builder) array(g *gArray, span source.Span) ast.Expr {
	elems := b.exprs(append(g.Elems, g.Rest...))
	if len(g.Binds) == 0 {
		return &ast.Array{Span: span, Elems: elems}
	}
	c := b.comp(elems[0], g.Binds)
	c.Span, c.Bracket = span, true
	return c
}

func (b *builder) scan(g *gScan) ast.Expr {
	s := &ast.Scan{Span: b.span(g.place), Bind: b.bind(g.Bind), Tuple: g.Single == nil}
	carries := g.Tuple
	if g.Single != nil {
		carries = []gCarry{*g.Single}
	}
	for i := range carries {
		s.Carries = append(s.Carries,
			ast.Carry{Name: b.ident(carries[i].Name), Init: b.expr(carries[i].Init)})
	}
	s.Body = b.block(g.Body, "scan")
	return s
}
