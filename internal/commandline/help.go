package commandline

import (
	"fmt"
	"go/doc/comment"
	"io"
	"strings"
)

// PrintHelp prints what the command is, or the program where there is none.
func (c *Context) PrintHelp() error {
	n := c.Selected()
	if n == nil {
		n = c.Program.Model
	}
	p := &page{width: c.Program.Width}
	p.line(0, "Usage: "+c.Program.Name+" "+strings.TrimSpace(n.Usage()))
	for _, text := range []string{n.Help, n.Detail} {
		if text != "" {
			p.line(0, "")
			p.paragraphs(text)
		}
	}
	if len(n.Arguments) > 0 {
		var rows [][2]string
		for _, a := range n.Arguments {
			rows = append(rows, [2]string{a.Summary(), a.Help})
		}
		p.section("Arguments:", rows)
	}
	if len(n.Children) > 0 {
		var rows [][2]string
		for _, child := range n.Children {
			rows = append(rows, [2]string{child.Path(), child.Help})
		}
		p.section("Commands:", rows)
	}
	for _, g := range groups(n.levels()) {
		p.section(g.title, g.rows())
	}
	if len(n.Children) > 0 {
		p.line(0, "")
		p.line(0, fmt.Sprintf(`Run "%s <command> --help" for more information on a command.`,
			c.Program.Name))
	}
	_, err := io.WriteString(c.Program.Out, p.text.String())
	return err
}

// A group is a heading of flags: of the program, then of the command.
type group struct {
	title  string
	levels [][]*Flag
}

// groups are the headings in the order in which they come, flags without one first.
func groups(levels [][]*Flag) []*group {
	out := []*group{{title: "Flags:"}}
	by := map[string]*group{"": out[0]}
	for _, level := range levels {
		seen := map[*group]bool{}
		for _, f := range level {
			g := by[f.Group]
			if g == nil {
				g = &group{title: f.Group}
				by[f.Group], out = g, append(out, g)
			}
			if !seen[g] {
				seen[g] = true
				g.levels = append(g.levels, nil)
			}
			last := len(g.levels) - 1
			g.levels[last] = append(g.levels[last], f)
		}
	}
	if len(out[0].levels) == 0 {
		return out[1:]
	}
	return out
}

// rows are the flags of a group, with a blank row between levels.
func (g *group) rows() [][2]string {
	indent := ""
	for _, level := range g.levels {
		for _, f := range level {
			if f.Short != 0 {
				indent = "    "
			}
		}
	}
	var out [][2]string
	for i, level := range g.levels {
		if i > 0 {
			out = append(out, [2]string{})
		}
		for _, f := range level {
			left := indent
			if f.Short != 0 {
				left = "-" + string(f.Short) + ", "
			}
			out = append(out, [2]string{left + f.Summary(), f.Help})
		}
	}
	return out
}

// A page is help as it grows.
type page struct {
	width int
	text  strings.Builder
}

const (
	gap       = 4  // between the columns
	leastLeft = 30 // how wide the left one may be at least
)

func (p *page) line(indent int, text string) {
	p.text.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+text, " ") + "\n")
}

// paragraphs writes a text, whose paragraphs are filled anew and whose indented lines stay.
func (p *page) paragraphs(text string) {
	for line := range strings.SplitSeq(strings.TrimSpace(filled(strings.TrimSpace(text), "    ",
		p.width)), "\n") {
		p.line(0, line)
	}
}

// section writes a heading and two columns.
func (p *page) section(title string, rows [][2]string) {
	const indent = 2
	p.line(0, "")
	p.line(0, title)
	width := p.width - indent
	most, left := max(375*width/1000, leastLeft), 0
	for _, row := range rows {
		if n := len(row[0]); n < most {
			left = max(left, n)
		}
	}
	for _, row := range rows {
		lines := strings.Split(strings.TrimRight(filled(row[1], "  ", width-left-gap), "\n"), "\n")
		if len(row[0]) < most {
			p.line(indent, fmt.Sprintf("%-*s%s", left+gap, row[0], lines[0]))
			lines = lines[1:]
		} else {
			p.line(indent, row[0])
		}
		for _, line := range lines {
			p.line(indent+left+gap, line)
		}
	}
}

// filled is a text with lines of at most width, by the rules of the comments of Go.
func filled(text, code string, width int) string {
	parser := comment.Parser{
		LookupPackage: func(string) (string, bool) { return "", false },
		LookupSym:     func(string, string) bool { return false },
	}
	printer := comment.Printer{TextCodePrefix: code, TextWidth: width}
	return string(printer.Text(parser.Parse(text)))
}
