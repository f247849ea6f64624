package parser

import (
	"errors"
	"slices"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// Parse reads a file. The tree is never nil and holds every statement that
// could be read; the list holds every syntax error, in the order of the text.
// No text makes it panic.
func Parse(f *source.File) (*ast.File, diag.List) {
	s := &scanner{file: f, text: f.Text}
	s.scan()
	sp := &splitter{tokens: s.tokens}
	top := sp.statements()
	b := &builder{file: f, blocks: sp.blocks, comments: s.comments, diags: s.diags,
		lost: map[string]bool{}}
	out := &ast.File{Source: f, Comments: s.comments}
	out.Stmts = b.statements(top, inFile)
	out.Doc = b.fileDoc(out.Stmts)
	for name := range b.lost {
		out.Lost = append(out.Lost, name)
	}
	slices.Sort(out.Lost)
	b.diags.Sort()
	return out, b.diags
}

// match runs the grammar over one statement; the second result is the place
// of the first token that does not fit, -1 when all do.
func match(st statement) (*gStmt, int) {
	if nesting(st.tokens) > maxChain {
		return nil, tooDeep
	}
	if g := readStatement(st.tokens); g != nil {
		return g, -1
	}
	return participate(st)
}

// participate is match by participle, which knows where a statement departs from the grammar.
func participate(st statement) (*gStmt, int) {
	peek, err := lexer.Upgrade(&feed{tokens: st.tokens})
	if err != nil {
		return nil, 0
	}
	g, err := grammar().ParseFromLexer(peek)
	if err == nil {
		return g, -1
	}
	offset := st.start()
	var at participle.Error
	if errors.As(err, &at) {
		offset = at.Position().Offset
	}
	for i, t := range st.tokens {
		if t.start >= offset {
			return nil, i
		}
	}
	return nil, len(st.tokens)
}

// maxChain bounds what nests without brackets: signs, powers, not, if.
const (
	maxChain = 500
	tooDeep  = -2
)

// nesting is the most of them that are inside each other. What stands between the commas of a
// bracket is not inside what stands before it there.
func nesting(tokens []token) int {
	n, most := 0, 0
	var open []int // how many were open where each bracket begins
	for i, t := range tokens {
		prefix := i > 0 && tokens[i-1].continues()
		switch {
		case t.is("^") || t.is("not") || t.is("if") || t.is("-") && prefix:
			n++
			most = max(most, n)
		case t.is("(") || t.is("["):
			open = append(open, n)
		case len(open) > 0 && t.is(","):
			n = open[len(open)-1]
		case len(open) > 0 && (t.is(")") || t.is("]")):
			n, open = open[len(open)-1], open[:len(open)-1]
		}
	}
	return most
}
