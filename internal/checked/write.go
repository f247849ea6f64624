package checked

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
)

// WriteText prints the report for people, in sections of aligned lines.
func (r *Report) WriteText(w io.Writer) error {
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
	for _, a := range r.Model.Batchable {
		line("batch", a.Name, "--batch "+a.Name+"=100")
	}
	for _, u := range r.Model.Unbatchable {
		file, at := r.src.Seen(u.Span.Start)
		line("no batch", u.Axis, fmt.Sprintf("%s:%v: %s", file, at, u.Reason))
	}
	for _, note := range r.full {
		line("all rows", note,
			"sums of data that are computed once, for samplers without minibatches")
	}
	if r.equal {
		line("all rows", "equal rows", "count once with a weight, for samplers without minibatches, "+
			"if at most half of the rows are different")
	}
	for _, note := range r.wide {
		line("whole rows", note, "the stored entries alone do not give the sum over all columns")
	}
	for _, d := range r.Later {
		place := ""
		if d.File != nil {
			file, at := d.File.Seen(d.Span.Start)
			place = fmt.Sprintf("%s:%v: ", file, at)
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

// WriteJSON prints the report for tools; no list in it is null.
func (r *Report) WriteJSON(w io.Writer) error {
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
		// whether equal rows are taken together where no minibatches are taken
		EqualRows bool `json:"equalRows"`
		// sums over whole rows that sparse data cause
		WholeRows []string              `json:"wholeRows"`
		NotYet    []diag.JSONDiagnostic `json:"notYet"`
		// that a long model was not compiled: allRows, wholeRows and notYet are empty
		NotTried string `json:"notTried,omitempty"`
	}{r.Model.Diags.JSON(), r.dims(), r.values(check.Data), r.values(check.Param), r.locals(),
		[]string{}, []axisReport{},
		append([]string{}, r.full...), r.equal, append([]string{}, r.wide...), r.Later.JSON(),
		r.notTried()}
	for _, a := range r.Model.Batchable {
		out.Batchable = append(out.Batchable, a.Name)
	}
	for _, u := range r.Model.Unbatchable {
		_, at := r.src.Seen(u.Span.Start)
		out.Unbatchable = append(out.Unbatchable, axisReport{u.Axis, at.Line, at.Column, u.Reason})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
