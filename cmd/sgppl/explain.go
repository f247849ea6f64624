package main

import (
	"io"
	"strings"

	"github.com/sgppl/sgppl/internal/pages"
	"github.com/sgppl/sgppl/internal/session"
)

type explainCmd struct {
	Code string `arg:"" optional:"" help:"A code such as E0401 or D0120, or a word that is shown, such as rhat or mcse. Without one, all codes are listed."`
}

func (c *explainCmd) Help() string {
	return `Codes that begin with E are mistakes in a model and those with W are warnings; both are explained with a program that
makes them, and what sgppl says of it. Codes that begin with D are of the data and of --data and --set, those that begin
with S of settings of samplers. A code means the same in every version.

  sgppl explain E0401
  sgppl explain                       every code with its title`
}

// Run explains a code, or lists them all.
func (c *explainCmd) Run(e *session.Session) error {
	var b strings.Builder
	switch {
	case strings.TrimSpace(c.Code) == "":
		pages.ListCodes(&b)
	case !pages.Explain(&b, c.Code):
		return session.Usagef("%s", pages.MissingCode(c.Code))
	}
	if _, err := io.WriteString(e.Stdout, b.String()); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}
