package parser

import (
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
)

// A form is a whole statement as another language writes it. The spellings of
// single signs are the scanner's (scan_foreign.go), the names of functions,
// distributions and types the checker's (lang/check/foreign.go).
type form struct {
	name     string
	examples []string // each is told once, with the code and the place; a test walks them
	// read reports the statement and returns what to read instead; nil when nothing can be.
	read func(*phrase) (instead []token, known bool)
}

// forms are tried in order before the grammar is.
var forms = []form{
	{"declaration", []string{"vector[N] x", "real<lower=0> s", "array[N] int<lower=0> y",
		"int<lower=0, upper=1> z[N]", "matrix[N, 3] X", "param real s", "data int<lower=1> N"},
		(*phrase).stanDeclaration},
	{"function", []string{"real f(real x) { x }", "def f(x) { x }", "function g(x) { x }"},
		(*phrase).foreignFunction},
	{"target", []string{"target += normal.logpdf(1, 0, 1)", "target += 3"}, (*phrase).target},
	{"sample", []string{`mu = pm.Normal("mu", 0, 1)`, `s = numpyro.sample("s", dist.HalfNormal(1))`,
		`numpyro.sample("y", dist.Normal(mu, 1), obs=y)`, `z = pm.Normal('z', mu, 1, observed=y)`},
		(*phrase).pythonSample},
	{"script", []string{"import numpy as np", "with pm.Model() as model",
		"while x > 0 { let a = 1 }", "library(rstan)", "return 3"}, (*phrase).scriptWord},
	{"loop", []string{"for (n in 1:N) { factor 1 }", "for (n in N) factor 1"}, (*phrase).roundLoop},
	{"bounds", []string{"param s : real<lower=0>", "param t : real<lower=0, upper=1> ~ beta(1, 1)",
		"data k[N] : int<lower=0>", "param p : [0, 1]", "param q : real in [0, 5]", "param r > 0",
		"param v[3] >= 0 ~ exponential(1)"}, (*phrase).typeBounds},
	{"range", []string{"for i in range(N): factor 1", "for i in range(0, N): factor 1"},
		(*phrase).pythonLoop},
	{"cut", []string{"x ~ normal(0, 1) T[0, ]", "x ~ normal(0, 1) T(0, 3)",
		"x ~ normal(0, 1) I(, 3)"}, (*phrase).cutSign},
	{"prefix", []string{"x ~ dist.normal(0, 1)", "x ~ normal.logpdf(0, 1)"}, (*phrase).distPrefix},
}

// A phrase is a statement that may be one of another language.
type phrase struct {
	b  *builder
	st statement
	t  []token
}

func (b *builder) foreign(st statement) (statement, bool) {
	p := &phrase{b: b, st: st, t: st.tokens}
	for _, f := range forms {
		instead, known := f.read(p)
		if !known {
			continue
		}
		if instead == nil {
			return st, false
		}
		p.t = instead
		st = statement{instead}
	}
	return st, true
}

func (p *phrase) at(i int) token {
	if i >= 0 && i < len(p.t) {
		return p.t[i]
	}
	return token{kind: tNewline}
}

func (p *phrase) text(i, j int) string {
	if i >= j {
		return ""
	}
	return p.b.text(p.span(i, j))
}

// span is the place of the tokens i up to j.
func (p *phrase) span(i, j int) source.Span {
	return source.Span{Start: p.t[i].start, End: p.t[j-1].end}
}

// close is the index of the bracket that closes the one at i, -1 without.
func (p *phrase) close(i int) int {
	depth := 0
	for j := i; j < len(p.t); j++ {
		switch {
		case p.t[j].is("("), p.t[j].is("["):
			depth++
		case p.t[j].is(")"), p.t[j].is("]"):
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

// list cuts the tokens i up to j at the commas outside brackets.
func (p *phrase) list(i, j int) (parts [][2]int) {
	depth, from := 0, i
	for k := i; k < j; k++ {
		switch t := p.t[k]; {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			depth--
		case t.is(",") && depth == 0:
			parts = append(parts, [2]int{from, k})
			from = k + 1
		}
	}
	return append(parts, [2]int{from, j})
}

// say reports the whole form; what the scanner said of signs inside it is taken back.
func (p *phrase) say(code diag.Code, span source.Span, message string) *diag.Diagnostic {
	kept := p.b.diags[:0]
	for _, d := range p.b.diags {
		inside := d.Span.Start >= span.Start && d.Span.End <= span.End
		if !inside || d.Code != "E0106" && d.Code != "E0107" && d.Code != "E0102" {
			kept = append(kept, d)
		}
	}
	p.b.diags = kept
	return p.b.add(code, span, message)
}

// section is `parameters { … }` and its like.
func (b *builder) section(st statement) (inner []statement, name string) {
	n := len(st.tokens)
	if n < 2 || n > 3 || st.tokens[n-1].kind != tBlock {
		return nil, ""
	}
	for i, t := range st.tokens[:n-1] {
		if t.kind != tIdent && t.kind != tWord {
			return nil, ""
		}
		if i > 0 {
			name += " "
		}
		name += t.text
	}
	note, known := foreign.Sections[name]
	if !known {
		return nil, ""
	}
	b.add("E0101", source.Span{Start: st.start(), End: st.tokens[n-2].end},
		"a model has no sections").Note(note)
	return b.blocks[st.tokens[n-1].block].statements, name
}

func (p *phrase) scriptWord() ([]token, bool) {
	first, second := p.at(0), p.at(1)
	message, known := foreign.ScriptWords[first.text]
	if !known || first.kind != tIdent {
		return nil, false
	}
	block := p.at(len(p.t)-1).kind == tBlock
	if !second.beginsValue() && !second.is("-") ||
		second.is("(") && !block && first.text != "library" ||
		second.is("[") {
		return nil, false
	}
	if first.text == "return" {
		d := p.b.add("E0101", p.span(0, 1), message)
		if p.b.values == 0 {
			return nil, true
		}
		d.Suggest(source.Span{Start: first.start, End: second.start}, "")
		return p.t[1:], true
	}
	p.say("E0101", p.span(0, len(p.t)), message).Span = p.span(0, 1)
	return nil, true
}

// foreignFunction is `real f(real x) { … }` and `def f(x) { … }`.
func (p *phrase) foreignFunction() ([]token, bool) {
	first, name := p.at(0), p.at(1)
	words := map[string]bool{"def": true, "function": true, "func": true, "fun": true, "void": true,
		"proc": true}
	if first.kind != tIdent || name.kind != tIdent || !p.at(2).is("(") ||
		!words[first.text] && foreign.Declared[first.text] == "" {
		return nil, false
	}
	if end := p.close(2); end < 0 ||
		foreign.Declared[first.text] != "" && p.at(end+1).kind != tBlock {
		return nil, false
	}
	p.say("E0101", p.span(0, 2), "a function is written: fn "+name.text+"(x : real) -> real { … }").
		Note("its last line is its value, and each argument has its type after a colon")
	return nil, true
}

// target is Stan's way to add a term.
func (p *phrase) target() ([]token, bool) {
	if p.at(0).text != "target" || p.at(1).text != "+=" {
		return nil, false
	}
	span := p.span(0, 2)
	p.say("E0106", span, "a term is added to the log density with `factor`").Suggest(span, "factor")
	word := token{kind: tKey, text: "factor", start: span.Start, end: span.End}
	return append([]token{word}, p.t[2:]...), true
}

// roundLoop is for (n in 1:N) …
func (p *phrase) roundLoop() ([]token, bool) {
	if !p.at(0).is("for") || !p.at(1).is("(") || p.at(2).kind != tIdent || !p.at(3).is("in") {
		return nil, false
	}
	end := p.close(1)
	if end < 6 && !(end == 5) || end < 0 || end+1 >= len(p.t) {
		return nil, false
	}
	from := 4
	d := p.say("E0101", p.span(1, end+1), "no parentheses follow `for`: for n in N { … }")
	if p.at(4).text == "1" && p.at(5).is(":") && end > 6 {
		from = 6
		d.Note("indices count from 0: `" + p.at(2).text + " in " + p.text(6, end) +
			"` takes them all, and `1:" + p.text(6, end) + "` all but the first")
	}
	head := p.text(2, 4) + " " + p.text(from, end)
	out := append([]token{p.t[0]}, p.t[2:4]...)
	out = append(out, p.t[from:end]...)
	rest := p.t[end+1:]
	if len(rest) == 1 && rest[0].kind == tBlock {
		d.Suggest(p.span(1, end+1), head)
		return append(out, rest[0]), true
	}
	// A body without braces is one statement.
	d.Suggest(source.Span{Start: p.t[1].start, End: rest[0].start}, head+" { ")
	last := rest[len(rest)-1].end
	d.Suggest(source.Span{Start: last, End: last}, " }")
	p.b.blocks = append(p.b.blocks, block{[]statement{{markWord(rest)}}, rest[0].start, last})
	id := len(p.b.blocks) - 1
	return append(out, token{kind: tBlock, text: strconv.Itoa(id), start: rest[0].start, end: last,
		block: id}), true
}

// pythonLoop is for i in range(N): …
func (p *phrase) pythonLoop() ([]token, bool) {
	if !p.at(0).is("for") || p.at(1).kind != tIdent || !p.at(2).is("in") ||
		p.at(3).text != "range" || !p.at(4).is("(") {
		return nil, false
	}
	end := p.close(4)
	if end < 0 || !p.at(end+1).is(":") || end+2 >= len(p.t) {
		return nil, false
	}
	parts := p.list(5, end)
	last := parts[len(parts)-1]
	over := append([]token{}, p.t[last[0]:last[1]]...)
	text := p.text(last[0], last[1])
	if len(parts) == 2 && p.text(parts[0][0], parts[0][1]) != "0" {
		over = append(append(append([]token{}, p.t[parts[0][0]:parts[0][1]]...), p.t[end+1]),
			over...)
		text = p.text(parts[0][0], parts[0][1]) + ":" + text
	}
	if len(over) == 0 || len(parts) > 2 {
		return nil, false
	}
	rest := p.t[end+2:]
	stop := rest[len(rest)-1].end
	p.say("E0101", p.span(3, end+2),
		"the rows of a plate run over a size, and stand in braces: for n in N { … }").
		Suggest(p.span(3, end+2), text+" {").Suggest(source.Span{Start: stop, End: stop}, " }")
	p.b.blocks = append(p.b.blocks, block{[]statement{{markWord(rest)}}, rest[0].start, stop})
	id := len(p.b.blocks) - 1
	out := append(append([]token{}, p.t[:3]...), over...)
	return append(out, token{kind: tBlock, text: strconv.Itoa(id), start: rest[0].start, end: stop,
		block: id}), true
}

// cutSign is T[lo, hi] of Stan, T(lo, hi) of JAGS and I(lo, hi) of BUGS.
func (p *phrase) cutSign() ([]token, bool) {
	for i := 2; i+2 < len(p.t); i++ {
		if t := p.t[i]; t.kind != tIdent || t.text != "T" && t.text != "I" || !p.t[i-1].is(")") ||
			!p.t[i+1].is("[") && !p.t[i+1].is("(") {
			continue
		}
		end := p.close(i + 1)
		if end < 0 {
			return nil, false
		}
		parts := p.list(i+2, end)
		if len(parts) != 2 {
			return nil, false
		}
		place := func(kind tokenKind, text string) token {
			return token{kind: kind, text: text, start: p.t[i].start, end: p.t[end].end}
		}
		ends, words := []string{"-inf", "inf"}, []token{place(tIdent, "truncated"), place(tOp, "(")}
		for k, part := range parts {
			if k > 0 {
				words = append(words, place(tOp, ","))
			}
			switch {
			case part[0] < part[1]:
				ends[k] = p.text(part[0], part[1])
				words = append(words, p.t[part[0]:part[1]]...)
			case k == 0:
				words = append(words, place(tOp, "-"), place(tKey, "inf"))
			default:
				words = append(words, place(tKey, "inf"))
			}
		}
		span := p.span(i, end+1)
		p.say("E0106", span, "a distribution is cut with `truncated(lo, hi)`").Suggest(span,
			"truncated("+strings.Join(ends, ", ")+")")
		out := append(append([]token{}, p.t[:i]...), words...)
		return append(append(out, place(tOp, ")")), p.t[end+1:]...), true
	}
	return nil, false
}

// distPrefix is y ~ dist.Normal(0, 1), and y ~ normal.logpdf(…).
func (p *phrase) distPrefix() ([]token, bool) {
	for i := 1; i+4 < len(p.t); i++ {
		if !p.t[i].is("~") || p.t[i+1].kind != tIdent || !p.t[i+2].is(".") ||
			p.t[i+3].kind != tIdent || !p.t[i+4].is("(") {
			continue
		}
		drop := [2]int{i + 1, i + 3}
		message := "after `~` stands the distribution itself; nothing comes before its name"
		if lines[p.t[i+3].text] {
			drop = [2]int{i + 2, i + 4}
			message = "after `~` stands the distribution itself, not one of its functions"
		}
		span := p.span(drop[0], drop[1])
		p.say("E0106", span, message).Suggest(span, "")
		return append(append([]token{}, p.t[:drop[0]]...), p.t[drop[1]:]...), true
	}
	return nil, false
}

var lines = map[string]bool{"logpdf": true, "lpdf": true, "lpmf": true,
	"log_prob": true, "pdf": true,
	"logp": true, "cdf": true, "sample": true}
