package ast

func (p *printer) stmt(s Stmt) {
	p.doc(docOf(s))
	p.start = 0
	switch s := s.(type) {
	case *Use:
		p.write("use " + s.Name.Name)
	case *Dim:
		p.write("dim ")
		commas(p, s.Items, ends[DimItem], p.dimItem)
	case *Const:
		p.write("const ")
		commas(p, s.Items, ends[DimItem], p.dimItem)
	case *Data:
		p.groups("data ", s.Groups)
	case *ParamDecl:
		p.groups("param ", s.Groups)
	case *Local:
		p.groups("local ", s.Groups)
	case *Let:
		p.let(s)
	case *Fn:
		p.write("fn " + s.Name.Name)
		p.params(s.Params, s.Name.End)
		p.write(" -> ")
		p.typ(s.Result)
		p.write(" ")
		p.block(s.Body)
	case *LayerDef:
		p.write("layer " + s.Name.Name)
		p.params(s.Params, s.Name.End)
		head := s.Name.End
		if n := len(s.Params); n > 0 {
			head = s.Params[n-1].End
		}
		p.body(head, s.End, len(s.Decls), func(i int) Node { return s.Decls[i] },
			func(i int) { p.stmt(s.Decls[i]) })
	case *LayerUse:
		p.write("layer ")
		commas(p, s.Items, ends[LayerItem], p.layerItem)
	case *Dist:
		p.write("dist " + s.Name.Name)
		p.params(s.Params, s.Name.End)
		p.write(" on ")
		p.typ(s.On)
		p.body(s.On.End, s.End, len(s.Items), func(i int) Node { return s.Items[i] },
			func(i int) { p.distItem(s.Items[i]) })
	case *Tilde:
		p.expr(s.Left)
		_, from := ends(s.Left)
		p.sign(" ~", from, s.Dist.Start)
		p.dist(s.Dist)
	case *Factor:
		to, _ := ends(s.Value)
		p.sign("factor", s.Start+len("factor"), to)
		p.expr(s.Value)
	case *Require:
		p.write("require ")
		p.expr(s.Value)
	case *For:
		p.write("for ")
		commas(p, s.Binds, ends[Bind], p.bind)
		p.body(s.Binds[len(s.Binds)-1].End, s.End, len(s.Body),
			func(i int) Node { return s.Body[i] }, func(i int) { p.stmt(s.Body[i]) })
	}
}

func docOf(s Stmt) string {
	switch s := s.(type) {
	case *Dim:
		return s.Doc
	case *Const:
		return s.Doc
	case *Data:
		return s.Doc
	case *ParamDecl:
		return s.Doc
	case *Local:
		return s.Doc
	case *Let:
		return s.Doc
	case *Fn:
		return s.Doc
	case *LayerDef:
		return s.Doc
	case *LayerUse:
		return s.Doc
	case *Dist:
		return s.Doc
	}
	return ""
}

func (p *printer) let(s *Let) {
	if s.Track {
		p.write("track ")
	} else if s.Generate {
		p.write("generate ")
		if s.Hidden {
			p.write("let ")
		}
	} else {
		p.write("let ")
	}
	if s.Tuple {
		list(p, "()", -1, s.Names, ends[Ident], -1, p.ident)
	} else {
		p.write(s.Names[0].Name)
	}
	to, _ := ends(s.Value)
	p.sign(" =", s.Names[len(s.Names)-1].End, to)
	p.expr(s.Value)
}

func (p *printer) ident(n Ident) { p.write(n.Name) }

func (p *printer) dimItem(d DimItem) {
	p.write(d.Name.Name)
	if d.Parent != nil {
		p.write("(" + d.Parent.Name + ")")
	}
	p.value(d.Name.End, d.Default)
}

// value prints = e when there is one.
func (p *printer) value(from int, e Expr) {
	if e == nil {
		return
	}
	to, _ := ends(e)
	p.sign(" =", from, to)
	p.expr(e)
}

func (p *printer) prior(from int, d *DistExpr) {
	if d == nil {
		return
	}
	p.sign(" ~", from, d.Start)
	p.dist(d)
}

func (p *printer) groups(word string, list []Group) {
	p.write(word)
	commas(p, list, ends[Group], p.group)
}

func (p *printer) group(g Group) {
	p.start = 0
	commas(p, g.Vars, ends[Var], func(v Var) {
		p.write(v.Name.Name)
		p.sizes(v.Sizes, v.Name.End, v.End-1)
	})
	p.write(" :")
	p.gap(g.Vars[len(g.Vars)-1].End, g.Type.Start, " ")
	p.typ(g.Type)
	p.prior(g.Type.End, g.Prior)
	p.value(g.Type.End, g.Default)
	if g.By != nil {
		p.write(" by " + g.By.Name)
	}
	if g.Init != nil {
		p.write(" init ")
		p.expr(g.Init)
	}
}

func (p *printer) sizes(sizes []Expr, open, end int) {
	if len(sizes) > 0 {
		if open >= 0 {
			open++
		}
		list(p, "[]", open, sizes, ends[Expr], end, p.expr)
	}
}

func (p *printer) typ(t *TypeExpr) {
	if t.Tuple != nil {
		list(p, "()", t.Start+1, t.Tuple, ends[*TypeExpr], t.End-1, p.typ)
		return
	}
	if t.Sparse {
		p.write("sparse ")
	}
	p.write(t.Name.Name)
	if len(t.Ends) > 0 {
		list(p, "()", -1, t.Ends, ends[Expr], -1, p.expr)
	}
	p.sizes(t.Sizes, -1, -1)
	if t.Optional {
		p.write("?")
	}
	if t.From != nil {
		p.write(" from ")
		p.expr(t.From)
	}
}

func (p *printer) params(params []Param, open int) {
	list(p, "()", open+1, params, ends[Param], -1, func(q Param) {
		p.write(q.Name.Name)
		if q.Type != nil {
			p.write(" :")
			p.gap(q.Name.End, q.Type.Start, " ")
			p.typ(q.Type)
		}
		p.value(q.Name.End, q.Default)
		p.prior(q.Name.End, q.Dist)
	})
}

func (p *printer) layerItem(l LayerItem) {
	p.write(l.Name.Name)
	p.sizes(l.Sizes, l.Name.End, -1)
	p.write(" =")
	p.gap(l.Name.End, l.Def.Start, " ")
	p.write(l.Def.Name)
	p.args(l.Args, l.Def.End, l.End-1)
}

func (p *printer) distItem(d DistItem) {
	p.start = 0
	switch d.Name.Name {
	case "let":
		p.let(d.Let)
	case "check":
		p.write("check ")
		p.expr(d.Check)
		to, _ := ends(d.Body)
		p.sign(" ==", d.Check.End, to)
		p.operand(d.Body, looseSum)
	default:
		p.write(d.Name.Name)
		from := d.Name.End
		if len(d.Params) > 0 {
			list(p, "()", -1, d.Params, ends[Ident], -1, p.ident)
			from = d.Params[len(d.Params)-1].End
		}
		p.value(from, d.Body)
	}
}

// block prints the lets and the value of a fn or a scan.
func (p *printer) block(b *Block) {
	n := len(b.Lets)
	if b.Result != nil {
		n++
	}
	node := func(i int) Node {
		if i < len(b.Lets) {
			return b.Lets[i]
		}
		return b.Result
	}
	p.braces(b.Start+1, b.End, n, node, func(i int) {
		if i < len(b.Lets) {
			p.stmt(b.Lets[i])
		} else {
			p.start = 0
			p.expr(b.Result)
		}
	})
}

// body prints a block of statements after its head.
func (p *printer) body(head, end, n int, node func(int) Node, print func(int)) {
	p.write(" ")
	p.braces(head, end, n, node, print)
}

// braces prints { … }: on one line where the source has it so and it fits, else one statement a
// line.
func (p *printer) braces(head, end, n int, node func(int) Node, print func(int)) {
	if p.oneLine(head, end, n, print) {
		return
	}
	p.write("{")
	p.newline()
	outer, cont, start := p.indent, p.cont, p.start
	p.indent, p.cont, p.start = p.blockIndent()+2, nil, 0
	p.each(n, head, end-1, node, print)
	p.indent -= 2
	p.write("}")
	p.indent, p.cont, p.start = outer, cont, start
}

// blockIndent is the indentation of the line that the block's brace ends.
func (p *printer) blockIndent() int {
	if len(p.lines) == 0 {
		return p.indent
	}
	code := p.lines[len(p.lines)-1].code
	n := 0
	for n < len(code) && code[n] == ' ' {
		n++
	}
	return n
}

func (p *printer) oneLine(head, end, n int, print func(int)) bool {
	if n == 0 && !p.pending(end) {
		p.write("{ }")
		return true
	}
	if n > 1 || p.breaks(head, end) > 0 || p.pending(end) {
		return false
	}
	lines, before, flat, start := len(p.lines), p.cur.String(), p.flat, p.start
	p.write("{ ")
	p.flat = true
	print(0)
	p.flat, p.start = flat, start
	p.write(" }")
	if len(p.lines) == lines && (p.column() <= maxWidth || flat) {
		return true
	}
	p.lines = p.lines[:lines]
	p.cur.Reset()
	p.cur.WriteString(before)
	return false
}
