package parser

import (
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A complaint is a statement with the place of its first token that does not
// fit: all that the rules need to say what is wrong in words.
type complaint struct {
	b     *builder
	st    statement
	at    int
	tok   token // a tNewline at the end of the statement
	prev  token // a tNewline at its start
	open  []int // the brackets open at the place, as indices of tokens
	first string
}

// explain reports the token of a statement that does not fit, by the first rule that knows it.
func (b *builder) explain(st statement, at int) {
	if at == tooDeep {
		b.add("E0117", stmtSpan(st),
			"signs, powers and `if` are nested too deep in this statement").Note(
			"name the inner parts with `let`")
		return
	}
	c := &complaint{b: b, st: st, at: at,
		tok: token{kind: tNewline, start: st.end(), end: st.end()}, prev: token{kind: tNewline}}
	if at < len(st.tokens) {
		c.tok = st.tokens[at]
	}
	if at > 0 {
		c.prev = st.tokens[at-1]
	}
	if t := st.tokens[0]; t.kind == tWord || t.kind == tKey {
		c.first = t.text
	}
	for i, t := range st.tokens[:min(at, len(st.tokens))] {
		switch {
		case t.is("("), t.is("["):
			c.open = append(c.open, i)
		case (t.is(")") || t.is("]")) && len(c.open) > 0:
			c.open = c.open[:len(c.open)-1]
		}
	}
	for _, rule := range rules {
		if rule(c) {
			return
		}
	}
}

// rules, the most particular first; the last always speaks.
var rules = []func(*complaint) bool{
	reservedName, stanBlock, wordless, unknownStart, operatorStart, chained, equalSign, letTilde,
	missingType, lateIf, lateFor, strategy, halfIf, loops, heads, ternary, callComma,
	missingValue, twoValues, unexpected,
}

func (c *complaint) span() source.Span { return source.Span{Start: c.tok.start, End: c.tok.end} }

func (c *complaint) say(code diag.Code, message string) *diag.Diagnostic {
	return c.b.add(code, c.span(), message)
}

// afterPrev is the empty place behind the last token that did fit.
func (c *complaint) afterPrev() source.Span {
	return source.Span{Start: c.prev.end, End: c.prev.end}
}

// found describes the token at the place.
func (c *complaint) found() string { return describe(c.tok) }

func describe(t token) string {
	switch t.kind {
	case tNewline:
		return "the end of the statement"
	case tBlock:
		return "a block `{ … }`"
	case tNumber:
		return "the number `" + t.text + "`"
	case tKey, tWord:
		return "the word `" + t.text + "`"
	}
	return "`" + t.text + "`"
}

func (t token) endsValue() bool {
	switch t.kind {
	case tIdent, tNumber, tBlock:
		return true
	}
	return !t.continues() && t.kind != tNewline && t.kind != tWord && !t.is("?")
}

func (t token) beginsValue() bool {
	switch t.kind {
	case tIdent, tNumber, tWord:
		return true
	}
	return t.is("(") || t.is("[") || t.is("true") || t.is("false") || t.is("inf") || t.is("if") ||
		t.is("not") || t.is("scan")
}

var comparisons = map[string]bool{"==": true, "!=": true, "<": true, "<=": true,
	">": true, ">=": true}

// back walks back over the tokens of the same bracket level.
func (c *complaint) back(visit func(i int, t token) bool) {
	depth := 0
	for i := c.at - 1; i >= 0; i-- {
		t := c.st.tokens[i]
		switch {
		case t.is(")"), t.is("]"):
			depth++
		case t.is("("), t.is("["):
			if depth--; depth < 0 {
				return
			}
		}
		if depth == 0 && !visit(i, t) {
			return
		}
	}
}

// seen reports whether a token stands before the place on the same bracket level.
func (c *complaint) seen(texts ...string) bool {
	yes := false
	c.back(func(_ int, t token) bool {
		for _, text := range texts {
			yes = yes || t.text == text
		}
		return !yes
	})
	return yes
}

// opener is the innermost open bracket, "" outside all.
func (c *complaint) opener() string {
	if len(c.open) == 0 {
		return ""
	}
	return c.st.tokens[c.open[len(c.open)-1]].text
}

func reservedName(c *complaint) bool {
	if c.tok.kind != tKey {
		return false
	}
	declares := map[string]bool{"dim": true, "const": true, "data": true, "param": true,
		"local": true, "let": true, "track": true, "generate": true,
		"fn": true, "layer": true, "dist": true, "use": true}[c.first] &&
		c.st.tokens[0].kind == tWord
	name := c.at == 1 && declares ||
		c.prev.is(".") || c.prev.is("for") || c.prev.is("scan") ||
		declares && c.prev.is(",") && len(c.open) == 0 ||
		len(c.open) == 1 && c.open[0] <= 2 &&
			(c.first == "fn" || c.first == "dist" || c.first == "layer") &&
			(c.prev.is("(") || c.prev.is(",")) && c.next().is(":")
	if !name {
		return false
	}
	c.say("E0105", "`"+c.tok.text+"` is a reserved word and cannot be a name").
		Note("reserved are: for in if then else and or not true false inf scan factor")
	return true
}

func (c *complaint) next() token {
	if c.at+1 < len(c.st.tokens) {
		return c.st.tokens[c.at+1]
	}
	return token{kind: tNewline}
}

// stanBlock knows sections such as `parameters { … }`.
func stanBlock(c *complaint) bool {
	if c.tok.kind != tBlock || c.prev.kind != tIdent || c.at > 2 || c.st.tokens[0].kind != tIdent {
		return false
	}
	name := c.st.tokens[0]
	c.b.add("E0101", source.Span{Start: name.start, End: c.prev.end}, "a model has no sections").
		Note("each declaration begins with its own word: `data x : real`, `param w : real ~ " +
			"normal(0, 1)`, `let e = …`")
	return true
}

// wordless knows a declaration without its word: mu : real.
func wordless(c *complaint) bool {
	if c.st.tokens[0].kind != tIdent || !c.tok.is(":") || len(c.open) > 0 || c.seen("~") ||
		c.seen("=") {
		return false
	}
	end := c.st.tokens[c.at-1].end
	if c.at != 1 && !(c.prev.is("]") && c.st.tokens[1].is("[")) {
		return false
	}
	start := source.Span{Start: c.st.start(), End: c.st.start()}
	name := source.Span{Start: c.st.start(), End: end}
	switch {
	case c.rest("~"):
		c.b.add("E0101", name,
			"a declaration begins with its word: `param` for what is unknown").Suggest(start,
			"param ")
	default:
		c.b.add("E0101", name,
			"a declaration begins with its word: `data` for what is given, `param` for what is unknown")
	}
	return true
}

// rest says that a token stands behind the place.
func (c *complaint) rest(text string) bool {
	for _, t := range c.st.tokens[min(c.at, len(c.st.tokens)):] {
		if t.text == text {
			return true
		}
	}
	return false
}

// unknownStart knows `real x`, `pram w : real` and two statements on a line.
func unknownStart(c *complaint) bool {
	start := c.st.tokens[0]
	if start.kind != tIdent || len(c.open) > 0 || c.tok.kind != tIdent && c.tok.kind != tKey {
		return false
	}
	span := source.Span{Start: start.start, End: start.end}
	if t := foreign.Declared[start.text]; t != "" && c.tok.kind == tIdent {
		c.b.add("E0101", span,
			"a declaration begins with what the name is, and its type follows a colon").
			Note("write `data " + c.tok.text + " : " + t + "` for what is given, `param " +
				c.tok.text + " : " + t +
				"` for what is unknown; sizes stand in brackets behind the name or the type")
		return true
	}
	if c.at != 1 {
		return false
	}
	d := c.b.add("E0101", span, "no statement begins with `"+start.text+"` and a name")
	if c.rest("~") && !c.rest(":") &&
		!words[spelling.Nearest(start.text, []string{"param", "data", "local"})] {
		d.Note("a distribution follows the name alone: "+c.tok.text+
			" ~ …").Suggest(source.Span{Start: start.start, End: c.tok.start}, "")
		return true
	}
	known := make([]string, 0, len(words))
	for w := range words {
		known = append(known, w)
	}
	if ours := foreign.Words[strings.ToLower(start.text)]; ours != "" {
		d.Note("here it is `"+ours+"`").Suggest(span, ours)
	} else if best := spelling.Nearest(start.text, append(known, "for", "factor")); best != "" {
		d.Note("did you mean `"+best+"`?").Suggest(span, best)
	} else {
		d.Note("statements begin with dim, const, data, param, local, let, track, fn, layer, " +
			"dist, use, factor, for, or with a name before `~`")
	}
	return true
}

// operatorStart knows a line that goes on from the one above.
func operatorStart(c *complaint) bool {
	if c.at != 0 {
		return false
	}
	switch {
	case c.tok.is("then"), c.tok.is("else"), c.tok.is("in"), c.tok.is("and"), c.tok.is("or"),
		c.tok.kind == tOp && c.tok.text != "?" && !c.tok.is("."):
		c.say("E0121", "no statement begins with `"+c.tok.text+"`").
			Note("if it goes on from the line above, break that line after an operator, or put " +
				"it in parentheses")
		return true
	case c.tok.kind == tBlock:
		c.say("E0101", "a block belongs to a `for`, `fn`, `scan`, `layer` or `dist`; this one "+
			"stands alone")
		return true
	}
	return false
}

func chained(c *complaint) bool {
	if !comparisons[c.tok.text] {
		return false
	}
	found := false
	c.back(func(_ int, t token) bool {
		if t.kind == tOp && comparisons[t.text] {
			found = true
		}
		return !found && !t.is(",") && !t.is("and") && !t.is("or") && !t.is("then") &&
			!t.is("else") && !t.is("if") && !t.is("=") && !t.is("~")
	})
	if !found {
		return false
	}
	c.say("E0108", "comparisons do not chain").Note("join two with `and`: a < b and b < c")
	return true
}

// equalSign knows = for ==, and the other way round.
func equalSign(c *complaint) bool {
	switch {
	case c.tok.is("==") && (c.first == "let" || c.first == "track" || c.first == "generate" ||
		c.first == "dim" ||
		c.first == "const" || c.first == "layer") && !c.seen("="):
		c.say("E0101", "`==` compares; a value follows `=`").Suggest(c.span(), "=")
	case c.tok.is("=") && c.seen("if"), c.tok.is("=") && len(c.open) > 0 &&
		!(c.first == "fn" || c.first == "dist"):
		c.say("E0101", "`=` stands between a name and its value; a comparison is `==`").Suggest(
			c.span(),
			"==")
	case c.tok.is("=") && c.first == "check":
		c.say("E0101", "`=` stands between a name and its value; a comparison is `==`").Suggest(
			c.span(),
			"==")
	case c.tok.is("=") && c.seen("~"):
		c.say("E0113", "an unknown has a prior after `~` and no value after `=`")
	case c.tok.is("~") && c.seen("="):
		c.say("E0101", "a value follows `=`, and a distribution follows `~`; a name has one of "+
			"the two here")
	default:
		return false
	}
	return true
}

func letTilde(c *complaint) bool {
	if c.first != "let" && c.first != "track" && c.first != "generate" {
		return false
	}
	switch {
	case c.tok.is("~") && len(c.open) == 0:
		c.say("E0101", "a `"+c.first+
			"` names a value after `=`; an unknown with a distribution is a `param`, or a "+
			"`local` in a plate")
	case c.tok.is("[") && c.at == 2:
		c.say("E0101", "a `let` names a whole value, so no sizes or entries follow the name").Note(
			"an array is made as: let x = [e for n in N]")
	case c.tok.is("(") && c.at == 2:
		c.say("E0101", "a `let` names a value; a function is written: fn f(x : real) -> real { … }")
	case c.tok.is(":") && len(c.open) == 0 && !c.seen("="):
		c.say("E0101", "a `let` has no type: it is that of its value")
	case c.at == 2 && !c.tok.is("="):
		d := c.say("E0101", "a `"+c.first+"` needs `=` and a value after its name, and here is "+
			c.found())
		if c.tok.beginsValue() {
			d.Suggest(c.afterPrev(), " =")
		}
	default:
		return false
	}
	return true
}

// missingType knows declarations in which no colon follows the names.
func missingType(c *complaint) bool {
	if c.first != "data" && c.first != "param" && c.first != "local" || len(c.open) > 0 ||
		!c.prev.endsValue() {
		return false
	}
	typed, name := false, ""
	c.back(func(_ int, t token) bool {
		typed = typed || t.is(":") || t.is("~") || t.is("=")
		if name == "" && t.kind == tIdent {
			name = t.text
		}
		return !typed
	})
	if typed || c.tok.is("(") {
		return false
	}
	switch {
	case c.tok.kind == tIdent:
		c.say("E0112", "a `:` is missing between the name and its type").Suggest(c.afterPrev(),
			" :")
	case c.tok.is("=") && c.first != "data":
		c.b.add("E0112", c.nameSpan(name),
			"`"+name+"` needs a type, and its distribution follows `~`").Note("for example: "+
			c.first+" "+name+" : real ~ normal(0, 1)").
			Suggest(source.Span{Start: c.prev.end, End: c.tok.end}, " : real ~")
	case c.tok.is("="), c.tok.is("~"), c.tok.kind == tNewline:
		c.b.add("E0112", c.nameSpan(name),
			"`"+name+"` needs a type").Note("for example: "+c.first+" "+name+
			" : real").Suggest(c.afterPrev(), " : real")
	default:
		return false
	}
	return true
}

// nameSpan finds the last token with a text before the place.
func (c *complaint) nameSpan(name string) source.Span {
	for i := c.at - 1; i >= 0; i-- {
		if t := c.st.tokens[i]; t.text == name {
			return source.Span{Start: t.start, End: t.end}
		}
	}
	return c.span()
}
