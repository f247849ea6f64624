package main

import (
	"errors"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stan"
)

type fmtCmd struct {
	Models []string `arg:"" name:"model" help:"Model files, or - for standard input."`
	Write  bool     `short:"w" xor:"to" help:"Write each file in its place, where its layout changes."`
	Diff   bool     `short:"d" xor:"to" help:"Print what would change, as a unified diff."`
}

func (c *fmtCmd) Help() string {
	return `There is one layout, and it has no options. Comments and the author's line breaks after operators and commas are
kept; formatting twice changes nothing more. A file with syntax errors is left alone and its errors are printed; the
other files are still done.

  sgppl fmt -w models/*.sg
  sgppl fmt -d logistic.sg
  sgppl fmt - < logistic.sg`
}

// Run lays the files out. Its status is that of the worst file.
func (c *fmtCmd) Run(e *session.Session) error {
	worst := session.ExitDone
	for _, path := range c.Models {
		if path == "-" && c.Write {
			return session.Usagef("standard input has no place to be written to: leave -w away")
		}
	}
	for _, path := range c.Models {
		var x *session.ExitError
		switch err := c.one(e, path); {
		case errors.As(err, &x):
			worst = max(worst, e.Report(x))
		case err != nil:
			return err
		}
	}
	if worst != session.ExitDone {
		return &session.ExitError{Code: worst}
	}
	return nil
}

func (c *fmtCmd) one(e *session.Session, path string) error {
	if stan.Is(path) {
		return session.Usagef("%s is a program of Stan; `sgppl import %s` prints it in the language, "+
			"laid out", path, path)
	}
	src, err := e.ReadModel(path)
	if err != nil {
		return err
	}
	f, diags := parser.Parse(src)
	if diags.Errors() {
		e.Diagnose(diags)
		return &session.ExitError{Code: session.ExitModel}
	}
	text := ast.Print(f)
	switch {
	case c.Write:
		if _, err := session.ReplaceFile(path, []byte(text), 0o644); err != nil {
			return session.Failf(session.ExitFiles, "cannot write %s: %v", path, err)
		}
	case c.Diff:
		if _, err := e.Verbatim.Write(diff.Diff(path+" (as it is)", []byte(src.Text), path,
			[]byte(text))); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	default:
		if _, err := io.WriteString(e.Verbatim, text); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	}
	return nil
}
