package ast

import (
	"strings"
	"unicode/utf8"
)

const (
	maxWidth = 100 // a block in braces stays on one line up to here
	// trailing comments begin here, or four spaces behind the longest line of their run
	commentColumn = 48
)

// Print writes a file in the one layout: two spaces inside braces, one around
// operators (none around ^ and :), at most one blank line, line breaks where the
// author put them after an operator or a comma. It keeps every comment, and
// printing what it printed changes nothing.
func Print(f *File) string {
	p := &printer{comments: f.Comments}
	if f.Source != nil {
		p.text = f.Source.Text
	} else {
		p.doc(f.Doc)
	}
	p.stmts(f.Stmts, 0, len(p.text))
	return p.result()
}

// A line of the result.
type line struct{ code, comment string }

type printer struct {
	text     string    // the source, for line breaks; empty for a tree without one
	comments []Comment // those still to be printed
	lines    []line
	cur      strings.Builder
	indent   int      // spaces before a statement
	cont     []margin // of the open brackets
	// where the value of the statement begins, 0 without: outside brackets lines go on there
	start int
	flat  bool // the current block is tried on one line
}

// A margin is where the lines in a bracket begin, and where the closing bracket stands if it has
// its own line.
type margin struct{ inside, closing int }

func (p *printer) write(text string) {
	if p.cur.Len() == 0 {
		p.cur.WriteString(strings.Repeat(" ", p.indent))
	}
	p.cur.WriteString(text)
}

func (p *printer) column() int {
	if p.cur.Len() == 0 {
		return p.indent
	}
	return utf8.RuneCountInString(p.cur.String())
}

// newline ends the current line.
func (p *printer) newline() {
	if p.cur.Len() > 0 {
		p.lines = append(p.lines, line{code: strings.TrimRight(p.cur.String(), " ")})
		p.cur.Reset()
	}
}

func (p *printer) blank() {
	p.newline()
	p.lines = append(p.lines, line{})
}

// trailing puts a comment behind the last line.
func (p *printer) trailing(text string) {
	last := &p.lines[len(p.lines)-1]
	if last.comment != "" || last.code == "" {
		p.own(text)
		return
	}
	last.comment = text
}

// own puts a comment on its own line.
func (p *printer) own(text string) {
	p.lines = append(p.lines, line{comment: strings.Repeat(" ", p.indent) + text})
}

// breaks counts the line ends of the source between two places, and 0 without a source.
func (p *printer) breaks(from, to int) int {
	if from < 0 || from >= to || to > len(p.text) {
		return 0
	}
	return strings.Count(p.text[from:to], "\n")
}

// pending reports whether a comment is still to be printed before a place.
func (p *printer) pending(before int) bool {
	return len(p.comments) > 0 && p.comments[0].Start < before
}

func (p *printer) take() Comment {
	c := p.comments[0]
	p.comments = p.comments[1:]
	return c
}

// flush prints the comments between two statements, the first of which (or the
// brace before them) ended at a place. It returns where the last one ended.
func (p *printer) flush(end, before int, first bool) int {
	for p.pending(before) {
		c := p.take()
		switch {
		case c.Start < end: // from within the statement, at a place where none can stand
			p.trailing("//" + strings.TrimLeft(c.Text, "/"))
			continue
		case p.breaks(end, c.Start) == 0 && len(p.lines) > 0:
			p.trailing(c.Text)
		default:
			if p.breaks(end, c.Start) > 1 && !first && len(p.lines) > 0 {
				p.blank()
			}
			p.own(c.Text)
		}
		end, first = c.End, false
	}
	return end
}

// stmts prints statements one under the other. Their block's head ended at a
// place, and it ends itself at another.
func (p *printer) stmts(list []Stmt, head, end int) {
	p.each(len(list), head, end, func(i int) Node { return list[i] },
		func(i int) { p.stmt(list[i]) })
}

func (p *printer) each(n, head, end int, node func(int) Node, print func(int)) {
	at, first := head, true
	for i := range n {
		span := node(i).Pos()
		now := p.flush(at, span.Start, first)
		first = first && len(p.lines) > 0 && now == at
		if p.breaks(now, span.Start) > 1 && !first && len(p.lines) > 0 {
			p.blank()
		}
		first = false
		print(i)
		p.newline()
		at = span.End
	}
	p.flush(at, end, first)
}

// doc prints the doc of a node of a tree without source.
func (p *printer) doc(text string) {
	if text == "" || p.text != "" {
		return
	}
	p.newline()
	for l := range strings.SplitSeq(text, "\n") {
		p.own(strings.TrimRight("/// "+l, " "))
	}
}

// gap stands between two pieces of a statement, at a place where a line may
// break: it breaks where the source did, and prints the comments that stand here.
func (p *printer) gap(from, to int, space string) {
	if p.breaks(from, to) == 0 && !p.pending(to) || p.flat {
		p.write(space)
		return
	}
	p.newline()
	outer := p.indent
	p.indent = p.continuation()
	at := from
	for p.pending(to) {
		c := p.take()
		switch {
		case c.Start < from:
			p.own("//" + strings.TrimLeft(c.Text, "/"))
			continue
		case p.breaks(at, c.Start) == 0:
			p.trailing(c.Text)
		default:
			if at > from && p.breaks(at, c.Start) > 1 {
				p.blank()
			}
			p.own(c.Text)
		}
		at = c.End
	}
	if at > from && p.breaks(at, to) > 1 {
		p.blank()
	}
	p.cur.WriteString(strings.Repeat(" ", p.indent))
	p.indent = outer
}

func (p *printer) continuation() int {
	if n := len(p.cont); n > 0 {
		return p.cont[n-1].inside
	}
	if p.start > 0 {
		return p.start
	}
	return p.indent + 2
}

// sign prints = or ~ , after which the value of a statement begins.
func (p *printer) sign(text string, from, to int) {
	p.write(text)
	p.start = 0
	n := len(p.lines)
	p.gap(from, to, " ")
	if len(p.lines) == n && len(p.cont) == 0 {
		p.start = p.column()
	}
}

// open prints an opening bracket that stands before a place, close the closing
// one, which stands at a place (-1 when the tree does not say).
func (p *printer) open(bracket string, at, first int) {
	p.write(bracket)
	hang := (at > 0 && p.breaks(at, first) > 0 || p.pending(first)) && !p.flat
	if hang {
		line := p.cur.String()
		start := len(line) - len(strings.TrimLeft(line, " "))
		p.cont = append(p.cont, margin{start + 2, start})
	} else {
		p.cont = append(p.cont, margin{p.column(), p.column() - 1})
	}
	if hang {
		p.gap(at, first, "")
	}
}

func (p *printer) close(bracket string, last, at int) {
	if at >= 0 && (p.breaks(last, at) > 0 || p.pending(at)) && !p.flat {
		// comments before the bracket stand with the items
		own := p.pending(at) &&
			(p.comments[0].Start < last || p.breaks(last, p.comments[0].Start) > 0)
		if top := &p.cont[len(p.cont)-1]; !own {
			top.inside = top.closing
		}
		p.gap(last, at, "")
	}
	p.cont = p.cont[:len(p.cont)-1]
	p.write(bracket)
}

// list prints items between brackets. at is the end of the opening bracket and
// end the start of the closing one, each -1 when the tree does not say.
func list[T any](
	p *printer, bracket string, at int, items []T, span func(T) (int, int), end int, print func(T),
) {
	if len(items) == 0 {
		p.write(bracket)
		return
	}
	first, _ := span(items[0])
	p.open(bracket[:1], at, first)
	last := -1
	for i, item := range items {
		start, stop := span(item)
		if i > 0 {
			p.write(",")
			p.gap(last, start, " ")
		}
		print(item)
		last = stop
	}
	p.close(bracket[1:], last, end)
}

// commas prints items with commas between, outside brackets.
func commas[T any](p *printer, items []T, span func(T) (int, int), print func(T)) {
	last := -1
	for i, item := range items {
		start, stop := span(item)
		if i > 0 {
			p.write(",")
			if len(p.cont) == 0 {
				p.start = 0
			}
			p.gap(last, start, " ")
		}
		print(item)
		last = stop
	}
}

// result aligns the trailing comments of adjacent lines and joins the lines.
func (p *printer) result() string {
	p.newline()
	var b strings.Builder
	for i := 0; i < len(p.lines); {
		if l := p.lines[i]; l.code == "" || l.comment == "" {
			b.WriteString(l.code + l.comment + "\n")
			i++
			continue
		}
		column, end := commentColumn, i
		for end < len(p.lines) && p.lines[end].code != "" && p.lines[end].comment != "" {
			if width := utf8.RuneCountInString(p.lines[end].code); width+2 > commentColumn {
				column = max(column, width+4)
			}
			end++
		}
		for ; i < end; i++ {
			l := p.lines[i]
			b.WriteString(l.code + strings.Repeat(" ", column-utf8.RuneCountInString(l.code)) +
				l.comment + "\n")
		}
	}
	return b.String()
}
