package diag

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// Render writes the list for people: for each diagnostic its place, code and
// message, the source line with the span underlined, the notes, and what the
// line would be with the suggested edits.
func (l List) Render(w io.Writer, color bool) error {
	var out bytes.Buffer
	for i, d := range l {
		if i > 0 {
			out.WriteByte('\n')
		}
		r := renderer{out: &out, paint: plain}
		if color {
			r.paint = ansi
		}
		r.diagnostic(d.traced())
	}
	_, err := w.Write(out.Bytes())
	return err
}

type style int

const (
	bold style = iota
	red
	yellow
	blue
	green
)

func plain(_ style, text string) string { return text }

func ansi(s style, text string) string {
	return [...]string{"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;32m"}[s] +
		text + "\x1b[0m"
}

type renderer struct {
	out   *bytes.Buffer
	paint func(style, string) string
	width int // of the column of line numbers
}

func (r *renderer) diagnostic(d *Diagnostic) {
	tone := red
	if d.Severity == Warning {
		tone = yellow
	}
	head := d.Severity.String()
	if d.Code != "" {
		head += "[" + string(d.Code) + "]"
	}
	if d.File == nil {
		fmt.Fprintf(r.out, "%s: %s\n", r.paint(tone, head),
			r.paint(bold, printable.Line(d.Message)))
	} else {
		fmt.Fprintf(r.out, "%s:%v: %s: %s\n", printable.Line(d.File.Name),
			d.File.Position(d.Span.Start), r.paint(tone, head),
			r.paint(bold, printable.Line(d.Message)))
		r.width = r.numberWidth(d)
		r.excerpt(d.File, d.Span, tone, '^')
	}
	for _, n := range d.Notes {
		if n.File == nil {
			fmt.Fprintf(r.out, "%s %s %s\n", strings.Repeat(" ", r.width+1), r.paint(blue, "note:"),
				printable.Line(n.Text))
			continue
		}
		fmt.Fprintf(r.out, "%s:%v: %s %s\n", printable.Line(n.File.Name),
			n.File.Position(n.Span.Start), r.paint(blue, "note:"), printable.Line(n.Text))
		r.excerpt(n.File, n.Span, blue, '-')
	}
	if d.File != nil {
		r.suggestion(d)
	}
}

// numberWidth is the width of the largest line number that is shown.
func (r *renderer) numberWidth(d *Diagnostic) int {
	last := d.File.Position(d.Span.Start).Line
	for _, n := range d.Notes {
		if n.File != nil {
			last = max(last, n.File.Position(n.Span.Start).Line)
		}
	}
	for _, e := range d.Edits {
		last = max(last, d.File.Position(e.Span.End).Line)
	}
	return max(3, len(strconv.Itoa(last)))
}

// excerpt shows the first line of a span, underlined.
func (r *renderer) excerpt(f *source.File, span source.Span, tone style, mark byte) {
	start, end := f.Position(span.Start), f.Position(max(span.Start, span.End))
	line, cut := near(f, start, span.Start)
	from := max(0, start.Column-1-cut)
	to := end.Column - 1 - cut
	if end.Line > start.Line {
		to = utf8.RuneCountInString(line)
	}
	columns := columnsOf(line, from, to)
	text, left := window(line, columns)
	under := max(1, min(columns.to-columns.from, shownColumns-(columns.from-left)))
	fmt.Fprintf(r.out, "%s %s\n", r.paint(blue, fmt.Sprintf("%*d |", r.width, start.Line)), text)
	fmt.Fprintf(r.out, "%s %s%s\n", r.paint(blue, fmt.Sprintf("%*s |", r.width, "")),
		strings.Repeat(" ", columns.from-left),
		r.paint(tone, strings.Repeat(string(mark), under)))
}

// near is the line of a place, without what is far from it in a line that is very
// long, and how many code points were cut off its beginning.
func near(f *source.File, at source.Position, offset int) (line string, cut int) {
	const far = 8 * shownColumns // bytes
	if line = f.Line(at.Line); len(line) <= 2*far {
		return line, 0
	}
	before := f.Text[:offset]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	lo := max(0, len(before)-far)
	for lo > 0 && !utf8.RuneStart(line[lo]) {
		lo--
	}
	hi := min(len(line), len(before)+far)
	return line[lo:hi], at.Column - 1 - utf8.RuneCountInString(before[lo:])
}

// shownColumns is how much of a line is shown at most.
const shownColumns = 240

// columns are the places in a line, as a terminal counts them: where a span begins and ends, and
// the line's end.
type columns struct{ from, to, end int }

// columnsOf returns the columns of two code points of a line, which are given by
// their numbers.
func columnsOf(line string, from, to int) columns {
	c := columns{-1, -1, 0}
	i := 0
	for _, r := range line {
		if i == from {
			c.from = c.end
		}
		if i == to {
			c.to = c.end
		}
		c.end = after(r, c.end)
		i++
	}
	if c.from < 0 {
		c.from = c.end
	}
	if c.to < 0 {
		c.to = c.end
	}
	return c
}

// after returns the column behind a code point that stands at a column. Tabs go
// to the next fourth column.
func after(r rune, column int) int {
	if r == '\t' {
		return column + 4 - column%4
	}
	return column + 1
}

// window writes the columns of a line around a span, all of them if they are few.
// Tabs become spaces, and what a terminal would act on becomes a replacement
// character. left is how many columns were cut off before the text.
func window(line string, at columns) (text string, left int) {
	right := at.end
	if at.end > shownColumns {
		left = max(0, at.from-shownColumns/3)
		right = min(at.end, left+shownColumns)
	}
	var b strings.Builder
	if left > 0 {
		b.WriteRune('…')
	}
	column := 0
	for _, r := range line {
		if column >= right {
			break
		}
		next := after(r, column)
		switch first := max(column, left+min(left, 1)); {
		case next <= first:
		case r == '\t':
			b.WriteString(strings.Repeat(" ", min(next, right)-first))
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
		column = next
	}
	if right < at.end {
		b.WriteRune('…')
	}
	return b.String(), left
}

// suggestion shows the lines that the edits change, as they would be.
func (r *renderer) suggestion(d *Diagnostic) {
	if len(d.Edits) == 0 {
		return
	}
	edits := append([]Edit(nil), d.Edits...)
	sort.SliceStable(edits, func(i, j int) bool {
		return edits[i].Span.Start < edits[j].Span.Start
	})
	const shown = 3
	fmt.Fprintf(r.out, "%s %s\n", strings.Repeat(" ", r.width+1), r.paint(green, "try:"))
	for n := 0; n < shown && len(edits) > 0; n++ {
		line := d.File.Position(edits[0].Span.Start).Line
		k := 1
		for k < len(edits) && d.File.Position(edits[k].Span.Start).Line == line {
			k++
		}
		for _, text := range edited(d.File, edits[:k]) {
			text = strings.ToValidUTF8(text[:min(len(text), 8*shownColumns)], "")
			text, _ = window(text, columnsOf(text, 0, 0))
			fmt.Fprintf(r.out, "%s %s\n", r.paint(blue, fmt.Sprintf("%*d |", r.width, line)),
				r.paint(green, text))
			line++
		}
		edits = edits[k:]
	}
	if len(edits) > 0 {
		fmt.Fprintf(r.out, "%s and %d more\n", strings.Repeat(" ", r.width+1), len(edits))
	}
}

// edited applies the edits, all of which begin on one line, and returns the
// lines that come of it. Of two that overlap the first counts.
func edited(f *source.File, edits []Edit) []string {
	first := edits[0].Span.Start
	last := edits[len(edits)-1].Span.End
	start := strings.LastIndexByte(f.Text[:first], '\n') + 1
	end := len(f.Text)
	if i := strings.IndexByte(f.Text[last:], '\n'); i >= 0 {
		end = last + i
	}
	var b strings.Builder
	at := start
	for _, e := range edits {
		if e.Span.Start < at {
			continue
		}
		b.WriteString(f.Text[at:e.Span.Start] + e.Text)
		at = e.Span.End
	}
	b.WriteString(f.Text[min(at, end):end])
	return strings.Split(strings.TrimRight(b.String(), " \t\r"), "\n")
}
