package parser

import "github.com/sgppl/sgppl/lang/ast"

// dist builds what follows ~ .
func (b *builder) dist(g *gDist) *ast.DistExpr {
	d := &ast.DistExpr{Span: b.span(g.place), Name: b.ident(g.Name), Call: g.Call}
	if g.Args != nil {
		b.distArgs(d, g.Args)
	}
	b.cuts(d, g.Cuts)
	return d
}

// distArgs builds arguments. Those of mixture after the first are distributions.
func (b *builder) distArgs(d *ast.DistExpr, g *gArgs) {
	mixture := d.Name.Name == "mixture"
	told := len(b.diags)
	for i := range g.Args {
		a := &g.Args[i]
		component := mixture && i > 0 && a.Name == nil
		if !component {
			b.noCuts(a)
			d.Args = append(d.Args, b.arg(a))
			continue
		}
		if v := b.component(b.arg(a).Value); v != nil {
			b.cuts(v.Dist, a.Cuts)
			if n := len(a.Cuts); n > 0 {
				v.Span = v.Span.To(b.span(a.Cuts[n-1].place))
				v.Dist.Span = v.Span
			}
			d.Args = append(d.Args, ast.Arg{Value: v})
		}
	}
	if len(g.Binds) == 0 {
		return
	}
	last := len(d.Args) - 1
	if !mixture {
		if last > 0 || d.Args[0].Name.Name != "" {
			b.add("E0118", b.span(g.place),
				"a comprehension is an argument of `mixture` or the only one of a function").
				Note("to pass an array, write it in brackets: [e for i in I]")
			b.loseBinds(g.Binds)
			return
		}
		d.Args[0].Value = b.comp(d.Args[0].Value, g.Binds)
		return
	}
	if last != 1 {
		if len(b.diags) == told { // a component that is none is told already
			b.add("E0118", b.span(g.place),
				"a mixture over an index has its weights and one component: mixture(w, "+
					"normal(mu[k], s[k]) for k in K)")
		}
		b.loseBinds(g.Binds)
		b.lost["mixture"] = true
		return
	}
	d.Comp = b.comp(d.Args[1].Value, g.Binds)
	d.Args = d.Args[:1]
}

// loseBinds notes the indices of binds that are not in the tree.
func (b *builder) loseBinds(binds []gBind) {
	for i := range binds {
		b.lost[b.ident(binds[i].Var).Name] = true
	}
}

// component reads a value that stands where a distribution does.
func (b *builder) component(e ast.Expr) *ast.DistValue {
	switch e := e.(type) {
	case *ast.Name:
		return &ast.DistValue{Span: e.Span, Dist: &ast.DistExpr{Span: e.Span, Name: ast.Ident(*e)}}
	case *ast.Call:
		name, ok := e.Fun.(*ast.Name)
		if !ok {
			break
		}
		d := &ast.DistExpr{Span: e.Span, Name: ast.Ident(*name), Call: true, Args: e.Args}
		if d.Name.Name == "mixture" {
			b.nestedMixture(d)
		}
		return &ast.DistValue{Span: e.Span, Dist: d}
	case *ast.DistValue:
		return e
	}
	b.add("E0119", e.Pos(), "a component of `mixture` is a distribution, and this is a value").
		Note("the weights come first, then the components: mixture(w, normal(m, 1), cauchy(m, 1))")
	b.lost["mixture"] = true
	return nil
}

// nestedMixture turns the arguments of a mixture in a mixture into distributions.
func (b *builder) nestedMixture(d *ast.DistExpr) {
	args := d.Args
	if len(args) > 0 {
		d.Args = args[:1:1]
		args = args[1:]
	}
	for _, a := range args {
		if v := b.component(a.Value); v != nil {
			d.Args = append(d.Args, ast.Arg{Name: a.Name, Value: v})
		}
	}
}

// cuts attaches truncated(lo, hi) and censored(lo, hi).
func (b *builder) cuts(d *ast.DistExpr, list []gCut) {
	for i := range list {
		c := &list[i]
		to := &d.Trunc
		if c.Kind == "censored" {
			to = &d.Cens
		}
		if *to != nil {
			b.add("E0119", b.span(c.place), "`"+c.Kind+"` stands here a second time")
			continue
		}
		*to = &ast.Interval{Span: b.span(c.place), Lo: b.expr(c.Lo), Hi: b.expr(c.Hi)}
	}
}

func (b *builder) typ(g *gType) *ast.TypeExpr {
	t := &ast.TypeExpr{Span: b.span(g.place), Sparse: g.Sparse, Name: b.ident(g.Name),
		Optional: g.Optional,
		Ends:     b.exprs(g.Ends), Sizes: b.exprs(g.Sizes)}
	for _, p := range g.Tuple {
		t.Tuple = append(t.Tuple, b.typ(p))
	}
	if g.From != nil {
		t.From = b.unary(g.From)
	}
	return t
}
