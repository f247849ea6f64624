package main

import (
	"io"
	"os"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
)

type importCmd struct {
	Program string   `arg:"" help:"The program of Stan, or - for standard input."`
	Data    []string `sep:"none" placeholder:"SPEC" help:"The data, as for sample: a program whose structure depends on them is translated for them. May be repeated."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A size or a number of the data. May be repeated."`
	Seed    uint64   `default:"1" help:"Seed of the numbers that transformed data draw (default ${default})."`
	Out     string   `short:"o" placeholder:"FILE" help:"Write the model to a file, which must not exist, instead of standard output."`
	Force   bool     `help:"Replace the file of --out."`
}

func (c *importCmd) Help() string {
	return `Prints a program of Stan as the same model in the language: loops as plates and comprehensions, accumulations as sums,
state that loops carry as scans. Names and comments are kept. Both array syntaxes are read. The log density is that of
the program, up to a constant. What has no counterpart is an error with a code and its place in the program; what does
not change the density, such as numbers that generated quantities draw at random, is left out with a warning. The model
is checked before it is printed.

  sgppl import model.stan
  sgppl import model.stan -o model.sg
  sgppl sample model.stan --data data.json     every command that takes a model takes a program of Stan`
}

// Run imports a program.
func (c *importCmd) Run(e *session.Session) error {
	if _, err := os.Stat(c.Out); c.Out != "" && err == nil && !c.Force {
		return session.Usagef("%s exists; --force replaces it", c.Out)
	}
	defer e.CollectRarely()()
	text, err := e.ReadText(c.Program)
	if err != nil {
		return err
	}
	src, err := e.ImportStan(text, c.Data, c.Set, c.Seed)
	if err != nil {
		return err
	}
	if _, m := driver.Check(src, driver.Options{}); m.Diags.Errors() {
		e.Diagnose(m.Diags)
		return &session.ExitError{Code: session.ExitModel}
	}
	if c.Out != "" {
		if _, err := session.ReplaceFile(c.Out, []byte(src.Text), 0o644); err != nil {
			return session.Failf(session.ExitFiles, "cannot write %s: %v", c.Out, err)
		}
		return nil
	}
	if _, err := io.WriteString(e.Verbatim, src.Text); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}
