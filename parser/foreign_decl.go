package parser

import (
	"regexp"
	"strings"

	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
)

// A declared is what was read of a foreign declaration.
type declared struct {
	word, name  string
	family, own []string // sizes
	kind        string
	value       string // what follows =
}

// stanDeclaration is real<lower=0> s, vector[N] x, array[N] int y, and these after data or param.
func (p *phrase) stanDeclaration() ([]token, bool) {
	var d declared
	i := 0
	if p.at(0).kind == tWord &&
		(p.at(0).text == "data" || p.at(0).text == "param" || p.at(0).text == "local") {
		d.word = p.at(0).text
		i++
	}
	if p.at(i).kind != tIdent || foreign.Declared[p.at(i).text] == "" {
		return nil, false
	}
	if p.at(i).text == "array" && p.at(i+1).is("[") {
		end := p.close(i + 1)
		if end < 0 || foreign.Declared[p.at(end+1).text] == "" {
			return nil, false
		}
		d.family = p.texts(i+2, end)
		i = end + 1
	}
	theirs := p.at(i).text
	d.kind = foreign.Declared[theirs]
	i++
	if p.at(i).is("<") {
		end := p.closeAngle(i)
		if end < 0 {
			return nil, false
		}
		d.kind = p.bounded(d.kind, i+1, end)
		i = end + 1
	}
	if p.at(i).is("[") {
		end := p.close(i)
		if end < 0 {
			return nil, false
		}
		d.own = p.texts(i+1, end)
		i = end + 1
	}
	if p.at(i).kind != tIdent {
		return nil, false
	}
	d.name = p.at(i).text
	i++
	if p.at(i).is("[") {
		end := p.close(i)
		if end < 0 {
			return nil, false
		}
		d.family = append(d.family, p.texts(i+1, end)...)
		i = end + 1
	}
	switch {
	case i == len(p.t):
	case p.at(i).is("=") && i+1 < len(p.t):
		d.value = p.text(i+1, len(p.t))
	case d.word == "" && p.at(i).is("~"), p.at(i).is(","):
		// A prior in the declaration, or further names: the head is what is wrong.
	default:
		return nil, false
	}
	if d.word == "" {
		d.word = foreign.SectionWords[p.b.in]
	}
	p.tell(d, i)
	return nil, true
}

// tell reports a declaration, with its translation.
func (p *phrase) tell(d declared, end int) {
	span := p.span(0, end)
	diag := p.say("E0101", span,
		"a declaration begins with what the name is, and its type follows a colon")
	ours := d.name
	if len(d.family) > 0 {
		ours += "[" + strings.Join(d.family, ", ") + "]"
	}
	kind := d.kind
	if len(d.own) > 0 {
		// index[K] from 1 and interval(a, b) take their sizes as a family.
		if strings.HasPrefix(kind, "index") || strings.Contains(kind, "(") {
			ours = d.name + "[" + strings.Join(append(d.family, d.own...), ", ") + "]"
		} else {
			kind += "[" + strings.Join(d.own, ", ") + "]"
		}
	}
	ours += " : " + kind
	number := len(d.own) == 0 && len(d.family) == 0
	switch {
	case d.value != "" && p.b.in == "generated quantities":
		diag.Suggest(p.span(0, len(p.t)), "track "+d.name+" = "+d.value)
	case d.value != "" && d.word != "data":
		diag.Suggest(p.span(0, len(p.t)), "let "+d.name+" = "+d.value)
	case number && d.word != "param" && p.b.isSize(d.name) &&
		(d.kind == "int" || d.kind == "count"):
		diag.Note("a size that the data tell is a dim").Suggest(span, "dim "+d.name)
	case d.word != "":
		diag.Suggest(span, d.word+" "+ours)
	case p.b.in != "":
		diag.Note("a value is named where it is computed: let " + d.name + " = …")
	default:
		diag.Note("write `data " + ours + "` for what is given, `param " + ours +
			"` for what is unknown")
	}
}

// isSize says that a name stands somewhere in square brackets after a name or a
// type, or behind `1:`, as a size does.
func (b *builder) isSize(name string) bool {
	return regexp.MustCompile(`(\[|1 ?: ?|, ?)` + regexp.QuoteMeta(name) +
		`\b`).MatchString(b.file.Text)
}

func (p *phrase) texts(i, j int) (out []string) {
	for _, part := range p.list(i, j) {
		if part[0] < part[1] {
			out = append(out, p.text(part[0], part[1]))
		}
	}
	return out
}

// closeAngle is the > that closes the < at i.
func (p *phrase) closeAngle(i int) int {
	depth := 0
	for j := i + 1; j < len(p.t); j++ {
		switch t := p.t[j]; {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			depth--
		case t.is(">") && depth == 0:
			return j
		case t.is(">="), t.is("~"), t.kind == tBlock:
			return -1
		}
	}
	return -1
}

// bounded is the type with the bounds between i and j.
func (p *phrase) bounded(kind string, i, j int) string {
	lower, upper := "", ""
	for _, part := range p.list(i, j) {
		if part[1]-part[0] < 3 || !p.at(part[0]+1).is("=") {
			continue
		}
		switch text := p.text(part[0]+2, part[1]); p.at(part[0]).text {
		case "lower":
			lower = text
		case "upper":
			upper = text
		}
	}
	whole := kind == "int"
	switch {
	case whole && lower == "0" && upper == "1":
		return "bool"
	case whole && lower == "1" && upper != "":
		return "index[" + upper + "] from 1"
	case whole && lower == "0" && strings.HasSuffix(upper, "- 1"):
		return "index[" + strings.TrimSpace(strings.TrimSuffix(upper, "- 1")) + "]"
	case whole && (lower == "0" || lower == "1"):
		return "count"
	case whole || lower == "" && upper == "" || kind != "real":
		return kind
	case lower == "0" && upper == "":
		return "positive"
	case lower == "0" && (upper == "1" || upper == "1.0"):
		return "unit"
	}
	if lower == "" {
		lower = "-inf"
	}
	if upper == "" {
		upper = "inf"
	}
	return "interval(" + lower + ", " + upper + ")"
}

// typeBounds is param s : real<lower=0>, param p : [0, 1], real in [0, 1], and param s > 0.
func (p *phrase) typeBounds() ([]token, bool) {
	if p.at(0).kind != tWord {
		return nil, false
	}
	if instead, known := p.compared(); known {
		return instead, known
	}
	for i := 2; i+3 < len(p.t); i++ {
		if open, ok := p.squareType(i); ok {
			end := p.close(open)
			if parts := p.list(open+1, end); len(parts) == 2 && parts[0][0] < parts[0][1] &&
				parts[1][0] < parts[1][1] {
				return p.retype(i, end+1,
						p.between(p.text(parts[0][0], parts[0][1]),
							p.text(parts[1][0], parts[1][1]))),
					true
			}
			return nil, false
		}
		if !p.t[i-1].is(":") || p.t[i].kind != tIdent || foreign.Declared[p.t[i].text] == "" ||
			!p.t[i+1].is("<") {
			continue
		}
		end := p.closeAngle(i + 1)
		if end < 0 {
			return nil, false
		}
		return p.retype(i, end+1, p.bounded(foreign.Declared[p.t[i].text], i+2, end)), true
	}
	return nil, false
}

// retype reports bounds, and reads our type in place of the tokens i up to j.
func (p *phrase) retype(i, j int, ours string) []token {
	span := p.span(i, j)
	text := ours
	if p.at(i).is(">") || p.at(i).is(">=") {
		text = ": " + ours
	}
	p.say("E0101", span, "bounds are part of the type, such as `positive`, `unit` or "+
		"`interval(a, b)`").Suggest(span, text)
	// What is read instead is scanned anew and put at the same place.
	s := &scanner{file: source.New("", text), text: text}
	s.scan()
	out := append([]token{}, p.t[:i]...)
	for _, t := range s.tokens {
		if t.kind != tEOF && t.kind != tNewline {
			t.start, t.end = span.Start, span.End
			out = append(out, t)
		}
	}
	return append(out, p.t[j:]...)
}

// squareType finds `[a, b]` as a type at i, or behind `real in`.
func (p *phrase) squareType(i int) (open int, ok bool) {
	switch {
	case !p.t[i-1].is(":"):
	case p.t[i].is("["):
		return i, p.close(i) > 0
	case p.t[i].kind == tIdent && foreign.Declared[p.t[i].text] != "" && p.t[i+1].is("in") &&
		p.t[i+2].is("["):
		return i + 2, p.close(i+2) > 0
	}
	return 0, false
}

// between is the type of the numbers between two ends.
func (p *phrase) between(lo, hi string) string {
	switch {
	case lo == "0" && (hi == "1" || hi == "1.0"):
		return "unit"
	case lo == "0" && hi == "inf":
		return "positive"
	}
	return "interval(" + lo + ", " + hi + ")"
}

// compared is param s > 0, without a type.
func (p *phrase) compared() ([]token, bool) {
	word := p.at(0).text
	if word != "param" && word != "data" && word != "local" || p.at(1).kind != tIdent {
		return nil, false
	}
	i := 2
	if p.at(i).is("[") {
		if i = p.close(i) + 1; i == 0 {
			return nil, false
		}
	}
	if !p.at(i).is(">") && !p.at(i).is(">=") || p.at(i+1).text != "0" ||
		i+2 < len(p.t) && !p.at(i+2).is("~") {
		return nil, false
	}
	return p.retype(i, i+2, "positive"), true
}
