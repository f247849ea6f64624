package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/lint"
	"github.com/sgppl/sgppl/lang/source"
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
	r, err := checkModel(src, c.Set, c.Pedantic, off...)
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		if err := r.writeJSON(e.Stdout); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	default:
		e.Diagnose(r.model.Diags)
		if n := tally(r.model.Diags); n != "" {
			printable.Fprintf(e.Stderr, "\n%s: %s\n", src.Name, n)
		}
		if !r.model.Diags.Errors() {
			if err := r.writeText(e.Stdout); err != nil {
				return session.Failf(session.ExitFiles, "cannot write: %v", err)
			}
		}
	}
	if r.model.Diags.Errors() {
		return &session.ExitError{Code: session.ExitModel}
	}
	return nil
}

// A checked is what check prints of a model.
type checked struct {
	src   *source.File
	model *check.Model
	later diag.List // what this version cannot compile of a right model
	full  []string  // what becomes of sums where all rows are taken together
	wide  []string  // what is computed of whole rows beside sparse data
	parts int       // how many parts the text has, where that is too many to compile it; else 0

	drawn map[string]bool // locals that turn out to have a gamma law given all else
}

// mostTried is the number of parts (nodes of the syntax tree) of the longest model
// that check compiles. To compile takes some ten times as long as to check, and
// tells of a right model little that is new.
const mostTried = 20_000

// checkModel runs the phases that need no data. Of a right model that is not too
// long it tries the rest of the compiler too, so that what is not compiled yet is
// known before anybody waits for a sampler.
func checkModel(
	src *source.File, set session.SetMap, pedantic bool, off ...diag.Code,
) (*checked, error) {
	if err := set.Sizes(src); err != nil {
		return nil, err
	}
	o := driver.Options{Set: set}
	_, m := driver.Check(src, o)
	r := &checked{src: src, model: m}
	if m.Diags.Errors() {
		return r, nil
	}
	if err := set.Known(m); err != nil {
		return nil, err
	}
	if pedantic {
		m.Diags = append(m.Diags, lint.Model(m, off...)...)
		m.Diags.Sort()
	}
	if n := parts(m.File); n > mostTried {
		r.parts = n
		return r, nil
	}
	c, diags := driver.Checked(src, m, o)
	if c != nil {
		r.full, r.wide = c.Spec.Collapse.Notes, c.Wide
		r.fullConditionals(set)
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			r.later = append(r.later, d)
		}
	}
	return r, nil
}

// parts counts the nodes of a syntax tree.
func parts(f *ast.File) int {
	n := 0
	ast.InspectFile(f, func(ast.Node) bool {
		n++
		return true
	})
	return n
}

// notTried says that the model was not compiled; it is empty where it was.
func (r *checked) notTried() string {
	if r.parts == 0 {
		return ""
	}
	return fmt.Sprintf("to compile the model: it has %d parts, more than %d; sgppl compile tries it", r.parts, mostTried)
}

// fullConditionals looks in the chain of the rows for continuous locals that are
// drawn from their full conditional, of which the check alone cannot tell.
func (r *checked) fullConditionals(set session.SetMap) {
	left := func(l *check.Local) bool { return !l.Asked && l.Strategy == "gmc" }
	if !slices.ContainsFunc(r.model.Locals, left) {
		return
	}
	c, _ := driver.Compile(r.src, driver.Options{Set: set, Sampled: true})
	if c == nil || c.Spec.Chain == nil {
		return
	}
	r.drawn = map[string]bool{}
	for _, k := range c.Spec.Chain.Links {
		r.drawn[k.Name] = k.By == "gibbs"
	}
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

// writeText prints the report for people, in sections of aligned lines.
func (r *checked) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	section := ""
	line := func(name string, cells ...string) {
		if name == section {
			name = ""
		} else {
			section = name
		}
		for len(cells) > 1 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		fmt.Fprintln(t, strings.Join(append([]string{name}, cells...), "\t"))
	}
	for _, d := range r.dims() {
		line("dims", d.head(), d.words())
	}
	for _, v := range r.values(check.Data) {
		line("data", v.Name, v.Type, v.words())
	}
	for _, v := range r.values(check.Param) {
		line("params", v.Name, v.Type, v.words())
	}
	for _, l := range r.locals() {
		line("locals", l.Name, l.Type, l.words())
	}
	for _, a := range r.model.Batchable {
		line("batch", a.Name, "--batch "+a.Name+"=100")
	}
	for _, u := range r.model.Unbatchable {
		line("no batch", u.Axis,
			fmt.Sprintf("%s:%v: %s", r.src.Name, r.src.Position(u.Span.Start), u.Reason))
	}
	for _, note := range r.full {
		line("all rows", note,
			"sums of data that are computed once, for samplers without minibatches")
	}
	for _, note := range r.wide {
		line("whole rows", note, "the stored entries alone do not give the sum over all columns")
	}
	for _, d := range r.later {
		place := ""
		if d.File != nil {
			place = fmt.Sprintf("%s:%v: ", d.File.Name, d.File.Position(d.Span.Start))
		}
		line("not yet", string(d.Code), place+d.Message)
	}
	if note := r.notTried(); note != "" {
		line("not tried", note)
	}
	if section == "" {
		line("nothing is declared")
	}
	return t.Flush()
}

// writeJSON prints the report for tools; no list in it is null.
func (r *checked) writeJSON(w io.Writer) error {
	out := struct {
		Diagnostics []diag.JSONDiagnostic `json:"diagnostics"`
		Dims        []dimReport           `json:"dims"`
		Data        []valueReport         `json:"data"`
		Params      []valueReport         `json:"params"`
		Locals      []localReport         `json:"locals"`
		Batchable   []string              `json:"batchable"`
		Unbatchable []axisReport          `json:"unbatchable"`
		// what sums become where no minibatches are taken
		AllRows []string `json:"allRows"`
		// what is computed of whole rows beside sparse data
		WholeRows []string              `json:"wholeRows"`
		NotYet    []diag.JSONDiagnostic `json:"notYet"`
		// that a long model was not compiled: allRows, wholeRows and notYet are empty
		NotTried string `json:"notTried,omitempty"`
	}{r.model.Diags.JSON(), r.dims(), r.values(check.Data), r.values(check.Param), r.locals(),
		[]string{}, []axisReport{},
		append([]string{}, r.full...), append([]string{}, r.wide...), r.later.JSON(), r.notTried()}
	for _, a := range r.model.Batchable {
		out.Batchable = append(out.Batchable, a.Name)
	}
	for _, u := range r.model.Unbatchable {
		at := r.src.Position(u.Span.Start)
		out.Unbatchable = append(out.Unbatchable, axisReport{u.Axis, at.Line, at.Column, u.Reason})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
