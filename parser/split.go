package parser

import (
	"slices"
	"strconv"
)

// A statement is the tokens of one statement, its blocks cut out.
type statement struct{ tokens []token }

func (s statement) start() int { return s.tokens[0].start }
func (s statement) end() int   { return s.tokens[len(s.tokens)-1].end }

// bad says that something in the statement is reported already.
func (s statement) bad() bool {
	for _, t := range s.tokens {
		if t.bad {
			return true
		}
	}
	return false
}

// A block is what stands between braces.
type block struct {
	statements []statement
	start, end int
}

// A splitter groups tokens into statements and blocks. It cannot fail: the
// scanner has reported every brace without a partner.
type splitter struct {
	tokens []token
	next   int
	blocks []block
}

// statements reads up to the closing brace of this block, or the end.
func (s *splitter) statements() []statement {
	var out []statement
	var line []token
	flush := func() {
		if len(line) > 0 {
			out = append(out, statement{markWord(line)})
			line = nil
		}
	}
	for {
		t := s.tokens[s.next]
		switch {
		case t.kind == tEOF, t.is("}"):
			flush()
			return out
		case t.kind == tNewline:
			s.next++
			flush()
		case t.is("{"):
			line = append(line, s.block())
			if ownsBlock(line) {
				flush()
			}
		default:
			s.next++
			line = append(line, t)
		}
	}
}

// block reads { … } and returns the token that stands for it.
func (s *splitter) block() token {
	open := s.tokens[s.next]
	s.next++
	inside := s.statements()
	end := s.tokens[s.next].start
	if s.tokens[s.next].is("}") {
		end = s.tokens[s.next].end
		s.next++
	}
	s.blocks = append(s.blocks, block{inside, open.start, end})
	id := len(s.blocks) - 1
	return token{kind: tBlock, text: strconv.Itoa(id), start: open.start, end: end, block: id,
		bad: open.bad}
}

// ownsBlock says that a statement ends with its block: for, fn, and layer and dist definitions.
func ownsBlock(line []token) bool {
	first := markWord(line)[0]
	if first.kind == tWord {
		return first.text == "fn" || first.text == "layer" || first.text == "dist"
	}
	return first.is("for")
}

// markWord turns a contextual word at the start of a statement and before a name into a tWord.
func markWord(line []token) []token {
	if len(line) < 2 || line[0].kind != tIdent || !words[line[0].text] {
		return line
	}
	second := line[1]
	switch {
	case second.kind == tIdent, second.kind == tNumber,
		second.kind == tKey && second.text != "and" && second.text != "or",
		second.is("(") && slices.Contains([]string{"let", "track", "generate"}, line[0].text):
		line[0].kind = tWord
	}
	if line[0].kind == tWord && line[0].text == "generate" && second.text == "let" && len(line) > 2 &&
		(line[2].kind == tIdent || line[2].is("(")) {
		line[1].kind = tWord
	}
	return line
}
