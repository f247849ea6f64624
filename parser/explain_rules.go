package parser

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
)

// halfIf knows an `if` that lacks its `then` or `else`, or stands as an operand.
func halfIf(c *complaint) bool {
	if (c.tok.is("if") || c.tok.is("not") || c.tok.is("scan")) && c.prev.kind == tOp &&
		c.prev.continues() {
		if c.tok.is("if") || c.tok.is("not") {
			c.say("E0111", "`"+c.tok.text+"` binds more loosely than `"+c.prev.text+
				"`: as an operand it stands in parentheses")
			return true
		}
	}
	if !c.prev.endsValue() {
		return false
	}
	need, at := "", 0
	depth := 0
	c.back(func(i int, t token) bool {
		switch {
		case t.is("else"):
			depth++
		case t.is("then") && depth == 0 && need == "":
			need = "else"
		case t.is("if"):
			if depth > 0 {
				depth--
				return true
			}
			if need == "" {
				need = "then"
			}
			at = i
			return false
		}
		return true
	})
	if need == "" || c.st.tokens[at].text != "if" {
		return false
	}
	if c.tok.kind == tBlock {
		d := c.say("E0111", "`if` chooses between values: if c then a else b; it has no blocks")
		if c.st.tokens[0].is("if") {
			d.Note("a choice between terms is one: factor if c then a else b")
		} else if other := c.at + 2; other < len(c.st.tokens) && c.next().is("else") &&
			c.st.tokens[other].kind == tBlock {
			d.Suggest(c.span(),
				"then "+c.inner(c.tok)).Suggest(source.Span{Start: c.st.tokens[other].start,
				End: c.st.tokens[other].end}, c.inner(c.st.tokens[other]))
			for _, t := range []token{c.tok, c.st.tokens[other]} {
				c.b.blocks[t.block].statements = nil // what is in them is not a statement
			}
		}
		return true
	}
	iff := c.st.tokens[at]
	message := "`then` is missing: an `if` is written `if c then a else b`"
	if need == "else" {
		message = "`else` is missing: an `if` is a value, so it has both branches"
	}
	c.say("E0111", message).NoteAt(c.b.file, source.Span{Start: iff.start, End: iff.end},
		"the `if` begins here")
	return true
}

// loops knows mistakes in `for` and `scan`.
func loops(c *complaint) bool {
	inBind := false
	c.back(func(_ int, t token) bool {
		if t.is("for") || t.is("scan") {
			inBind = true
		}
		return !inBind
	})
	switch {
	case c.prev.is("scan") && c.tok.is("("):
		c.say("E0101", "`scan` is no function: scan t in T from h = h0 { … }, with the next h on "+
			"the last line")
	case c.prev.is("for") && c.tok.is("("):
		c.say("E0101", "no parentheses follow `"+c.prev.text+"`: for n in N { … }")
	case c.prev.is("for"), c.prev.is("scan"):
		c.say("E0101", "the name of an index follows `"+c.prev.text+"`, and here is "+c.found())
	case inBind && c.prev.kind == tIdent && c.at >= 2 &&
		(c.before(2).is("for") || c.before(2).is("scan")):
		d := c.say("E0101", "`in` and a size follow the index: "+c.before(2).text+" "+c.prev.text+
			" in N")
		if c.tok.is("=") {
			d.Suggest(c.span(), "in")
		} else if c.tok.beginsValue() {
			d.Suggest(c.afterPrev(), " in")
		}
	case inBind && (c.prev.is(":") && !c.tok.beginsValue() && !c.tok.is("-") ||
		c.prev.is("in") && c.tok.is(":")):
		c.say("E0101", "a range has two ends: 1:T")
	case c.first == "for" && len(c.open) == 0 && c.prev.endsValue() &&
		c.st.tokens[0].kind == tKey && !c.st.has(tBlock):
		c.say("E0101", "the body of a `for` stands in braces: for n in N { … }, and here is "+
			c.found())
	case inBind && c.prev.endsValue() && c.seen("scan") && !c.seen("from"):
		c.say("E0101", "`from` and the start are missing: scan t in 1:T from h = h0 { … }")
	case inBind && c.seen("scan") && c.prev.endsValue() && c.tok.kind != tBlock:
		c.say("E0101", "the body of a `scan` stands in braces: scan t in 1:T from h = h0 { … }, "+
			"and here is "+c.found())
	case inBind && c.seen("scan") && (c.prev.text == "from" || c.before(2).text == "from"):
		c.say("E0101", "after `from` stand the carried names with their starts: from h = h0, or "+
			"from (a = a0, b = b0)")
	default:
		return false
	}
	return true
}

func (c *complaint) before(n int) token {
	if c.at-n >= 0 {
		return c.st.tokens[c.at-n]
	}
	return token{kind: tNewline}
}

func (s statement) has(kind tokenKind) bool {
	for _, t := range s.tokens {
		if t.kind == kind {
			return true
		}
	}
	return false
}

// heads knows mistakes in the heads of fn, dist, layer, use and dim.
func heads(c *complaint) bool {
	if c.st.tokens[0].kind != tWord {
		return false
	}
	form := map[string]string{
		"fn":    "fn f(x : real) -> real { … }",
		"dist":  "dist name(s : positive) on positive { … }",
		"layer": "layer l = Dense(n, m), or layer Dense(n_in, n_out) { … }",
		"use":   "use nn",
		"dim":   "dim N, K = 20, T(N)",
		"const": "const H = 100",
	}[c.first]
	switch {
	case form == "" || len(c.open) > 0:
		return false
	case c.first == "fn" && c.prev.is(")") && !c.seen("->"):
		d := c.say("E0101", "a `fn` says what it returns: `->` and a type are missing before "+
			c.found())
		if c.tok.is(":") {
			d.Suggest(c.span(), "->")
		} else {
			d.Suggest(c.afterPrev(), " -> real")
		}
	case c.first == "fn" && c.seen("->") && c.prev.endsValue():
		c.say("E0101", "the body of a `fn` stands in braces, and here is "+
			c.found()).Note("the form is: " + form)
	case c.first == "dist" && c.prev.is(")") && !c.seen("on"):
		c.say("E0101",
			"a `dist` says what it is a distribution on: `on` and a type are missing before "+
				c.found()).Suggest(c.afterPrev(), " on real")
	case c.first == "layer" && c.prev.is(")") && c.seen("="):
		c.say("E0101", "after a layer stands a comma or the end of the statement, and here is "+
			c.found()).Suggest(c.afterPrev(), ",")
	case (c.first == "dim" || c.first == "const") && c.tok.is(":"):
		c.say("E0101", "a `"+c.first+"` is a size and has no type").Note("the form is: " + form)
	case (c.first == "dim" || c.first == "const") && c.tok.is("["):
		c.say("E0101", "a `"+c.first+"` is one number; a size for every n is ragged: dim T(N)")
	default:
		c.say("E0101", "this does not fit: "+c.found()+" in a `"+c.first+"`").Note("the form is: " +
			form)
	}
	return true
}

// inner is the text of a block without its braces.
func (c *complaint) inner(t token) string {
	return strings.TrimSpace(strings.Trim(c.b.text(source.Span{Start: t.start, End: t.end}), "{}"))
}

// begins is the start of the value that ends before the place: behind the last
// comma, bracket or sign that no value goes across.
func (c *complaint) begins() int {
	start := c.st.start()
	first := len(c.st.tokens)
	c.back(func(i int, t token) bool {
		if t.is("=") || t.is("~") || t.is(",") || t.is(":") || t.is("then") || t.is("else") ||
			t.kind == tWord || t.is("factor") {
			return false
		}
		first = i
		return true
	})
	if first < len(c.st.tokens) {
		start = c.st.tokens[first].start
	}
	return start
}

// ahead is the first token with a text behind the place on its bracket level, -1 without.
func (c *complaint) ahead(text string) int {
	depth := 0
	for i := c.at + 1; i < len(c.st.tokens); i++ {
		switch t := c.st.tokens[i]; {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			if depth--; depth < 0 {
				return -1
			}
		case depth == 0 && t.is(text):
			return i
		}
	}
	return -1
}

// ternary knows c ? a : b.
func ternary(c *complaint) bool {
	if !c.tok.is("?") {
		return false
	}
	colon := c.ahead(":")
	if colon < 0 {
		c.say("E0101", "`?` follows a type whose entries may be missing: data x : real?").Note(
			"a choice is written: if c then a else b")
		return true
	}
	start, other := c.begins(), c.st.tokens[colon]
	c.say("E0111", "a choice is written: if c then a else b").
		Suggest(source.Span{Start: start, End: start}, "if ").
		Suggest(c.span(), "then").
		Suggest(source.Span{Start: other.start, End: other.end}, "else")
	return true
}

// lateIf knows Python's a if c else b.
func lateIf(c *complaint) bool {
	if !c.tok.is("if") || !c.prev.endsValue() {
		return false
	}
	other := c.ahead("else")
	if other < 0 && len(c.open) > 0 && c.seen("for") {
		c.say("E0101", "a comprehension takes every index; a choice is made in its entries: if c "+
			"then a else b")
		return true
	}
	if other < 0 || c.ahead("then") >= 0 {
		return false
	}
	start := c.begins()
	first := c.b.text(source.Span{Start: start, End: c.prev.end})
	cond := c.b.text(source.Span{Start: c.tok.end, End: c.st.tokens[other-1].end})
	c.say("E0111", "the condition comes first: if c then a else b").
		Suggest(source.Span{Start: start, End: c.st.tokens[other-1].end}, "if"+cond+" then "+first)
	return true
}

// strategy knows a `by` without the name of one.
func strategy(c *complaint) bool {
	if c.prev.text != "by" || c.prev.kind != tIdent || c.first != "param" && c.first != "local" ||
		len(c.open) > 0 {
		return false
	}
	c.say("E0101", "the name of a strategy follows `by`, and here is "+c.found()).
		Note("of a local: marginal, gibbs, collapse, gmc; of a simplex: ilr, sphere, expanded_mean")
	return true
}

// lateFor knows y[n] ~ d(…) for n in N.
func lateFor(c *complaint) bool {
	if !c.tok.is("for") || len(c.open) > 0 || !c.prev.endsValue() || c.st.tokens[0].kind == tWord ||
		!c.seen("~") {
		return false
	}
	d := c.say("E0101", "the plate comes before its statements: for n in N { … }")
	if end := c.st.end(); end > c.tok.end {
		whole := source.Span{Start: c.st.start(), End: end}
		d.Suggest(whole, c.b.text(source.Span{Start: c.tok.start, End: end})+" { "+
			c.b.text(source.Span{Start: c.st.start(), End: c.prev.end})+" }")
	}
	return true
}

// callComma knows a comma too many before a bracket.
func callComma(c *complaint) bool {
	if !c.prev.is(",") || !c.tok.is(")") && !c.tok.is("]") {
		return false
	}
	comma := source.Span{Start: c.prev.start, End: c.prev.end}
	c.b.add("E0101", comma, "no comma stands before `"+c.tok.text+"`").Suggest(comma, "")
	return true
}

// missingValue knows an operator, a comma or an opening bracket after which nothing fitting stands.
func missingValue(c *complaint) bool {
	if c.prev.endsValue() || c.prev.kind == tNewline {
		return false
	}
	need := "a value"
	switch {
	case c.prev.is("~"):
		need = "a distribution, such as `normal(0, 1)`,"
	case c.prev.is(":") && (c.first == "data" || c.first == "param" || c.first == "local" ||
		c.first == "fn" || c.first == "dist") && c.opener() != "[":
		need = "a type, such as `real` or `positive`,"
	case c.prev.is("->"):
		need = "a type, such as `real`,"
	case c.prev.is("."):
		need = "a name"
	case c.prev.kind == tWord:
		need = "a name"
	case c.prev.is(",") && len(c.open) == 0:
		need = "a further name"
	}
	if c.prev.is(":") && c.tok.kind == tBlock && need != "a value" {
		c.b.blocks[c.tok.block].statements = nil
		c.say("E0101", "a type is expected after `:`, and not its values: `bool` has 0 and 1, "+
			"index[K] has 0 to K - 1")
		return true
	}
	if c.tok.kind == tNewline {
		c.b.add("E0101", c.afterPrev(), need+" is missing after `"+c.prev.text+"`")
		return true
	}
	c.say("E0101", need+" is expected after `"+c.prev.text+"`, and here is "+c.found())
	return true
}

// twoValues knows two values side by side.
func twoValues(c *complaint) bool {
	if !c.prev.endsValue() || !c.tok.beginsValue() {
		return false
	}
	switch c.opener() {
	case "(":
		c.say("E0101", "an operator, a comma or `)` is missing between `"+c.shown(c.prev)+"` and "+
			c.found())
	case "[":
		c.say("E0101", "an operator, a comma or `]` is missing between `"+c.shown(c.prev)+"` and "+
			c.found())
	default:
		d := c.say("E0101", "an operator or the end of the line is missing between `"+
			c.shown(c.prev)+"` and "+c.found())
		d.Note("a statement ends with its line; two do not stand on one")
		if words[c.tok.text] || c.tok.is("factor") || c.tok.is("for") {
			d.Suggest(source.Span{Start: c.prev.end, End: c.tok.start}, "\n")
		}
	}
	return true
}

func (c *complaint) shown(t token) string {
	if t.kind == tBlock {
		return "}"
	}
	return t.text
}

func unexpected(c *complaint) bool {
	switch {
	case len(c.open) > 0 && c.open[len(c.open)-1] > 0 &&
		isCut(c.st.tokens[c.open[len(c.open)-1]-1].text):
		word := c.st.tokens[c.open[len(c.open)-1]-1].text
		c.say("E0101", "`"+word+"` has two ends, and here is "+
			c.found()).Note("an end may be infinite: " + word + "(0, inf)")
	case c.tok.is(":") && c.opener() == "[" && c.seen(":"):
		c.say("E0101", "a slice has two ends and no step").Note("every second entry is a " +
			"comprehension: [x[2 * i] for i in N]")
	case c.tok.is(":") && c.prev.endsValue() && c.opener() != "[":
		c.say("E0101", "`:` does not fit here").Note("a range such as 1:T stands in a subscript " +
			"or after `in`, a type behind a declared name")
	case c.tok.is("~") && c.seen("~"):
		c.say("E0101", "a second `~` stands in this statement; each statement has one distribution")
	case c.tok.kind == tNewline && len(c.open) > 0:
		c.say("E0101", "`"+closers[c.opener()]+"` is missing at the end of the statement")
	case c.tok.kind == tNewline:
		c.b.add("E0101", c.afterPrev(), "the statement breaks off here")
	case c.tok.kind == tBlock:
		c.say("E0101", "no block can stand here").Note("braces follow `for`, `fn`, `scan`, and " +
			"the definitions of `layer` and `dist`")
	case len(c.open) > 0:
		c.say("E0101", c.found()+" does not fit here: an operator, a comma or `"+
			closers[c.opener()]+"` is expected")
	default:
		c.say("E0101", c.found()+
			" does not fit here: an operator or the end of the statement is expected")
	}
	return true
}

func isCut(word string) bool { return word == "truncated" || word == "censored" }
