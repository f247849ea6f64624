// Package pages has the pages that `sgppl doc` and `sgppl explain` print: of everything in the
// tables of the program, and of every code of its messages.
package pages

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// An Entry is one thing that has a page.
type Entry struct {
	Name    string
	Aliases []string
	Line    string // one line, for tables
	Page    string // all of it
}

// A Table is the entries of one kind.
type Table struct {
	Name, Title string
	Entries     []Entry
}

// Overview prints the names of all entries, by table.
func Overview(w io.Writer, tables []Table) {
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		names := make([]string, len(t.Entries))
		for k, x := range t.Entries {
			names[k] = x.Name
		}
		fmt.Fprintf(w, "%s: %s\n%s", t.Name, t.Title, indent(wrap(strings.Join(names, "  "), 92)))
	}
	fmt.Fprintln(w, "\n`sgppl doc NAME` has more on each, `sgppl doc distributions` a line for "+
		"each of a table.")
}

// Print prints the table of that name, or every entry of it, and reports whether there is one.
// A name may be in several tables.
func Print(w io.Writer, tables []Table, name string) bool {
	found := false
	for _, t := range tables {
		if t.Name == name || strings.TrimSuffix(t.Name, "s") == name {
			fmt.Fprintf(w, "%s: %s\n\n", t.Name, t.Title)
			tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, x := range t.Entries {
				fmt.Fprintf(tab, "%s\t%s\n", x.Name, x.Line)
			}
			tab.Flush()
			return true
		}
	}
	for _, t := range tables {
		for _, x := range t.Entries {
			if x.Name != name && !slices.Contains(x.Aliases, name) {
				continue
			}
			if found {
				fmt.Fprintln(w)
			}
			found = true
			fmt.Fprintf(w, "%s (%s)\n\n%s", x.Name, strings.TrimSuffix(t.Name, "s"), x.Page)
		}
	}
	return found
}

// Missing says that there is no page of that name, with the name that may be meant.
func Missing(tables []Table, name string) string {
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
		for _, x := range t.Entries {
			names = append(append(names, x.Name), x.Aliases...)
		}
	}
	if here := foreign.Elsewhere(name); here != "" {
		return fmt.Sprintf("there is no page %s: here it is called %s", name, here)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf("there is no page %s; did you mean %s?", name, near)
	}
	return fmt.Sprintf("there is no page %s; `sgppl doc` lists them all, and `sgppl explain %s` "+
		"explains codes of messages", name, name)
}

// indent moves every line to the right.
func indent(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	return b.String()
}

// wrap breaks a text into lines of at most width characters, at blanks.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
