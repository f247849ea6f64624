package show

import (
	"fmt"
	"io"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// A Table is text in columns: the first to the left, the others to the right,
// unless the column's name is in left.
type Table struct {
	Head []string
	rows [][]string
	Left map[string]bool
}

func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// plain is a table without lines, two blanks between its columns.
var plain = pretty.Style{
	Name:    "plain",
	Box:     pretty.BoxStyle{PaddingRight: "  "},
	Format:  pretty.FormatOptions{Header: text.FormatDefault},
	Options: pretty.OptionsNoBordersAndSeparators,
}

// Write prints the table, or puts it on a page.
func (t *Table) Write(w io.Writer) error {
	p := pretty.NewWriter()
	p.SetStyle(plain)
	p.SuppressTrailingSpaces()
	row := func(cells []string) pretty.Row {
		r := make(pretty.Row, len(cells))
		for i, c := range cells {
			r[i] = printable.Line(c) // names may come from files
		}
		return r
	}
	var columns []pretty.ColumnConfig
	for i, name := range t.Head {
		align := text.AlignRight
		if i == 0 || t.Left[name] {
			align = text.AlignLeft
		}
		columns = append(columns,
			pretty.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	p.SetColumnConfigs(columns)
	p.AppendHeader(row(t.Head))
	for _, r := range t.rows {
		p.AppendRow(row(r))
	}
	if page, ok := w.(*Page); ok {
		return page.table(p)
	}
	_, err := io.WriteString(w, strings.TrimRight(p.Render(), "\n")+"\n")
	return err
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
