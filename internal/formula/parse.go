package formula

import (
	"fmt"
	"strconv"
)

// A Node is a part of a formula: a name, a number, an operator with its operands, or a
// call with its arguments.
type Node struct {
	Kind  byte   // 'n' name, '0' number, 'o' operator, 'c' call, 'g' (terms | group)
	Text  string // the name, the operator, or the function
	Value float64
	Args  []*Node
	Named map[string]*Node // arguments by name, as k in s(x, k = 8)
	At    Span
}

// A Formula is a parsed formula.
type Formula struct {
	Text     string
	Response *Node
	Addition []*Node // after | on the left: trials(n), weights(w)
	Terms    *Node
}

// Parse reads a formula.
func Parse(text string) (*Formula, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &reader{text: text, tokens: tokens}
	f, err := p.formula()
	if err != nil {
		return nil, err
	}
	return f, nil
}

// mostNested is how deep the parts of a formula may stand in each other.
const mostNested = 100

type reader struct {
	text   string
	tokens []token
	next   int
	depth  int
}

func (p *reader) peek() token { return p.tokens[p.next] }

// take consumes the operator, if it comes next.
func (p *reader) take(op string) bool {
	if t := p.peek(); t.kind != 'o' || t.text != op {
		return false
	}
	p.next++
	return true
}

// expected is the error that something else comes next.
func (p *reader) expected(what, suggest string) error {
	t := p.peek()
	found := "`" + t.text + "`"
	if t.kind == 'e' {
		found = "the end of the formula"
	}
	return &Error{Formula: p.text, At: t.at, Suggest: suggest,
		Message: fmt.Sprintf("expected %s, found %s", what, found)}
}

func (p *reader) formula() (*Formula, error) {
	f := &Formula{Text: p.text}
	var err error
	if f.Response, err = p.compare(); err != nil {
		return nil, err
	}
	if p.take("|") {
		for {
			a, err := p.power()
			if err != nil {
				return nil, err
			}
			f.Addition = append(f.Addition, a)
			if !p.take("+") {
				break
			}
		}
	}
	if !p.take("~") {
		return nil, p.expected("`~` after the response", "a formula reads `y ~ x1 + x2`")
	}
	if f.Terms, err = p.sum(); err != nil {
		return nil, err
	}
	switch t := p.peek(); {
	case t.kind == 'o' && (t.text == "|" || t.text == "||"):
		return nil, p.expected("`+` or the end",
			"put the effects of a group in parentheses: (1 | school)")
	case t.kind != 'e':
		return nil, p.expected("`+`, another operator or the end", "")
	}
	return f, nil
}

// binary reads operands with operators of one rank between them, from the left.
func (p *reader) binary(operand func() (*Node, error), ops ...string) (*Node, error) {
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for {
		op := ""
		for _, o := range ops {
			if p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return left, nil
		}
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &Node{Kind: 'o', Text: op, Args: []*Node{left, right},
			At: Span{left.At.Start, right.At.End}}
	}
}

// compare reads what is an argument of a function; its operators bind weakest.
func (p *reader) compare() (*Node, error) {
	return p.binary(p.sum, "<=", ">=", "==", "!=", "<", ">")
}

func (p *reader) sum() (*Node, error) { return p.binary(p.product, "+", "-") }

func (p *reader) product() (*Node, error) { return p.binary(p.cross, "*", "/") }

func (p *reader) cross() (*Node, error) { return p.binary(p.sign, ":", "%in%") }

// sign reads a sign, which binds weaker than a power.
func (p *reader) sign() (*Node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > mostNested {
		return nil, p.expected(fmt.Sprintf("at most %d parts in each other", mostNested), "")
	}
	start := p.peek().at.Start
	for _, op := range []string{"-", "+"} {
		if p.take(op) {
			x, err := p.sign()
			if err != nil {
				return nil, err
			}
			return &Node{Kind: 'o', Text: op, Args: []*Node{x}, At: Span{start, x.At.End}}, nil
		}
	}
	return p.power()
}

func (p *reader) power() (*Node, error) {
	base, err := p.atom()
	if err != nil || !p.take("^") {
		return base, err
	}
	exponent, err := p.sign()
	if err != nil {
		return nil, err
	}
	return &Node{Kind: 'o', Text: "^", Args: []*Node{base, exponent},
		At: Span{base.At.Start, exponent.At.End}}, nil
}

func (p *reader) atom() (*Node, error) {
	t := p.peek()
	switch {
	case t.kind == 'n':
		p.next++
		n := &Node{Kind: 'n', Text: t.text, At: t.at}
		if p.text[t.at.Start] != '`' && p.take("(") {
			n.Kind = 'c'
			return n, p.arguments(n)
		}
		return n, nil
	case t.kind == '0':
		v, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, p.expected("a number or a name",
				"name the columns: `.` for all others is not covered")
		}
		p.next++
		return &Node{Kind: '0', Text: t.text, Value: v, At: t.at}, nil
	case p.take("("):
		return p.parentheses(t.at.Start)
	}
	return nil, p.expected("a column, a function, a number or `(`", "")
}

// parentheses reads (terms), or (terms | group) with the effects of groups.
func (p *reader) parentheses(start int) (*Node, error) {
	inner, err := p.compare()
	if err != nil {
		return nil, err
	}
	bar := ""
	for _, op := range []string{"||", "|"} {
		if bar == "" && p.take(op) {
			bar = op
		}
	}
	if bar != "" {
		group, err := p.sum()
		if err != nil {
			return nil, err
		}
		inner = &Node{Kind: 'g', Text: bar, Args: []*Node{inner, group}}
	}
	if p.peek().text == "|" && bar == "|" {
		return nil, p.expected("`)`", "`(1 |id| group)`, effects that several responses share, "+
			"is not covered: write (1 | group)")
	}
	if !p.take(")") {
		return nil, p.expected("`)`", "")
	}
	inner.At = Span{start, p.tokens[p.next-1].at.End}
	return inner, nil
}

// arguments reads the arguments of a call, to its closing parenthesis.
func (p *reader) arguments(n *Node) error {
	n.Named = map[string]*Node{}
	for !p.take(")") {
		if len(n.Args)+len(n.Named) > 0 && !p.take(",") {
			return p.expected("`,` or `)`", "")
		}
		name := ""
		if t := p.peek(); t.kind == 'n' && p.tokens[p.next+1].text == "=" {
			name = t.text
			p.next += 2
		}
		x, err := p.compare()
		if err != nil {
			return err
		}
		if name == "" {
			n.Args = append(n.Args, x)
		} else {
			n.Named[name] = x
		}
	}
	n.At.End = p.tokens[p.next-1].at.End
	return nil
}
