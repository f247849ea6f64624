package parser

import (
	"sort"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// A builder turns what the grammar matched into lang/ast.
type builder struct {
	file     *source.File
	blocks   []block
	comments []ast.Comment
	diags    diag.List
	tokens   []token // of the statement at hand, for exact ends
	in       string  // the section of another language around, such as "parameters"
	values   int     // above 0 in the block of a fn or scan
	lost     map[string]bool
}

// A setting is where a statement stands; it decides which statements may.
type setting int

const (
	inFile setting = iota
	inPlate
	inLayer
)

func (b *builder) add(code diag.Code, span source.Span, message string) *diag.Diagnostic {
	return b.diags.Add(&diag.Diagnostic{Code: code, Message: message, File: b.file, Span: span})
}

// span gives a matched piece its exact text: participle knows where the next
// token starts, so the end is that of the last token before it.
func (b *builder) span(p place) source.Span {
	start, limit := p.Pos.Offset, p.EndPos.Offset
	i := sort.Search(len(b.tokens), func(i int) bool { return b.tokens[i].start >= limit })
	if i == 0 {
		return source.Span{Start: start, End: start}
	}
	return source.Span{Start: start, End: max(start, b.tokens[i-1].end)}
}

// read matches one statement and reports what is wrong with it.
func (b *builder) read(st statement) *gStmt {
	told := len(b.diags)
	instead, readable := b.foreign(st)
	if !readable || instead.bad() {
		b.lose(st)
		b.inside(st)
		return nil
	}
	g, at := match(instead)
	if at == -1 {
		return g
	}
	if len(b.diags) == told { // one mistake is told once
		b.explain(st, at)
	}
	b.lose(st)
	b.inside(st)
	return nil
}

// lose notes the names of a statement that is not in the tree: that one of
// them is not declared, or has no prior, is not a further mistake.
func (b *builder) lose(st statement) {
	for _, t := range st.tokens {
		switch t.kind {
		case tIdent:
			b.lost[t.text] = true
		case tBlock:
			for _, s := range b.blocks[t.block].statements {
				b.lose(s)
			}
		}
	}
}

// inside reads the blocks of a statement that could not be read itself, so that their errors show
// too.
func (b *builder) inside(st statement) {
	for _, t := range st.tokens {
		if t.kind != tBlock {
			continue
		}
		for _, s := range b.blocks[t.block].statements {
			b.read(s)
		}
	}
}

// statements builds those of a file, a plate or a layer.
func (b *builder) statements(list []statement, where setting) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range list {
		if inner, name := b.section(st); name != "" {
			outer := b.in
			b.in = name
			out = append(out, b.statements(inner, where)...)
			b.in = outer
			continue
		}
		g := b.read(st)
		if g == nil {
			continue
		}
		outer := b.tokens
		b.tokens = st.tokens
		if s := b.stmt(g, st, where); s != nil {
			out = append(out, s)
		} else {
			b.lose(st)
		}
		b.tokens = outer
	}
	return out
}

// block builds the lets and the last line of a fn or a scan.
func (b *builder) block(id string, of string) *ast.Block {
	blk := b.blockOf(id)
	out := &ast.Block{Span: source.Span{Start: blk.start, End: blk.end}}
	outer := b.tokens
	b.values++
	defer func() { b.tokens = outer; b.values-- }()
	broken := false
	for i, st := range blk.statements {
		g := b.read(st)
		if g == nil {
			broken = true
			continue
		}
		b.tokens = st.tokens
		last := i == len(blk.statements)-1
		switch {
		case g.Let != nil:
			out.Lets = append(out.Lets, b.let(g.Let, st, false))
			if last {
				b.add("E0115", stmtSpan(st), "the last line of a "+of+" is its value, not a `let`").
					Note("end the block with a line that is an expression")
			}
		case g.Line != nil && g.Line.Tilde == nil && g.Line.Equal == nil:
			value := b.expr(g.Line.Left)
			if last {
				out.Result = value
				break
			}
			d := b.add("E0109", stmtSpan(st),
				"only the last line of a "+of+" is a value; this one does nothing")
			d.Note("name it with `let`, or remove it")
		case g.Line != nil && g.Line.Equal != nil:
			b.assignment(g.Line, st)
			b.lose(st)
			broken = true
		default:
			b.add("E0114", firstToken(st),
				"a "+of+" holds `let`s and one last line, its value; "+what(g)+
					" cannot stand in it")
			b.lose(st)
			broken = true
		}
	}
	if len(blk.statements) == 0 && !broken {
		b.add("E0115", out.Span, "this "+of+" has no value: its last line is what it returns")
	}
	return out
}

func (b *builder) blockOf(id string) block {
	n := 0
	for _, c := range []byte(id) {
		n = 10*n + int(c-'0')
	}
	return b.blocks[n]
}

func stmtSpan(st statement) source.Span { return source.Span{Start: st.start(), End: st.end()} }

func firstToken(st statement) source.Span {
	return source.Span{Start: st.start(), End: st.tokens[0].end}
}

func (b *builder) ident(g *gIdent) ast.Ident {
	if g == nil {
		return ast.Ident{}
	}
	return ast.Ident{Span: source.Span{Start: g.Pos.Offset, End: g.Pos.Offset + len(g.Name)},
		Name: g.Name}
}

// doc is the run of comment lines directly above an offset; its /// lines, without slashes.
func (b *builder) doc(offset int) string {
	text, _ := b.docAbove(offset)
	return text
}

// docAbove also returns the index of the first comment of the run, -1 without one.
func (b *builder) docAbove(offset int) (string, int) {
	i := sort.Search(len(b.comments), func(i int) bool { return b.comments[i].Start >= offset })
	var lines []string
	first, below := -1, offset
	for i--; i >= 0; i-- {
		c := b.comments[i]
		between := b.file.Text[c.End:below]
		if strings.Count(between, "\n") != 1 || strings.TrimSpace(between) != "" || !b.ownLine(c) {
			break
		}
		first, below = i, c.Start
		if text, ok := strings.CutPrefix(c.Text, "///"); ok {
			lines = append(lines, strings.TrimPrefix(text, " "))
		}
	}
	for l, r := 0, len(lines)-1; l < r; l, r = l+1, r-1 {
		lines[l], lines[r] = lines[r], lines[l]
	}
	return strings.Join(lines, "\n"), first
}

// ownLine says that only space stands before the comment on its line.
func (b *builder) ownLine(c ast.Comment) bool {
	before := b.file.Text[:c.Start]
	before = strings.TrimPrefix(before[strings.LastIndexByte(before, '\n')+1:], "\ufeff")
	return strings.TrimSpace(before) == ""
}

// fileDoc is the first /// block above all statements: the file's own when a
// blank line follows it, or when what follows is not a definition that the block
// would document. A declaration that follows directly gives its doc up to the file.
func (b *builder) fileDoc(stmts []ast.Stmt) string {
	var lines []string
	end := -1
	for _, c := range b.comments {
		if len(stmts) > 0 && c.Start > stmts[0].Pos().Start {
			break
		}
		if end >= 0 && strings.Count(b.file.Text[end:c.Start], "\n") != 1 {
			if len(lines) > 0 {
				break
			}
			lines = nil
		}
		if text, ok := strings.CutPrefix(c.Text, "///"); ok {
			lines = append(lines, strings.TrimPrefix(text, " "))
		}
		end = c.End
	}
	if len(lines) == 0 || !b.ownLine(b.comments[0]) {
		return ""
	}
	if len(stmts) > 0 && strings.Count(b.file.Text[end:stmts[0].Pos().Start], "\n") == 1 {
		switch s := stmts[0].(type) {
		case *ast.Fn, *ast.LayerDef, *ast.Dist:
			return ""
		case *ast.Dim:
			s.Doc = ""
		case *ast.Const:
			s.Doc = ""
		case *ast.Data:
			s.Doc = ""
		case *ast.ParamDecl:
			s.Doc = ""
		case *ast.Let:
			s.Doc = ""
		case *ast.LayerUse:
			s.Doc = ""
		}
	}
	return strings.Join(lines, "\n")
}
