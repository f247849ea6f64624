package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

type docCmd struct {
	Name string `arg:"" optional:"" help:"What to read about: a distribution, function, layer, type, sampler, algorithm, statistic of health or format, or one of these tables."`
}

func (c *docCmd) Help() string {
	return `The pages come from the library's and the tables' own sources, so that they cannot be out of date.

  sgppl doc                           all names, by table
  sgppl doc normal                    a distribution: formula, arguments, source and definition
  sgppl doc distributions             a table with a line for each`
}

// A docEntry is one thing that doc knows.
type docEntry struct {
	name    string
	aliases []string
	line    string // one line, for tables
	page    string // all of it
}

// A docTable is the entries of one kind.
type docTable struct {
	name, title string
	entries     []docEntry
}

// Run prints a page, a table, or the names of everything.
func (c *docCmd) Run(e *session.Session) error {
	tables := docTables()
	var b strings.Builder
	switch {
	case c.Name == "":
		overview(&b, tables)
	case !docPages(&b, tables, c.Name):
		return unknownDoc(tables, c.Name)
	}
	if _, err := io.WriteString(e.Stdout, b.String()); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

func overview(w io.Writer, tables []docTable) {
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		names := make([]string, len(t.entries))
		for k, x := range t.entries {
			names[k] = x.name
		}
		fmt.Fprintf(w, "%s: %s\n%s", t.name, t.title, indent(wrap(strings.Join(names, "  "), 92)))
	}
	fmt.Fprintln(w, "\n`sgppl doc NAME` has more on each, `sgppl doc distributions` a line for "+
		"each of a table.")
}

// docPages prints the table of that name, or every entry of it; a name may be
// in several tables.
func docPages(w io.Writer, tables []docTable, name string) bool {
	found := false
	for _, t := range tables {
		if t.name == name || strings.TrimSuffix(t.name, "s") == name {
			fmt.Fprintf(w, "%s: %s\n\n", t.name, t.title)
			tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, x := range t.entries {
				fmt.Fprintf(tab, "%s\t%s\n", x.name, x.line)
			}
			tab.Flush()
			return true
		}
	}
	for _, t := range tables {
		for _, x := range t.entries {
			if x.name != name && !contains(x.aliases, name) {
				continue
			}
			if found {
				fmt.Fprintln(w)
			}
			found = true
			fmt.Fprintf(w, "%s (%s)\n\n%s", x.name, strings.TrimSuffix(t.name, "s"), x.page)
		}
	}
	return found
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func unknownDoc(tables []docTable, name string) error {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
		for _, x := range t.entries {
			names = append(append(names, x.name), x.aliases...)
		}
	}
	if here := foreign.Elsewhere(name); here != "" {
		return session.Usagef("there is no page %s: here it is called %s", name, here)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return session.Usagef("there is no page %s; did you mean %s?", name, near)
	}
	return session.Usagef("there is no page %s; `sgppl doc` lists them all, and `sgppl explain "+
		"%s` explains codes of messages", name, name)
}
