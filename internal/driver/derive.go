package driver

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// A Quantity is an expression over the names of a model.
type Quantity struct {
	Name string // as the model is to call it
	Text string
}

// Derive compiles a model for quantities of its unknowns: the outputs of the Posterior that
// are tracked, in their order. What the model itself tracks is none of them. Diagnostics of
// quantities have places in texts of their own.
func Derive(src *source.File, quantities []Quantity, o Options) (*Posterior, diag.List) {
	text := strings.TrimRight(src.Text, "\n") + "\n"
	var at []int // where the line of each quantity begins
	for i, q := range quantities {
		if list := oneExpression(q, i); list != nil {
			return nil, list
		}
		at = append(at, len(text))
		text += line(q) + "\n"
	}
	whole := source.New(src.Name, text)
	o.Track, o.only = nil, true
	for _, q := range quantities {
		o.Track = append(o.Track, q.Name)
	}
	p, list := afterRun(whole, src, o, posterior.Derive)
	for _, d := range list {
		place(d, whole, src, quantities, at)
	}
	if p != nil && len(at) > 0 {
		first := strings.Count(text[:at[0]], "\n") + 1
		for i := range p.Spec.Ranges {
			movePlace(&p.Spec.Ranges[i].Place, src.Name, first)
		}
		for i := range p.Spec.Checks {
			movePlace(&p.Spec.Checks[i].Place, src.Name, first)
		}
	}
	return p, list
}

// movePlace makes the place of a check, FILE:LINE, that of a quantity where it lies behind the
// model, whose quantities begin in the line first.
func movePlace(place *string, file string, first int) {
	text, is := strings.CutPrefix(*place, file+":")
	if line, err := strconv.Atoi(text); is && err == nil && line >= first {
		*place = fmt.Sprintf("quantity %d", line-first+1)
	}
}

func line(q Quantity) string { return "let " + q.Name + " = " + q.Text }

// own is the text in which diagnostics of a quantity have their places.
func own(q Quantity, i int) *source.File {
	return source.New(fmt.Sprintf("quantity %d", i+1), line(q))
}

// oneExpression refuses a text that is more than an expression, which the model would read
// as statements.
func oneExpression(q Quantity, i int) diag.List {
	f := own(q, i)
	file, list := parser.Parse(f)
	if list.Errors() {
		return list
	}
	if len(file.Stmts) == 1 && !strings.ContainsAny(q.Text, "\r\n") {
		if l, ok := file.Stmts[0].(*ast.Let); ok && len(l.Names) == 1 {
			return nil
		}
	}
	list.Add(&diag.Diagnostic{Code: "E0101", Severity: diag.Error, File: f,
		Span:    source.Span{Start: 0, End: len(f.Text)},
		Message: "a quantity is one expression on one line"})
	return list
}

// place moves the places of a diagnostic from the lines behind the model into texts of their
// own.
func place(d *diag.Diagnostic, whole, src *source.File, quantities []Quantity, at []int) {
	move := func(file **source.File, span *source.Span) int {
		if *file != whole {
			return 0
		}
		*file = src
		for i := len(at) - 1; i >= 0; i-- {
			if span.Start >= at[i] {
				*file = own(quantities[i], i)
				span.Start, span.End = span.Start-at[i], span.End-at[i]
				return at[i]
			}
		}
		return 0
	}
	by := move(&d.File, &d.Span)
	for i := range d.Notes {
		move(&d.Notes[i].File, &d.Notes[i].Span)
	}
	for i := range d.Edits {
		d.Edits[i].Span.Start -= by
		d.Edits[i].Span.End -= by
	}
}
