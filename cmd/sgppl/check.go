package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/lint"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

type checkCmd struct {
	Model    string         `arg:"" help:"The model file, or - for standard input."`
	JSON     bool           `name:"json" help:"Print everything as one JSON object, for tools."`
	Pedantic bool           `help:"Also warn of what is legal but seldom meant: unused names, flat priors, priors that hide a mistake."`
	NoLint   []string       `name:"no-lint" placeholder:"CODE" help:"Leave a lint of --pedantic out, such as W0911. May be repeated. In a model a comment does, // nolint W0911, behind a line or above it."`
	Set      session.SetMap `placeholder:"NAME=VALUE" mapsep:"none" help:"Check with a const or dim at this value. May be repeated."`
}

func (c *checkCmd) Help() string {
	return `Reads the model without data and prints all its errors at once, each with its place, the line, and where there is
one a suggestion. Of a model without errors it prints the dims, data and params, how the latent values of rows are
dealt with, and along which axes the log density is a sum, so that minibatches of them are unbiased; for the others
it names the place that couples the rows.

  sgppl check logistic.sg
  sgppl check --json - < logistic.sg
  sgppl explain E0401                 what a code means

The exit status is 1 when the model has errors.`
}

// Run checks a model.
func (c *checkCmd) Run(e *session.Session) error {
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	off := make([]diag.Code, len(c.NoLint))
	for i, code := range c.NoLint {
		off[i] = diag.Code(strings.ToUpper(code))
		if !slices.Contains(lint.Codes(), off[i]) {
			return session.Failf(session.ExitUsage,
				"--no-lint %s: there is no such lint; they are %v to %v", code, lint.Codes()[0],
				lint.Codes()[len(lint.Codes())-1])
		}
	}
	collect := e.CollectRarely()
	r, err := checked.Model(src, c.Set, c.Pedantic, off...)
	collect()
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		if err := r.WriteJSON(e.Stdout); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	default:
		e.Diagnose(r.Model.Diags)
		if n := tally(r.Model.Diags); n != "" {
			printable.Fprintf(e.Stderr, "\n%s: %s\n", src.Name, n)
		}
		if !r.Model.Diags.Errors() {
			if err := r.WriteText(e.Stdout); err != nil {
				return session.Failf(session.ExitFiles, "cannot write: %v", err)
			}
		}
	}
	if r.Model.Diags.Errors() {
		return &session.ExitError{Code: session.ExitModel}
	}
	return nil
}

// tally counts diagnostics in words; it is empty when there are none.
func tally(l diag.List) string {
	errors := 0
	for _, d := range l {
		if d.Severity == diag.Error {
			errors++
		}
	}
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{errors, "error"}, {len(l) - errors, "warning"}} {
		switch {
		case c.n == 1:
			parts = append(parts, "1 "+c.word)
		case c.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", c.n, c.word))
		}
	}
	return strings.Join(parts, ", ")
}
