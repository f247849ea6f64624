package syntax

import (
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
)

// levels are the binary operators from the loosest to the tightest.
var levels = [][]string{
	{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"},
	{"*", "/", "%", ".*", "./", "%/%"}, {"\\"},
}

// additive is the level of + and -, at which the ends of a constraint are read.
const additive = 4

func (p *parser) expr() Expr {
	defer p.deeper()()
	start := p.peek().Start
	c := p.binary(0)
	if !p.take("?") {
		return c
	}
	then := p.expr()
	p.want(":", "`:`")
	els := p.expr()
	return &Cond{p.from(start), c, then, els}
}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	start := p.peek().Start
	x := p.binary(level + 1)
	for {
		t := p.peek()
		if t.kind != sign || !contains(levels[level], t.text) {
			return x
		}
		p.next()
		y := p.binary(level + 1)
		x = &Binary{p.from(start), t.text, x, y}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (p *parser) unary() Expr {
	defer p.deeper()()
	t := p.peek()
	if t.kind == sign && (t.text == "-" || t.text == "!" || t.text == "+") {
		p.next()
		x := p.unary()
		return &Unary{p.from(t.Start), t.text, x}
	}
	return p.power()
}

// power binds to the right, and tighter than a sign before it.
func (p *parser) power() Expr {
	start := p.peek().Start
	x := p.postfix()
	if t := p.peek(); t.kind == sign && (t.text == "^" || t.text == ".^") {
		p.next()
		y := p.unary()
		return &Binary{p.from(start), t.text, x, y}
	}
	return x
}

func (p *parser) postfix() Expr {
	start := p.peek().Start
	x := p.primary()
	for {
		t := p.peek()
		switch {
		case t.kind == sign && t.text == "'":
			p.next()
			x = &Unary{p.from(start), "'", x}
		case t.kind == sign && t.text == "[":
			p.next()
			subs := p.subscripts()
			x = &Index{p.from(start), x, subs}
		case t.kind == sign && t.text == "." && p.at+1 < len(p.toks) &&
			p.toks[p.at+1].kind == integer:
			p.next()
			n, _ := strconv.Atoi(p.next().text)
			x = &Field{p.from(start), x, n}
		case t.kind == real && strings.HasPrefix(t.text, ".") && t.Start == p.toks[p.at-1].End:
			n, err := strconv.Atoi(t.text[1:]) // t.1 was read as a number
			if err != nil {
				return x
			}
			p.next()
			x = &Field{p.from(start), x, n}
		default:
			return x
		}
	}
}

func (p *parser) subscripts() []Sub {
	var out []Sub
	for {
		start := p.peek().Start
		s := Sub{}
		if p.is(",") || p.is("]") {
			s.Range = true
		} else {
			if !p.is(":") {
				s.X = p.expr()
			}
			if p.take(":") {
				s.Range, s.Lo, s.X = true, s.X, nil
				if !p.is(",") && !p.is("]") {
					s.Hi = p.expr()
				}
			}
		}
		s.Span = p.from(start)
		if s.End < s.Start {
			s.Span = source.Span{Start: start, End: start}
		}
		out = append(out, s)
		if !p.take(",") {
			break
		}
	}
	p.want("]", "`]`")
	return out
}

func (p *parser) primary() Expr {
	t := p.peek()
	switch t.kind {
	case integer:
		p.next()
		if n := p.peek(); n.kind == name && n.text == "i" && n.Start == t.End {
			p.fail(n.Span, "complex numbers have no counterpart")
		}
		return &Int{t.Span, strings.ReplaceAll(t.text, "_", "")}
	case real:
		p.next()
		return &Real{t.Span, strings.ReplaceAll(t.text, "_", "")}
	case name:
		if reserved[t.text] {
			break
		}
		p.next()
		if !p.is("(") {
			return &Name{t.Span, t.text}
		}
		p.next()
		c := &Call{Fun: t.text}
		for !p.take(")") {
			c.Args = append(c.Args, p.expr())
			switch {
			case len(c.Args) == 1 && p.take("|"):
				c.Bar = true
			case !p.is(")"):
				p.want(",", "`,` or `)`")
			}
		}
		c.Span = p.from(t.Start)
		return c
	case sign:
		switch t.text {
		case "(":
			p.next()
			x := p.expr()
			if p.is(",") {
				tup := &Tuple{Elems: []Expr{x}}
				for p.take(",") {
					tup.Elems = append(tup.Elems, p.expr())
				}
				p.want(")", "`)`")
				tup.Span = p.from(t.Start)
				return tup
			}
			p.want(")", "`)`")
			return x
		case "{":
			p.next()
			e := p.list("}")
			return &Array{p.from(t.Start), e, false}
		case "[":
			p.next()
			e := p.list("]")
			return &Array{p.from(t.Start), e, true}
		}
	}
	p.fail(t.Span, "a value is expected here, and not %s", t.show())
	return nil
}
