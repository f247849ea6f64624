package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/internal/formula"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
)

type formulaCmd struct {
	Formula     string   `arg:"" help:"The formula, in quotes: 'y ~ x1 + s(x2) + (1 + x1 | school)'."`
	Data        string   `required:"" placeholder:"FILE" help:"The table with its columns: csv, tsv, parquet or any other format that sample reads by columns."`
	Family      string   `default:"gaussian" help:"The distribution of the response; sgppl doc formula lists them."`
	Link        string   `placeholder:"NAME" help:"The link of the mean, such as log or probit; by default that of the family."`
	Levels      []string `sep:"none" placeholder:"COLUMN=ORDER" help:"The order of the levels of a column of words: sorted (the default), appearance, or a list such as dose=control,low,high; the first is the reference. May be repeated."`
	NA          string   `name:"na" placeholder:"drop" help:"Leave out the rows in which a column of the formula is missing; the command that fits the model does so too."`
	Standardize bool     `help:"Slopes for a standard deviation of each column; those on the columns' own scale are stored with the draws."`
	Out         string   `short:"o" placeholder:"FILE" help:"Write the model to a file, which must not exist, instead of standard output."`
	Force       bool     `help:"Replace the file of --out."`
}

func (c *formulaCmd) Help() string {
	return `Prints a model of the language for a formula of a regression, in the notation of R, brms and Bambi, with default priors
that are computed from the columns. The model is compiled before it is printed. It is a text to read and to edit; the
command that fits it goes to standard error.

  sgppl formula 'y ~ x1 + x2' --data d.csv
  sgppl formula 'count ~ x1 + s(x2) + (1 + x1 | school)' --family poisson --data d.csv --out model.sg
  sgppl formula 'hits | trials(n) ~ age*dose' --family binomial --data d.csv
  sgppl doc formula                   what is covered, and where the priors come from`
}

// Run prints the model.
func (c *formulaCmd) Run(e *session.Session) error {
	f, err := formula.Parse(c.Formula)
	if err != nil {
		return formulaError(err)
	}
	if _, err := os.Stat(c.Out); c.Out != "" && err == nil && !c.Force {
		return session.Usagef("%s exists; --force replaces it", c.Out)
	}
	table, err := c.table(e)
	if err != nil {
		return err
	}
	if c.NA != "" {
		if c.NA != "drop" {
			return session.Usagef("--na %s: drop is expected", c.NA)
		}
		var gone int
		if table, gone = f.Complete(table); gone > 0 {
			e.Note("--na drop: rows in which a column of the formula is missing are left out: %d",
				gone)
		}
	}
	m, err := formula.Write(f, table,
		formula.Options{Family: c.Family, Link: c.Link, Standardize: c.Standardize})
	if err != nil {
		return formulaError(err)
	}
	if err := c.compiles(e, m); err != nil {
		return err
	}
	for _, w := range m.Warnings {
		e.Note("%s", w)
	}
	return c.print(e, m)
}

// formulaError is a mistake in a formula, or in a column, with its place on lines of its own.
func formulaError(err error) error {
	code := session.ExitUsage
	if wrong := (*formula.Error)(nil); errors.As(err, &wrong) && wrong.OfData {
		code = session.ExitData
	}
	var args []any
	for _, line := range strings.Split(err.Error(), "\n") {
		args = append(args, line)
	}
	return session.Failf(code, strings.Repeat("\n%s", len(args))[1:], args...)
}

// table reads the columns of the file.
func (c *formulaCmd) table(e *session.Session) (*formula.Table, error) {
	t, errs := formats.ReadFile(c.Data)
	if len(errs) > 0 {
		return nil, e.DataErrors(errs)
	}
	orders, err := formula.Orders(c.Data, t.Fields, c.Levels)
	if err != nil {
		return nil, session.Usagef("%v", err)
	}
	out := &formula.Table{File: c.Data}
	for _, name := range t.Fields {
		column, err := formula.ReadColumn(t, name, orders[name])
		if err != nil {
			return nil, session.Failf(session.ExitData, "%v", err)
		}
		out.Columns = append(out.Columns, column)
	}
	if len(out.Columns) == 0 {
		return nil, session.Failf(session.ExitData,
			"%s has no columns with names: a formula needs a table, such as csv with a header",
			c.Data)
	}
	return out, nil
}

// compiles refuses a model that does not compile, which is a mistake of this program.
func (c *formulaCmd) compiles(e *session.Session, m *formula.Model) error {
	report, err := checked.Model(source.New("formula.sg", m.Text), nil, false)
	if err != nil {
		return err
	}
	if diags := append(append(diag.List{}, report.Model.Diags...),
		report.Later...); diags.Errors() {
		e.Diagnose(diags)
		return session.Failf(session.ExitModel,
			"the model of this formula does not compile: this is a mistake of sgppl")
	}
	return nil
}

// print writes the model, and the command that fits it.
func (c *formulaCmd) print(e *session.Session, m *formula.Model) error {
	fit := m.Fit(c.Data, c.Out, c.NA)
	text := fmt.Sprintf("// Fit it by: %s\n", fit) + m.Text
	if c.Out == "" {
		if err := e.Print("%s", text); err != nil {
			return err
		}
		e.Note("write it to a file by --out model.sg, and fit it by: %s", fit)
		return nil
	}
	if _, err := session.ReplaceFile(c.Out, []byte(text), 0o644); err != nil {
		return session.Failf(session.ExitFiles, "cannot write %s: %v", c.Out, err)
	}
	e.Note("%s is written; fit it by: %s", c.Out, fit)
	return nil
}
