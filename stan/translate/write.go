package translate

import (
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A page is the output as it is written: lines, with their places in the Stan program.
type page struct {
	*translator
	w       writer
	lines   []string
	places  []source.Span
	globals map[string]bool
	inner   []string // names of plates and comprehensions around
	indent  int
}

// write lays the translation out.
func (t *translator) write() *Result {
	t.jacobians()
	t.attach()
	t.nameDraws()
	t.inOrder()
	t.tidyAll()
	t.afterRun(t.root)
	p := &page{translator: t, globals: map[string]bool{}}
	p.names()
	p.w = writer{t: t, name: p.nameOf, bound: p.bindIndex, scan: p.scanText}
	p.header()
	p.givens()
	p.laws()
	p.block(t.before)
	p.fns()
	p.paramLines()
	p.block(t.root)
	for n := len(p.lines); n > 0 && p.lines[n-1] == ""; n-- {
		p.lines, p.places = p.lines[:n-1], p.places[:n-1]
	}
	text := strings.Join(p.lines, "\n") + "\n"
	if len(p.lines) == 0 {
		text = ""
	}
	src := source.New("model.sg", text)
	f, diags := parser.Parse(src)
	if diags.Errors() {
		return &Result{Text: text, Lines: p.places}
	}
	laid := ast.Print(f)
	return &Result{Text: laid, Lines: follow(text, p.places, laid)}
}

// follow finds the places of the lines of a text that was laid out anew: both have the same signs
// in the same order.
func follow(text string, places []source.Span, laid string) []source.Span {
	var of []source.Span // of each sign
	for i, l := range strings.Split(text, "\n") {
		for range strings.Join(strings.Fields(l), "") {
			if i < len(places) {
				of = append(of, places[i])
			}
		}
	}
	var out []source.Span
	at := 0
	for _, l := range strings.Split(laid, "\n") {
		place := source.Span{}
		if signs := strings.Join(strings.Fields(l), ""); signs != "" && at < len(of) {
			place = of[at]
			at += len([]rune(signs))
		}
		out = append(out, place)
	}
	return out
}

func (p *page) line(s string, at source.Span) {
	for _, l := range strings.Split(s, "\n") {
		for _, part := range broken(strings.Repeat("  ", p.indent) + l) {
			p.lines = append(p.lines, part)
			p.places = append(p.places, at)
		}
	}
}

// widest is the number of columns behind which a line is broken, if it can be.
const widest = 100

// broken breaks a long line after commas, operators and words, where the fewest brackets are open.
func broken(l string) []string {
	indent := len(l) - len(strings.TrimLeft(l, " "))
	if len(l) <= widest || strings.HasPrefix(strings.TrimSpace(l), "//") || strings.HasSuffix(l, "{") {
		return []string{l}
	}
	depth, best, at := 0, 1<<30, -1
	for i := indent; i < len(l) && i < widest; i++ {
		switch l[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{', '}':
			return []string{l}
		case ' ':
			before := l[indent:i]
			for _, end := range []string{",", " else", " +", " -", " =", " then"} {
				if !strings.HasSuffix(before, end) || i < widest/3 {
					continue
				}
				if cost := 2*depth + map[string]int{" +": 1, " -": 1, " then": 1, " =": 2}[end]; cost <= best {
					best, at = cost, i
				}
			}
		}
	}
	if at < 0 {
		return []string{l}
	}
	rest := strings.Repeat(" ", indent+4) + l[at+1:]
	if len(rest) >= len(l) {
		return []string{l}
	}
	return append([]string{l[:at]}, broken(rest)...)
}

// gap begins a new paragraph.
func (p *page) gap() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.line("", source.Span{})
	}
}

func (p *page) docs(doc string, at source.Span) {
	if doc == "" {
		return
	}
	for _, l := range strings.Split(doc, "\n") {
		p.line(strings.TrimRight("/// "+l, " "), at)
	}
}

func (p *page) header() {
	doc := ""
	for _, c := range p.prog.Comments {
		first := len(p.prog.Source.Text)
		for _, b := range [][]syntax.Stmt{p.prog.Data, p.prog.TransData, p.prog.Params, p.prog.Model} {
			if len(b) > 0 {
				first = min(first, b[0].Pos().Start)
			}
		}
		if c.Start < strings.Index(p.prog.Source.Text+"{", "{") && c.Alone && c.End < first {
			doc += c.Text + "\n"
		}
	}
	if names := p.decisive(); len(names) > 0 {
		doc += "This model holds for one data set: its statements depend on the values of\n" +
			strings.Join(names, ", ") + ". Import the program again for other values.\n"
		if open := p.unrequired(); len(open) > 0 {
			doc += "Other values of " + strings.Join(open, ", ") + " are not noticed.\n"
		}
	}
	if p.bound != nil && p.bound.drew {
		doc += "Its transformed data were drawn at random when it was imported. Import the program\n" +
			"again with another --seed for other draws.\n"
	}
	if doc = strings.TrimSpace(doc); doc != "" {
		p.docs(doc, source.Span{})
		p.gap()
	}
}

// mostRequired bounds the numbers that a model requires of one input.
const mostRequired = 20_000

// requires are the lines by which the model refuses data whose values the translation read, where
// they are others.
func (p *page) requires() {
	for _, g := range p.data {
		if values := p.required(g); values != nil {
			p.line("require "+g.s.text+" == "+p.w.expr(values, pIf), g.span)
		}
	}
}

// required are the values of an input that the translation read, as the model counts them; nil of
// others, of too many, and where one is not a number, as that is equal to nothing.
func (p *page) required(g *given) node {
	if p.bound == nil || g.dim || g.hidden || !p.bound.read[g.s] {
		return nil
	}
	x := p.bound.values[g.s]
	if len(x.X) > mostRequired || len(x.X) == 0 ||
		slices.ContainsFunc(x.X, func(v float64) bool { return v != v }) {
		return nil
	}
	whole := !slices.ContainsFunc(x.X, func(v float64) bool { return v != math.Trunc(v) })
	return literalOf(each(x, func(v float64) float64 { return v - float64(g.info.shift) }), whole)
}

// unrequired are the data whose values the translation read and the model does not require.
func (p *page) unrequired() []string {
	var names []string
	for _, g := range p.data {
		if p.bound != nil && !g.dim && !g.hidden && p.bound.read[g.s] && p.required(g) == nil &&
			len(p.bound.values[g.s].X) > 0 {
			names = append(names, g.s.text)
		}
	}
	return names
}

// decisive are the names of the data whose values the translation read: with others the model would
// be another one. There are none where the model is one for any data.
func (p *page) decisive() []string {
	var names []string
	for _, g := range p.data {
		if p.bound != nil && !g.hidden && p.bound.read[g.s] {
			names = append(names, g.s.text)
		}
	}
	return names
}

// givens writes the sizes and the data.
func (p *page) givens() {
	var plain []string
	for _, g := range p.data {
		if g.dim && g.doc == "" {
			plain = append(plain, g.s.text)
		}
	}
	if len(plain) > 0 {
		p.line("dim "+strings.Join(plain, ", "), p.data[0].span)
	}
	for _, g := range p.data {
		switch {
		case g.dim && g.doc != "":
			p.docs(g.doc, g.span)
			p.line("dim "+g.s.text, g.span)
		case !g.dim && !g.hidden:
			p.docs(g.doc, g.span)
			fam, own := g.sh, []size.Poly(nil)
			if g.own > 0 {
				fam, own = g.sh[:len(g.sh)-g.own], g.sh[len(g.sh)-g.own:]
			}
			p.line("data "+g.s.text+p.sizes(fam)+" : "+p.kindOf(g)+p.sizes(own), g.span)
		}
	}
	p.requires()
}

func (p *page) sizes(list []size.Poly) string {
	if len(list) == 0 {
		return ""
	}
	return "[" + p.w.list(wholes(list)) + "]"
}

func (p *page) kindOf(g *given) string {
	switch g.kind {
	case "index":
		s := "index[" + p.w.expr(whole{g.levels}, pIf) + "]"
		if g.info.shift == 1 {
			s += " from 1"
		}
		return s
	case "":
		return "int"
	}
	return g.kind
}

// laws writes the distributions that the library has not.
func (p *page) laws() {
	var names []string
	for n := range p.translator.dists {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		p.gap()
		p.line(dists[n].own, source.Span{})
	}
}

func (p *page) paramLines() {
	p.gap()
	for _, q := range p.params {
		p.docs(q.doc, q.span)
		s := "param " + q.s.text + p.sizes(q.fam) + " : "
		switch q.kind {
		case "interval":
			lo, hi := "-inf", "inf"
			if q.lower != nil {
				lo = p.w.expr(q.lower, pIf)
			}
			if q.upper != nil {
				hi = p.w.expr(q.upper, pIf)
			}
			s += "interval(" + lo + ", " + hi + ")"
		case "corr_chol", "cov_chol":
			s += q.kind + p.sizes(q.own[:1])
		default:
			s += q.kind + p.sizes(q.own)
		}
		if q.law != nil {
			s += " ~ " + p.law(q.law)
		}
		p.line(s, q.span)
	}
	p.gap()
}

func (p *page) law(l *law) string {
	s := l.name + "(" + p.w.list(l.args) + ")"
	if l.trunc {
		lo, hi := "-inf", "inf"
		if l.lo != nil {
			lo = p.w.expr(l.lo, pIf)
		}
		if l.hi != nil {
			hi = p.w.expr(l.hi, pIf)
		}
		s += " truncated(" + lo + ", " + hi + ")"
	}
	return s
}

func (p *page) block(b *block) {
	if len(b.stmts) > 0 && p.indent == 0 {
		p.gap()
	}
	n := len(p.inner)
	for i, s := range b.stmts {
		if p.indent == 0 && i > 0 && s.kind == plateStmt != (b.stmts[i-1].kind == plateStmt) {
			p.gap()
		}
		p.stmt(s)
	}
	p.inner = p.inner[:n]
}

func (p *page) stmt(s *stmt) {
	switch s.kind {
	case letStmt:
		p.docs(s.doc, s.span)
		word := "let "
		switch {
		case s.track && s.generated:
			word = "generate "
		case s.generated: // its names are read by other such lines alone
			word = "generate let "
		case s.track:
			word = "track "
		}
		value := p.w.expr(s.value, pIf)
		var names []string
		for _, y := range s.syms {
			if y.text == "" {
				p.local(y)
			}
			names = append(names, y.text)
		}
		left := names[0]
		if len(names) > 1 {
			left = "(" + strings.Join(names, ", ") + ")"
		}
		p.line(word+left+" = "+value, s.span)
	case tildeStmt:
		p.line(p.w.expr(s.left, pTight)+" ~ "+p.law(s.law), s.span)
	case factorStmt:
		n := s.value
		if len(s.conds) > 0 {
			n = p.choose(and(s.conds), n, num(0))
		}
		p.line("factor "+p.w.expr(n, pIf), s.span)
	case plateStmt:
		binds, end := p.w.binds(s.binds)
		defer end()
		if len(s.body.stmts) == 1 && s.body.stmts[0].kind != plateStmt {
			at := len(p.lines)
			p.indent++
			p.block(s.body)
			p.indent--
			if len(p.lines) == at+1 {
				one := "for " + binds + " { " + strings.TrimSpace(p.lines[at]) + " }"
				if len(one)+2*p.indent <= 100 {
					p.lines, p.places = p.lines[:at], p.places[:at]
					p.line(one, s.body.stmts[0].span)
					return
				}
			}
			p.lines = slices.Insert(p.lines, at, strings.Repeat("  ", p.indent)+"for "+binds+" {")
			p.places = slices.Insert(p.places, at, s.span)
			p.line("}", s.span)
			return
		}
		p.line("for "+binds+" {", s.span)
		p.indent++
		p.block(s.body)
		p.indent--
		p.line("}", s.span)
	}
}
