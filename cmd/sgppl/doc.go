package main

import (
	"io"
	"strings"

	"github.com/sgppl/sgppl/internal/pages"
	"github.com/sgppl/sgppl/internal/session"
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

// Run prints a page, a table, or the names of everything.
func (c *docCmd) Run(e *session.Session) error {
	tables := pages.Tables()
	var b strings.Builder
	switch {
	case c.Name == "":
		pages.Overview(&b, tables)
	case !pages.Print(&b, tables, c.Name):
		return session.Usagef("%s", pages.Missing(tables, c.Name))
	}
	if _, err := io.WriteString(e.Stdout, b.String()); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}
