package checked

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// A dimReport is a dim, or a const, as check prints it.
type dimReport struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc,omitempty"`
	Of     string   `json:"of,omitempty"`    // the parent of a ragged dim
	Const  bool     `json:"const,omitempty"` // fixed at compile time
	Value  *float64 `json:"value,omitempty"` // its default, or what --set made it
	Line   int      `json:"line"`
	Column int      `json:"column"`
}

func (d dimReport) head() string {
	switch {
	case d.Of != "":
		return d.Name + "(" + d.Of + ")"
	case d.Value != nil:
		return d.Name + " = " + strconv.FormatFloat(*d.Value, 'g', -1, 64)
	}
	return d.Name
}

func (d dimReport) words() string {
	switch {
	case d.Of != "":
		return "a length for each row of " + d.Of
	case d.Const:
		return "fixed when the model is compiled"
	case d.Value != nil:
		return "unless the data or --set say otherwise"
	}
	return "from the data"
}

// A valueReport is an input or a parameter as check prints it.
type valueReport struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc,omitempty"`
	Type    string   `json:"type"`
	Shape   []string `json:"shape"` // all axes, outermost first
	Storage string   `json:"storage,omitempty"`
	Default bool     `json:"default,omitempty"`
	Prior   string   `json:"prior,omitempty"` // the distribution's name
	// of a param with a chart or a strategy of its own
	Strategy string `json:"strategy,omitempty"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`

	kind check.Kind
}

func (v valueReport) words() string {
	var parts []string
	if v.Storage != "" {
		parts = append(parts, v.Storage)
	}
	if v.Default {
		parts = append(parts, "has a default")
	}
	switch {
	case v.Prior != "":
		parts = append(parts, "~ "+v.Prior)
	case v.kind != check.Data:
		parts = append(parts, "flat")
	}
	if v.Strategy != "" {
		parts = append(parts, "by "+v.Strategy)
	}
	return strings.Join(parts, ", ")
}

// A localReport is a latent value of a row as check prints it.
type localReport struct {
	Name     string `json:"name"`
	Doc      string `json:"doc,omitempty"`
	Type     string `json:"type"`
	Strategy string `json:"strategy"`
	Asked    bool   `json:"asked"`         // by the model; otherwise picked
	Why      string `json:"why,omitempty"` // it was picked
	With     string `json:"with,omitempty"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

func (l localReport) words() string {
	text := "by " + l.Strategy
	if !l.Asked {
		text += ", picked: " + l.Why
	}
	if l.With != "" {
		text += " (" + l.With + ")"
	}
	return text
}

// An axisReport is an axis that cannot be minibatched, and why.
type axisReport struct {
	Axis   string `json:"axis"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Reason string `json:"reason"`
}

func (r *Report) place(s *check.Symbol) (line, column int) {
	_, at := r.src.Seen(s.Span.Start)
	return at.Line, at.Column
}

func (r *Report) dims() []dimReport {
	out := []dimReport{}
	for _, s := range r.Model.Symbols {
		if s.Kind != check.Dim && s.Kind != check.Const {
			continue
		}
		d := dimReport{Name: s.Name, Doc: s.Doc, Const: s.Kind == check.Const}
		d.Line, d.Column = r.place(s)
		if s.Parent != nil {
			d.Of = s.Parent.Name
		}
		if s.HasValue {
			v := s.Value
			d.Value = &v
		}
		out = append(out, d)
	}
	return out
}

// values lists the data, or the params and the weights of layers.
func (r *Report) values(kind check.Kind) []valueReport {
	out := []valueReport{}
	priors := r.statedPriors()
	for _, s := range r.Model.Symbols {
		switch {
		case s.Kind == kind:
			v := valueReport{Name: s.Name, Doc: s.Doc, kind: kind, Prior: priors[s]}
			r.describe(&v, s.Type)
			v.Line, v.Column = r.place(s)
			if kind == check.Data {
				v.Default = s.Group != nil && s.Group.Default != nil
				v.Prior = ""
			} else {
				v.Strategy = s.By
			}
			out = append(out, v)
		case s.Kind == check.Layer && kind == check.Param && s.Inst != nil:
			for _, w := range s.Inst.Params {
				v := valueReport{Name: s.Name + "." + w.Param.Name, Doc: w.Param.Doc, kind: kind,
					Prior: priorName(w.Prior)}
				r.describe(&v, w.Type)
				v.Line, v.Column = r.place(s)
				out = append(out, v)
			}
		}
	}
	return out
}

// describe fills in what a type says.
func (r *Report) describe(v *valueReport, t types.Type) {
	v.Type, v.Shape = t.String(), []string{}
	for _, p := range t.Shape {
		v.Shape = append(v.Shape, p.String())
	}
	if t.Kind == types.Interval && t.Ends[0] != nil && t.Ends[1] != nil {
		v.Type = strings.Replace(v.Type, "interval",
			"interval("+r.text(t.Ends[0])+", "+r.text(t.Ends[1])+")", 1)
	}
	var parts []string
	if t.Sparse || t.Kind == types.Bag {
		parts = append(parts, "sparse")
	}
	if t.Optional {
		parts = append(parts, "entries may be missing")
	}
	if t.Listed {
		parts = append(parts, fmt.Sprintf("lists of the indices that are on, counted from %d",
			t.From))
	} else if t.From != 0 {
		parts = append(parts, fmt.Sprintf("counted from %d", t.From))
	}
	v.Storage = strings.Join(parts, ", ")
}

// text is how the file writes an expression.
func (r *Report) text(e ast.Expr) string {
	at := e.Pos()
	if at.Start < 0 || at.Start > at.End || at.End > len(r.src.Text) {
		return "…"
	}
	return r.src.Text[at.Start:at.End]
}

func priorName(d *ast.DistExpr) string {
	if d == nil {
		return ""
	}
	return d.Name.Name
}

// statedPriors finds the prior of each param, by its declaration or by a ~
// of its own.
func (r *Report) statedPriors() map[*check.Symbol]string {
	out := map[*check.Symbol]string{}
	for _, s := range r.Model.Symbols {
		if s.Group != nil && s.Group.Prior != nil {
			out[s] = priorName(s.Group.Prior)
		}
	}
	var statements func(list []ast.Stmt)
	statements = func(list []ast.Stmt) {
		for _, st := range list {
			switch st := st.(type) {
			case *ast.For:
				statements(st.Body)
			case *ast.Tilde:
				e := st.Left
				if x, ok := e.(*ast.Index); ok {
					e = x.X
				}
				if n, ok := e.(*ast.Name); ok && out[r.Model.Uses[n]] == "" {
					out[r.Model.Uses[n]] = priorName(st.Dist)
				}
			}
		}
	}
	statements(r.Model.File.Stmts)
	return out
}

func (r *Report) locals() []localReport {
	out := []localReport{}
	for _, l := range r.Model.Locals {
		v := valueReport{}
		r.describe(&v, l.Symbol.Type)
		x := localReport{Name: l.Symbol.Name, Doc: l.Symbol.Doc, Type: v.Type, Strategy: l.Strategy,
			Asked: l.Asked, Why: l.Why, With: l.With}
		if x.Strategy == "gmc" && r.drawn[x.Name] {
			x.Strategy, x.Why = "gibbs", "its full conditional is a gamma law"
		}
		x.Line, x.Column = r.place(l.Symbol)
		out = append(out, x)
	}
	return out
}
