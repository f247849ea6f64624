package parser

// The levels of a value, loosest first, as grammar_expr.go has them.

func (r *reader) expr() *gExpr {
	g := &gExpr{place: r.begin()}
	if r.failed {
		return g // no deeper: what failed is not read again
	}
	if r.sees("if") {
		g.If = r.choice()
	} else {
		g.Or = r.or()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) choice() *gIf {
	g := &gIf{place: r.begin()}
	r.must("if")
	g.Cond = r.expr()
	r.must("then")
	g.Then = r.expr()
	r.must("else")
	g.Else = r.expr()
	r.finish(&g.place)
	return g
}

func (r *reader) or() *gOr {
	g := &gOr{place: r.begin()}
	g.Head = r.and()
	for r.sees("or") {
		t := gOrTail{place: r.begin(), Op: r.operator()}
		t.X = r.and()
		r.finish(&t.place)
		g.Tail = append(g.Tail, t)
	}
	r.finish(&g.place)
	return g
}

// operator takes the next token.
func (r *reader) operator() string {
	text := r.at(0).text
	r.next++
	return text
}

func (r *reader) and() *gAnd {
	g := &gAnd{place: r.begin()}
	g.Head = r.not()
	for r.sees("and") {
		t := gAndTail{place: r.begin(), Op: r.operator()}
		t.X = r.not()
		r.finish(&t.place)
		g.Tail = append(g.Tail, t)
	}
	r.finish(&g.place)
	return g
}

func (r *reader) not() *gNot {
	g := &gNot{place: r.begin()}
	if r.takes("not") {
		g.Not = r.not()
	} else {
		g.Cmp = r.cmp()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) cmp() *gCmp {
	g := &gCmp{place: r.begin()}
	g.Left = r.sum()
	switch r.at(0).text {
	case "==", "!=", "<=", "<", ">=", ">":
		t := &gCmpTail{place: r.begin(), Op: r.operator()}
		t.X = r.sum()
		r.finish(&t.place)
		g.Right = t
	}
	r.finish(&g.place)
	return g
}

func (r *reader) sum() *gSum {
	g := &gSum{place: r.begin()}
	g.Head = r.mul()
	for r.sees("+") || r.sees("-") {
		t := gSumTail{place: r.begin(), Op: r.operator()}
		t.X = r.mul()
		r.finish(&t.place)
		g.Tail = append(g.Tail, t)
	}
	r.finish(&g.place)
	return g
}

func (r *reader) mul() *gMul {
	g := &gMul{place: r.begin()}
	g.Head = r.unary()
	for r.sees("*") || r.sees("/") || r.sees("%") || r.sees("@") {
		t := gMulTail{place: r.begin(), Op: r.operator()}
		t.X = r.unary()
		r.finish(&t.place)
		g.Tail = append(g.Tail, t)
	}
	r.finish(&g.place)
	return g
}

func (r *reader) unary() *gUnary {
	g := &gUnary{place: r.begin()}
	if r.takes("-") {
		g.Minus = r.unary()
	} else {
		g.Pow = r.pow()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) pow() *gPow {
	g := &gPow{place: r.begin()}
	g.Base = r.postfix()
	if r.sees("^") {
		t := &gPowTail{place: r.begin(), Op: r.operator()}
		t.X = r.unary()
		r.finish(&t.place)
		g.Exp = t
	}
	r.finish(&g.place)
	return g
}

func (r *reader) postfix() *gPostfix {
	g := &gPostfix{place: r.begin()}
	if r.sees("scan") {
		g.Scan = r.scan()
		r.finish(&g.place)
		return g
	}
	g.Head = r.primary()
	for !r.failed {
		s := gSuffix{place: r.begin()}
		switch {
		case r.takes("("):
			s.Call = true
			s.Args = r.args(")")
			r.must(")")
		case r.takes("["):
			s.Subs = list(r, r.sub)
			r.must("]")
		case r.takes("."):
			s.Name = r.name()
		default:
			r.finish(&g.place)
			return g
		}
		r.finish(&s.place)
		g.Tail = append(g.Tail, s)
	}
	return g
}

func (r *reader) sub() gSub {
	g := gSub{place: r.begin()}
	ends := func() bool { return r.sees(",") || r.sees("]") }
	if r.takes(":") {
		g.From0 = true
		if !ends() {
			g.To = r.expr()
		}
	} else {
		g.Value = r.expr()
		if r.takes(":") {
			g.Colon = true
			if !ends() {
				g.Hi = r.expr()
			}
		}
	}
	r.finish(&g.place)
	return g
}

// args reads arguments up to a closing bracket, which it leaves; nil if there are none.
func (r *reader) args(end string) *gArgs {
	if r.sees(end) {
		return nil
	}
	g := &gArgs{place: r.begin()}
	g.Args = list(r, r.arg)
	if r.takes("for") {
		g.Binds = list(r, r.bind)
	}
	r.finish(&g.place)
	return g
}

func (r *reader) arg() gArg {
	g := gArg{place: r.begin()}
	after := r.at(1).text
	if r.at(0).kind == tIdent && (after == "=" || after == "~") {
		g.Name = r.name()
		if r.takes("~") {
			g.Dist = r.dist()
		} else {
			r.must("=")
			g.Named = r.expr()
		}
	} else {
		g.Value = r.expr()
		g.Cuts = r.cuts()
	}
	r.finish(&g.place)
	return g
}

// cuts reads truncated(lo, hi) and censored(lo, hi), as many as there are.
func (r *reader) cuts() []gCut {
	var out []gCut
	for r.sees("truncated") || r.sees("censored") {
		c := gCut{place: r.begin(), Kind: r.operator()}
		r.must("(")
		c.Lo = r.expr()
		r.must(",")
		c.Hi = r.expr()
		r.must(")")
		r.finish(&c.place)
		out = append(out, c)
	}
	return out
}

func (r *reader) primary() *gPrimary {
	g := &gPrimary{place: r.begin()}
	switch t := r.at(0); {
	case t.kind == tNumber:
		g.Number = r.operator()
	case t.text == "true" || t.text == "false" || t.text == "inf":
		g.Word = r.operator()
	case t.kind == tIdent:
		g.Name = r.operator()
	case t.text == "(":
		g.Paren = r.paren()
	case t.text == "[":
		g.Array = r.array()
	default:
		r.fail()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) paren() *gParen {
	g := &gParen{place: r.begin()}
	r.must("(")
	g.Elems = list(r, r.expr)
	r.must(")")
	r.finish(&g.place)
	return g
}

func (r *reader) array() *gArray {
	g := &gArray{place: r.begin()}
	r.must("[")
	g.Elems = []*gExpr{r.expr()}
	switch {
	case r.takes("for"):
		g.Binds = list(r, r.bind)
	case r.takes(","):
		g.Rest = list(r, r.expr)
	}
	r.must("]")
	r.finish(&g.place)
	return g
}

func (r *reader) scan() *gScan {
	g := &gScan{place: r.begin()}
	r.must("scan")
	b := r.bind()
	g.Bind = &b
	r.must("from")
	if r.sees("(") && r.at(1).kind == tIdent && r.at(2).text == "=" {
		r.must("(")
		g.Tuple = list(r, r.carry)
		r.must(")")
	} else {
		c := r.carry()
		g.Single = &c
	}
	g.Body = r.kind(tBlock)
	r.finish(&g.place)
	return g
}

func (r *reader) carry() gCarry {
	g := gCarry{place: r.begin()}
	g.Name = r.name()
	r.must("=")
	g.Init = r.expr()
	r.finish(&g.place)
	return g
}

func (r *reader) bind() gBind {
	g := gBind{place: r.begin()}
	g.Var = r.name()
	r.must("in")
	g.Lo = r.sum()
	if r.takes(":") {
		g.Hi = r.sum()
	}
	r.finish(&g.place)
	return g
}
