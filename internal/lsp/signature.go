package lsp

import (
	"slices"

	"github.com/sgppl/sgppl/parser"
)

// signature describes the call around a place, and which of its arguments is being typed.
func (a *analysis) signature(p position) any {
	before := a.before(a.lines.offset(p))
	depth, commas := 0, 0
	for i := len(before) - 1; i >= 1; i-- {
		switch before[i].Text {
		case ")", "]", "}":
			depth++
		case "[", "{":
			if depth == 0 {
				commas = 0
				continue
			}
			depth--
		case "(":
			if depth > 0 {
				depth--
				continue
			}
			if before[i-1].Class == parser.NameToken && !isDeclaration(before[:i-1]) {
				if s, ok := a.callee(before[:i]); ok {
					return signatureResult{[]signatureInfo{s}, 0,
						min(commas, max(0, len(s.Parameters)-1))}
				}
			}
			commas = 0 // a bracket of its own: the call may stand around it
		case ",":
			if depth == 0 {
				commas++
			}
		}
	}
	return nil
}

// isDeclaration says that a name follows fn, dist or layer: no call, but what is declared.
func isDeclaration(before []parser.Token) bool {
	n := len(before)
	return n > 0 && before[n-1].Class == parser.KeywordToken &&
		slices.Contains([]string{"fn", "dist"}, before[n-1].Text)
}

// callee is the function, distribution or layer whose name ends the tokens.
func (a *analysis) callee(tokens []parser.Token) (signatureInfo, bool) {
	n := len(tokens)
	name := tokens[n-1].Text
	afterTilde := n > 1 && tokens[n-2].Text == "~"
	e, ok := a.entry(name, afterTilde)
	switch {
	case n > 2 && tokens[n-2].Text == ".":
		d, isDist := a.entry(tokens[n-3].Text, true)
		if !isDist {
			return signatureInfo{}, false
		}
		e, ok = method(d, name), true
	case !ok:
		e, ok = a.entry(name, !afterTilde)
	}
	if !ok {
		return a.instance(name)
	}
	out := signatureInfo{Label: e.head, Parameters: []parameterInfo{}}
	if e.doc != "" {
		out.Doc = &markup{"markdown", e.doc}
	}
	for _, l := range e.labels {
		out.Parameters = append(out.Parameters, parameterInfo{l})
	}
	return out, true
}

// method is a property of a distribution as a function: the value first, then the arguments.
func method(d entry, name string) entry {
	out := entry{kind: function, name: name, doc: d.doc, labels: d.labels}
	if name != "sample" {
		out.labels = append([]string{"x"}, d.labels...)
	}
	out.head = d.name + "." + name + "("
	for i, l := range out.labels {
		if i > 0 {
			out.head += ", "
		}
		out.head += l
	}
	out.head += ")"
	return out
}

// instance is the apply of a layer that the file declares.
func (a *analysis) instance(name string) (signatureInfo, bool) {
	for _, s := range a.model.Symbols {
		if s.Name != name || s.Inst == nil || s.Inst.Def == nil || s.Inst.Def.Apply == nil {
			continue
		}
		out := signatureInfo{Label: name + "(", Parameters: []parameterInfo{}}
		for i, p := range s.Inst.Def.Apply.Params {
			label := p.Name + " : " + typeText(p.Type)
			if i > 0 {
				out.Label += ", "
			}
			out.Label += label
			out.Parameters = append(out.Parameters, parameterInfo{label})
		}
		out.Label += ")"
		return out, true
	}
	return signatureInfo{}, false
}
