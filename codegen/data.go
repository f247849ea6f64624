package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A field of Data, Params or Tracked.
type field struct {
	name  string // of the model
	ident string
	typ   string
	doc   string // comment lines of the model's author, ready
	fact  string // the comment behind: shape and type
}

// fields lays out the structs that users see.
func (g *generator) fields() {
	names := newScope(nil)
	for i := range g.Spec.Schema.Inputs {
		in := &g.Spec.Schema.Inputs[i]
		g.inputs = append(g.inputs,
			field{in.Name, names.fresh(exported(in.Name)), inputType(in), wrapped(sentence(in.Doc)),
				inputFact(in)})
	}
	for i := range g.Spec.Schema.Dims {
		d := &g.Spec.Schema.Dims[i]
		if d.Of != "" || g.inferred(d.Name) {
			continue
		}
		fact := "the size of dim " + d.Name
		if d.Default != nil {
			fact += fmt.Sprintf("; 0 means %d", *d.Default)
		}
		g.sizes = append(g.sizes, field{d.Name, names.fresh(exported(d.Name)), "int", "", fact})
	}
	names = newScope(nil)
	for _, p := range g.Spec.Params {
		g.params = append(g.params,
			field{p.Name, names.fresh(exported(p.Name)), nested(len(p.Shape), "float64"),
				wrapped(sentence(p.Doc)), valueFact(p.Support, p.Shape)})
	}
	names = newScope(nil)
	for _, t := range g.Spec.Tracks {
		g.tracks = append(g.tracks,
			field{t.Name, names.fresh(exported(t.Name)), nested(len(t.Shape), "float64"),
				wrapped(sentence(t.Doc)), valueFact("", t.Shape)})
	}
}

// inferred reports whether the data that must be given settles a dim.
func (g *generator) inferred(dim string) bool {
	for _, in := range g.Spec.Schema.Inputs {
		for _, s := range in.Shape {
			for _, d := range s.Dims() {
				if d == dim && !in.Default {
					return true
				}
			}
		}
	}
	return false
}

// inputType returns the Go type of an input. A nil of this type leaves the input to its default.
func inputType(in *data.Input) string {
	if in.Sparse {
		return "*data.CSR"
	}
	elem := "float64"
	switch in.Kind {
	case data.Bool:
		elem = "bool"
		if in.Listed {
			elem = "int"
		}
	case data.Int, data.Count, data.Index:
		elem = "int"
	}
	if len(in.Shape) == 0 && in.Default {
		return "*" + elem
	}
	return nested(len(in.Shape), elem)
}

func nested(axes int, elem string) string { return strings.Repeat("[]", axes) + elem }

// inputFact returns the comment after an input's field.
func inputFact(in *data.Input) string {
	fact := kindDoc(in)
	if len(in.Shape) > 0 {
		fact = shapeDoc(in.Shape) + " " + fact
	}
	if in.Optional {
		fact += ", NaN where missing"
	}
	if in.Sparse {
		fact += ", stored by row"
	}
	if in.Default {
		fact += "; nil means the default"
	}
	return fact
}

// valueFact returns the comment after the field of a parameter or tracked value.
func valueFact(support string, shape []size.Poly) string {
	if len(shape) > 0 {
		return strings.TrimSpace(shapeDoc(shape) + " " + support)
	}
	return support
}

func shapeDoc(shape []size.Poly) string {
	parts := make([]string, len(shape))
	for i, s := range shape {
		parts[i] = s.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func kindDoc(in *data.Input) string {
	switch in.Kind {
	case data.Bool:
		if in.Listed {
			return fmt.Sprintf("bool: lists of the indices that are on, from %d", in.From)
		}
	case data.Interval:
		return fmt.Sprintf("interval(%s, %s)", in.Lo, in.Hi)
	case data.Index:
		if in.From != 0 {
			return fmt.Sprintf("index[%s] from %d", in.Below, in.From)
		}
		return fmt.Sprintf("index[%s]", in.Below)
	}
	return in.Kind.String()
}

// structOf prints a struct of fields.
func structOf(fields []field) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	for i, f := range fields {
		if i > 0 && f.doc != "" {
			b.WriteByte('\n')
		}
		fact := ""
		if f.fact != "" {
			fact = " // " + clean(f.fact)
		}
		fmt.Fprintf(&b, "%s%s %s%s\n", f.doc, f.ident, f.typ, fact)
	}
	return b.String() + "}"
}

// pointers lists the addresses of fields, for package typed.
func pointers(receiver string, fields []field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = "&" + receiver + "." + f.ident
	}
	return "[]any{" + strings.Join(parts, ", ") + "}"
}

func quoted(name string) string { return strconv.Quote(name) }
