package parser

import "github.com/alecthomas/participle/v2/lexer"

// A reader reads a statement by the grammar in one pass, with one token ahead. It makes what
// participle makes of a statement that fits, in a tenth of the time. A statement that does not fit
// is left to participle, which knows the place and what was expected: see match. A test holds the
// two to each other.
type reader struct {
	tokens []token
	next   int
	end    token // stands after the last token
	failed bool
}

// readStatement returns nil for a statement that does not fit the grammar.
func readStatement(tokens []token) *gStmt {
	r := &reader{tokens: tokens}
	if n := len(tokens); n > 0 {
		r.end.start = tokens[n-1].end + 1 // as feed has it
	}
	g := r.stmt()
	if r.failed || r.next < len(tokens) {
		return nil
	}
	return g
}

// at returns the token that is so many after the next one.
func (r *reader) at(ahead int) *token {
	if i := r.next + ahead; i < len(r.tokens) {
		return &r.tokens[i]
	}
	return &r.end
}

func (r *reader) pos() lexer.Position {
	return lexer.Position{Offset: r.at(0).start, Line: 1, Column: 1}
}

func (r *reader) begin() place       { return place{Pos: r.pos()} }
func (r *reader) finish(p *place)    { p.EndPos = r.pos() }
func (r *reader) sees(s string) bool { return r.at(0).text == s }

// fail ends the reading: nothing is taken any more.
func (r *reader) fail() {
	r.failed = true
	r.next = len(r.tokens)
}

// takes takes the next token if it has this text.
func (r *reader) takes(s string) bool {
	if !r.sees(s) {
		return false
	}
	r.next++
	return true
}

// takesWord takes the next token if it is this contextual word in its place.
func (r *reader) takesWord(s string) bool { return r.at(0).kind == tWord && r.takes(s) }

// must takes the next token, which has this text.
func (r *reader) must(s string) {
	if !r.takes(s) {
		r.fail()
	}
}

// kind takes the next token, which is of this kind, and returns its text.
func (r *reader) kind(k tokenKind) string {
	t := r.at(0)
	if t.kind != k {
		r.fail()
		return ""
	}
	r.next++
	return t.text
}

// list reads what commas part: one or more.
func list[T any](r *reader, one func() T) []T {
	out := []T{one()}
	for r.takes(",") {
		out = append(out, one())
	}
	return out
}

func (r *reader) ident() gIdent {
	g := gIdent{place: r.begin()}
	g.Name = r.kind(tIdent)
	r.finish(&g.place)
	return g
}

func (r *reader) name() *gIdent {
	g := r.ident()
	return &g
}

func (r *reader) stmt() *gStmt {
	g := &gStmt{place: r.begin()}
	switch {
	case r.takesWord("use"):
		g.Use = r.name()
	case r.takesWord("dim"):
		g.Dim = r.dims()
	case r.takesWord("const"):
		g.Const = r.dims()
	case r.takesWord("data"):
		g.Data = r.groups()
	case r.takesWord("param"):
		g.Param = r.groups()
	case r.takesWord("local"):
		g.Local = r.groups()
	case r.takesWord("let"):
		g.Let = r.let()
	case r.takesWord("track"):
		g.Track = r.let()
	case r.takesWord("generate"):
		g.Generate = &gGenerate{Hidden: r.takesWord("let")}
		g.Generate.Let = r.let()
	case r.takesWord("fn"):
		g.Fn = r.fn()
	case r.takesWord("layer"):
		g.Layer = r.layer()
	case r.takesWord("dist"):
		g.Dist = r.distDef()
	case r.takesWord("check"):
		g.Check = r.expr()
	case r.takesWord("require"):
		g.Require = r.expr()
	case r.takes("factor"):
		g.Factor = r.expr()
	case r.takes("for"):
		g.For = r.loop()
	default:
		g.Line = r.line()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) line() *gLine {
	g := &gLine{place: r.begin()}
	g.Left = r.expr()
	switch {
	case r.takes("~"):
		g.Tilde = r.dist()
	case r.takes("="):
		g.Equal = r.expr()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) dims() *gDims {
	g := &gDims{place: r.begin()}
	g.Items = list(r, func() gDim {
		d := gDim{place: r.begin()}
		d.Name = r.name()
		if r.takes("(") {
			d.Parent = r.name()
			r.must(")")
		}
		if r.takes("=") {
			d.Default = r.expr()
		}
		r.finish(&d.place)
		return d
	})
	r.finish(&g.place)
	return g
}

func (r *reader) groups() *gGroups {
	g := &gGroups{place: r.begin()}
	g.Groups = list(r, r.group)
	r.finish(&g.place)
	return g
}

func (r *reader) group() gGroup {
	g := gGroup{place: r.begin()}
	g.Vars = list(r, func() gVar {
		v := gVar{place: r.begin()}
		v.Name = r.name()
		v.Sizes = r.sizes()
		r.finish(&v.place)
		return v
	})
	r.must(":")
	g.Type = r.typ()
	switch {
	case r.takes("~"):
		g.Prior = r.dist()
	case r.takes("="):
		g.Default = r.expr()
	}
	if r.takes("by") {
		g.By = r.name()
	}
	if r.takes("init") {
		g.Init = r.expr()
	}
	r.finish(&g.place)
	return g
}

// sizes reads [e, …], which may be absent.
func (r *reader) sizes() []*gExpr {
	if !r.takes("[") {
		return nil
	}
	out := list(r, r.expr)
	r.must("]")
	return out
}

func (r *reader) typ() *gType {
	g := &gType{place: r.begin()}
	if r.takes("(") {
		g.Tuple = list(r, r.typ)
		r.must(")")
		r.finish(&g.place)
		return g
	}
	if r.sees("sparse") && r.at(1).kind == tIdent {
		r.next++
		g.Sparse = true
	}
	g.Name = r.name()
	if r.takes("(") {
		g.Ends = list(r, r.expr)
		r.must(")")
	}
	g.Sizes = r.sizes()
	g.Optional = r.takes("?")
	if r.takes("from") {
		g.From = r.unary()
	}
	r.finish(&g.place)
	return g
}

func (r *reader) dist() *gDist {
	g := &gDist{place: r.begin()}
	g.Name = r.name()
	if r.takes("(") {
		g.Call = true
		g.Args = r.args(")")
		r.must(")")
	}
	g.Cuts = r.cuts()
	r.finish(&g.place)
	return g
}

func (r *reader) let() *gLet {
	g := &gLet{place: r.begin()}
	if r.takes("(") {
		g.Tuple = list(r, r.ident)
		r.must(")")
	} else {
		g.Name = r.name()
	}
	r.must("=")
	g.Value = r.expr()
	r.finish(&g.place)
	return g
}

func (r *reader) fn() *gFn {
	g := &gFn{place: r.begin()}
	g.Name = r.name()
	g.Params = r.pars()
	r.must("->")
	g.Result = r.typ()
	g.Body = r.kind(tBlock)
	r.finish(&g.place)
	return g
}

// pars reads (name : type = default, …).
func (r *reader) pars() []gPar {
	r.must("(")
	if r.takes(")") {
		return nil
	}
	out := list(r, func() gPar {
		p := gPar{place: r.begin()}
		p.Name = r.name()
		if r.takes(":") {
			p.Type = r.typ()
		}
		switch {
		case r.takes("="):
			p.Default = r.expr()
		case r.takes("~"):
			p.Dist = r.dist()
		}
		r.finish(&p.place)
		return p
	})
	r.must(")")
	return out
}

func (r *reader) layer() *gLayer {
	g := &gLayer{place: r.begin()}
	if r.at(0).kind == tIdent && r.at(1).text == "(" {
		d := &gLayerDef{place: r.begin()}
		d.Name = r.name()
		d.Params = r.pars()
		d.Body = r.kind(tBlock)
		r.finish(&d.place)
		g.Def = d
	} else {
		g.Items = list(r, func() gLayerItem {
			i := gLayerItem{place: r.begin()}
			i.Name = r.name()
			i.Sizes = r.sizes()
			r.must("=")
			i.Def = r.name()
			r.must("(")
			i.Args = r.args(")")
			r.must(")")
			r.finish(&i.place)
			return i
		})
	}
	r.finish(&g.place)
	return g
}

func (r *reader) distDef() *gDistDef {
	g := &gDistDef{place: r.begin()}
	g.Name = r.name()
	g.Params = r.pars()
	r.must("on")
	g.On = r.typ()
	g.Body = r.kind(tBlock)
	r.finish(&g.place)
	return g
}

func (r *reader) loop() *gFor {
	g := &gFor{place: r.begin()}
	g.Binds = list(r, r.bind)
	g.Body = r.kind(tBlock)
	r.finish(&g.place)
	return g
}
