package main

import (
	"io"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/sgppl/sgppl/runtime/base/printable"
)

// A table is text in columns: the first to the left, the others to the right,
// unless the column's name is in left.
type table struct {
	head []string
	rows [][]string
	left map[string]bool
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// plain is a table without lines, two blanks between its columns.
var plain = pretty.Style{
	Name:    "plain",
	Box:     pretty.BoxStyle{PaddingRight: "  "},
	Format:  pretty.FormatOptions{Header: text.FormatDefault},
	Options: pretty.OptionsNoBordersAndSeparators,
}

// write prints the table, or puts it on a page.
func (t *table) write(w io.Writer) error {
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
	for i, name := range t.head {
		align := text.AlignRight
		if i == 0 || t.left[name] {
			align = text.AlignLeft
		}
		columns = append(columns, pretty.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	p.SetColumnConfigs(columns)
	p.AppendHeader(row(t.head))
	for _, r := range t.rows {
		p.AppendRow(row(r))
	}
	if page, ok := w.(*page); ok {
		return page.table(p)
	}
	_, err := io.WriteString(w, strings.TrimRight(p.Render(), "\n")+"\n")
	return err
}
