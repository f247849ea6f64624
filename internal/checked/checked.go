// Package checked says what `sgppl check` says of a model: its diagnostics, dims, data and
// params, along which axes it can be minibatched, and what this version cannot compile of it.
package checked

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/lint"
	"github.com/sgppl/sgppl/lang/source"
)

// A Report is what check prints of a model.
type Report struct {
	Model *check.Model
	Later diag.List // what this version cannot compile of a right model
	src   *source.File
	full  []string // what becomes of sums where all rows are taken together
	equal bool     // rows that are equal may be taken together
	wide  []string // sums over whole rows that sparse data cause
	parts int      // how many parts the text has, where that is too many to compile it; else 0

	drawn map[string]bool // locals that turn out to have a gamma law given all else
}

// MostTried is the number of parts (nodes of the syntax tree) of the longest model
// that check compiles. To compile takes some ten times as long as to check, and
// tells of a right model little that is new.
const MostTried = 20_000

// Model runs the phases that need no data. Of a right model that is not too
// long it tries the rest of the compiler too, so that what is not compiled yet is
// known before anybody waits for a sampler.
func Model(
	src *source.File, set session.SetMap, pedantic bool, off ...diag.Code,
) (*Report, error) {
	if err := set.Sizes(src); err != nil {
		return nil, err
	}
	o := driver.Options{Set: set}
	_, m := driver.Check(src, o)
	r := &Report{src: src, Model: m}
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
	if n := parts(m.File); n > MostTried {
		r.parts = n
		return r, nil
	}
	c, diags := driver.Checked(src, m, o)
	if c != nil {
		r.full, r.wide = c.Spec.Collapse.Notes, c.Wide
		r.equal = len(c.Spec.Weighted) > 0
		r.fullConditionals(set)
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			r.Later = append(r.Later, d)
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
func (r *Report) notTried() string {
	if r.parts == 0 {
		return ""
	}
	return fmt.Sprintf("to compile the model: it has %d parts, more than %d; sgppl compile tries it",
		r.parts, MostTried)
}

// fullConditionals looks in the chain of the rows for continuous locals that are
// drawn from their full conditional, of which the check alone cannot tell.
func (r *Report) fullConditionals(set session.SetMap) {
	left := func(l *check.Local) bool { return !l.Asked && l.Strategy == "gmc" }
	if !slices.ContainsFunc(r.Model.Locals, left) {
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
