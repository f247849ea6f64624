package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// Parse reads a program. With errors in the list the tree has what could be read.
func Parse(src *source.File) (*Program, diag.List) {
	var diags diag.List
	l := &lexer{src: src, diags: &diags}
	p := &parser{src: src, diags: &diags, toks: l.tokens()}
	prog := &Program{Source: src, Comments: l.comments}
	p.guarded(func() { p.program(prog) })
	prog.attach()
	diags.Sort()
	return prog, diags
}

// A parser reads tokens from left to right. Errors unwind it to the next statement.
type parser struct {
	src   *source.File
	diags *diag.List
	toks  []token
	at    int
	depth int // of brackets and blocks, against texts that would overflow the stack
	older bool
}

// mostDepth bounds how deeply expressions and statements may be nested.
const mostDepth = 500

type unwind struct{}

func (p *parser) deeper() func() {
	if p.depth++; p.depth > mostDepth {
		p.fail(p.peek().Span, "this is nested more than %d deep", mostDepth)
	}
	return func() { p.depth-- }
}

// guarded runs f, and reports whether it came to its end.
func (p *parser) guarded(f func()) (whole bool) {
	depth := p.depth
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unwind); !ok {
				panic(r)
			}
			whole, p.depth = false, depth
		}
	}()
	f()
	return true
}

func (p *parser) report(at source.Span, format string, args ...any) {
	p.diags.Add(&diag.Diagnostic{Code: NotStan, File: p.src, Span: at,
		Message: fmt.Sprintf(format, args...)})
}

func (p *parser) fail(at source.Span, format string, args ...any) {
	p.report(at, format, args...)
	panic(unwind{})
}

func (p *parser) peek() token { return p.toks[p.at] }

func (p *parser) next() token {
	t := p.toks[p.at]
	if t.kind != eof {
		p.at++
	}
	return t
}

func (p *parser) is(s string) bool {
	t := p.peek()
	return (t.kind == sign || t.kind == name) && t.text == s
}

func (p *parser) isAt(k int, s string) bool {
	return p.at+k < len(p.toks) && p.toks[p.at+k].text == s && p.toks[p.at+k].kind != text
}

func (p *parser) take(s string) bool {
	if p.is(s) {
		p.at++
		return true
	}
	return false
}

func (p *parser) want(s, what string) token {
	if p.is(s) {
		return p.next()
	}
	at := p.peek()
	if s == ";" && p.at > 0 { // the place behind what stands before
		end := p.toks[p.at-1].End
		if at.text == ")" || at.text == "]" {
			p.fail(at.Span, "%s closes no bracket; %s is expected here", at.show(), what)
		}
		p.report(source.Span{Start: end, End: end}, "%s is missing here, before %s", what, at.show())
		if p.is("}") || strings.Contains(p.src.Text[end:at.Start], "\n") {
			return at // what follows is read as if it were there
		}
		panic(unwind{})
	}
	p.fail(at.Span, "%s is expected here, and not %s", what, at.show())
	return at
}

func (t token) show() string {
	if t.kind == eof {
		return "the end of the program"
	}
	return "`" + t.text + "`"
}

func (p *parser) name(what string) token {
	if t := p.peek(); t.kind == name && !reserved[t.text] {
		return p.next()
	}
	p.fail(p.peek().Span, "%s is expected here, and not %s", what, p.peek().show())
	return token{}
}

// from is the span from a token's start to the end of what was read last.
func (p *parser) from(start int) source.Span {
	return source.Span{Start: start, End: p.toks[max(0, p.at-1)].End}
}

var blockNames = []string{"functions", "data", "transformed data", "parameters",
	"transformed parameters", "model", "generated quantities"}

func (p *parser) program(prog *Program) {
	last := -1
	for p.peek().kind != eof {
		start := p.peek()
		title := p.next().text
		if title == "transformed" || title == "generated" {
			title += " " + p.next().text
		}
		k := slices.Index(blockNames, title)
		if k < 0 {
			d := p.diags.Add(&diag.Diagnostic{Code: NotStan, File: p.src, Span: p.from(start.Start),
				Message: fmt.Sprintf("a block is expected here, and not %s", start.show())})
			d.Note("the blocks are " + strings.Join(blockNames, ", "))
			if near := spelling.Nearest(title, blockNames); near != "" {
				d.Suggest(p.from(start.Start), near)
			}
			return
		}
		if k <= last {
			p.fail(p.from(start.Start), "the block `%s` stands once, before `%s`", title,
				blockNames[last])
		}
		last = k
		p.want("{", "`{`")
		if k == 0 {
			p.functions(prog)
			continue
		}
		body := p.statements(k)
		*[]*[]Stmt{nil, &prog.Data, &prog.TransData, &prog.Params, &prog.TransParams, &prog.Model,
			&prog.Generated}[k] = body
	}
}

func (p *parser) functions(prog *Program) {
	for !p.take("}") {
		if p.peek().kind == eof {
			p.fail(p.peek().Span, "`}` is missing at the end of the program")
		}
		at := p.at
		if !p.guarded(func() { prog.Functions = append(prog.Functions, p.function()) }) {
			p.recover(at)
		}
	}
}

func (p *parser) function() *Func {
	start := p.peek().Start
	f := &Func{}
	if !p.take("void") {
		f.Result = p.unsized()
	}
	f.Name = p.name("the name of a function").text
	p.want("(", "`(`")
	for !p.take(")") {
		p.take("data")
		a := Arg{Type: p.unsized()}
		t := p.name("the name of an argument")
		a.Name = t.text
		p.olderUnsized(a.Type)
		f.Args = append(f.Args, a)
		if !p.is(")") {
			p.want(",", "`,` or `)`")
		}
	}
	f.Span = p.from(start)
	if !p.take(";") {
		p.want("{", "`{`")
		f.Body = p.statements(7)
		if f.Body == nil {
			f.Body = []Stmt{}
		}
	}
	return f
}

// unsized reads the type of an argument or result: array[,] real, vector, real[,].
func (p *parser) unsized() *Type {
	defer p.deeper()()
	start := p.peek().Start
	t := &Type{}
	if p.take("array") {
		p.want("[", "`[`")
		t.Array = append(t.Array, nil)
		for p.take(",") {
			t.Array = append(t.Array, nil)
		}
		p.want("]", "`]`")
	}
	base := p.peek()
	if !p.is("{") && !p.is("}") { // they end what is passed over after an error
		p.next()
	}
	t.Base = base.text
	if base.text == "tuple" {
		p.want("(", "`(`")
		for {
			t.Tuple = append(t.Tuple, p.unsized())
			if !p.take(",") {
				break
			}
		}
		p.want(")", "`)`")
	} else if sizes, ok := bases[base.text]; !ok || base.kind != name || constrained[base.text] &&
		sizes >= 0 {
		p.fail(base.Span, "a type is expected here, and not %s", base.show())
	}
	p.olderUnsized(t)
	t.Span = p.from(start)
	return t
}

// olderUnsized reads [,] behind a type.
func (p *parser) olderUnsized(t *Type) {
	if p.is("[") && (p.isAt(1, "]") || p.isAt(1, ",")) {
		p.next()
		t.Array = append(t.Array, nil)
		for p.take(",") {
			t.Array = append(t.Array, nil)
		}
		p.want("]", "`]`")
	}
}

// statements reads to the closing brace. block is the index of the program's block.
func (p *parser) statements(block int) []Stmt {
	var out []Stmt
	for !p.take("}") {
		if p.peek().kind == eof {
			p.fail(p.peek().Span, "`}` is missing at the end of the program")
		}
		at := p.at
		if !p.guarded(func() { out = append(out, p.statement(block)...) }) {
			p.recover(at)
		}
	}
	return out
}

// recover passes over the rest of a statement that could not be read.
func (p *parser) recover(at int) {
	p.at = max(p.at, at)
	if p.at == at && p.peek().kind != eof && !p.is("}") {
		p.at++
	}
	for depth := 0; p.peek().kind != eof; p.at++ {
		switch {
		case p.is("{"):
			depth++
		case p.is("}") && depth == 0:
			return
		case p.is("}"):
			depth--
			if depth == 0 {
				p.at++
				return
			}
		case p.is(";") && depth == 0:
			p.at++
			return
		}
	}
}

// statement reads one statement; a declaration of several names is several.
func (p *parser) statement(block int) []Stmt {
	defer p.deeper()()
	start := p.peek()
	one := func(s Stmt) []Stmt { return []Stmt{s} }
	span := func() source.Span { return p.from(start.Start) }
	if p.declares() {
		return p.declaration()
	}
	if block == 1 || block == 3 {
		p.fail(start.Span, "a declaration is expected in this block, and not %s", start.show())
	}
	switch {
	case p.take(";"):
		return nil
	case !p.arrayAhead() && p.take("{"):
		body := p.statements(block)
		return one(&Block{span(), body})
	case p.is("profile") && p.isAt(1, "("):
		p.next()
		p.next()
		p.printed()
		p.want("{", "`{`")
		body := p.statements(block)
		return one(&Block{span(), body})
	case p.take("for"):
		return one(p.forLoop(start.Start, block))
	case p.take("while"):
		p.want("(", "`(`")
		c := p.expr()
		p.want(")", "`)`")
		body := p.statement(block)
		return one(&While{span(), c, body})
	case p.take("if"):
		p.want("(", "`(`")
		c := p.expr()
		p.want(")", "`)`")
		s := &If{Cond: c, Then: p.statement(block)}
		if p.take("else") {
			if s.Else = p.statement(block); s.Else == nil {
				s.Else = []Stmt{}
			}
		}
		s.Span = span()
		return one(s)
	case p.take("break"):
		p.want(";", "`;`")
		return one(&Break{span()})
	case p.take("continue"):
		p.want(";", "`;`")
		return one(&Continue{span()})
	case p.take("return"):
		s := &Return{}
		if !p.is(";") {
			s.Value = p.expr()
		}
		p.want(";", "`;`")
		s.Span = span()
		return one(s)
	case (p.is("target") || p.is("jacobian")) && p.isAt(1, "+="):
		s := &Target{Jacobian: p.next().text == "jacobian"}
		p.next()
		s.Value = p.expr()
		p.want(";", "`;`")
		s.Span = span()
		return one(s)
	case p.is("increment_log_prob") && p.isAt(1, "("):
		p.next()
		p.next()
		s := &Target{Value: p.expr()}
		p.want(")", "`)`")
		p.want(";", "`;`")
		s.Span = span()
		return one(s)
	case p.is("print") || p.is("reject") || p.is("fatal_error"):
		c := &Call{Fun: p.next().text}
		p.want("(", "`(`")
		c.Args = p.printed()
		c.Span = span()
		p.want(";", "`;`")
		return one(&Do{span(), c})
	}
	return one(p.simple(start.Start))
}

// arrayAhead reports whether braces are those of an array that has a law, {a, b} ~ d(…), and not of
// a block.
func (p *parser) arrayAhead() bool {
	if !p.is("{") {
		return false
	}
	depth := 0
	for k := p.at; p.toks[k].kind != eof && p.toks[k].text != ";"; k++ {
		switch t := p.toks[k]; {
		case t.kind == text:
		case t.text == "{":
			depth++
		case t.text == "}":
			if depth--; depth == 0 {
				return p.toks[k+1].text == "~"
			}
		}
	}
	return false
}

// printed reads the arguments of print and reject, texts among them.
func (p *parser) printed() []Expr {
	var out []Expr
	for !p.take(")") {
		if t := p.peek(); t.kind == text {
			p.next()
			out = append(out, &Str{t.Span, t.text})
		} else {
			out = append(out, p.expr())
		}
		if !p.is(")") {
			p.want(",", "`,` or `)`")
		}
	}
	return out
}

func (p *parser) forLoop(start, block int) Stmt {
	p.want("(", "`(`")
	s := &For{Var: p.name("the variable of the loop").text}
	p.want("in", "`in`")
	x := p.expr()
	if p.take(":") {
		s.Lo, s.Hi = x, p.expr()
	} else {
		s.In = x
	}
	p.want(")", "`)`")
	s.Body = p.statement(block)
	s.Span = p.from(start)
	return s
}

// simple reads an assignment, a ~ statement, or a call.
func (p *parser) simple(start int) Stmt {
	left := p.expr()
	t := p.peek()
	switch t.text {
	case "~":
		p.next()
		s := &Tilde{Left: left}
		s.Dist = p.name("a distribution").text
		p.want("(", "`(`")
		s.Args = p.list(")")
		if p.is("T") && p.isAt(1, "[") {
			p.next()
			p.next()
			s.Trunc = true
			if !p.is(",") && !p.is("]") {
				s.Lo = p.expr()
			}
			if p.take(",") && !p.is("]") {
				s.Hi = p.expr()
			}
			p.want("]", "`]`")
		}
		p.want(";", "`;`")
		s.Span = p.from(start)
		return s
	case "=", "<-", "+=", "-=", "*=", "/=", ".*=", "./=":
		p.next()
		s := &Assign{Left: left, Value: p.expr()}
		if t.text != "<-" {
			s.Op = strings.TrimSuffix(t.text, "=")
		}
		p.want(";", "`;`")
		s.Span = p.from(start)
		return s
	}
	if c, ok := left.(*Call); ok {
		p.want(";", "`;`")
		return &Do{p.from(start), c}
	}
	p.fail(t.Span, "`=`, `~` or `+=` is expected here, and not %s", t.show())
	return nil
}
