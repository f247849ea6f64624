// Package stan imports programs of the language Stan: what they say in blocks and statements, the
// model says in terms and values.
package stan

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/syntax"
	"github.com/sgppl/sgppl/stan/translate"
)

// Is reports whether a file's name is that of a Stan program.
func Is(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".stan") }

// Import translates a Stan program. With errors in the list there is no result.
func Import(src *source.File) (*translate.Result, diag.List) {
	return importFor(func() (*translate.Result, diag.List) { return importFile(src) }, src)
}

// ImportBound translates a Stan program for the data that it is given, such as sizes that are
// computed from entries of data need.
func ImportBound(
	src *source.File, data map[string]*translate.Given, loops translate.Unrolled,
	draw translate.Drawer,
) (*translate.Result, diag.List) {
	return importFor(func() (*translate.Result, diag.List) {
		prog, diags := syntax.Parse(src)
		if diags.Errors() {
			return nil, diags
		}
		out, more := translate.Bound(prog, data, loops, draw)
		return out, append(diags, more...)
	}, src)
}

// importFor takes a mistake of ours as a refusal of the program.
func importFor(
	f func() (*translate.Result, diag.List), src *source.File,
) (out *translate.Result, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			out, diags = nil, diag.List{{Code: syntax.CannotCompile, File: src,
				Message: fmt.Sprintf("the program cannot be imported, by a mistake of sgppl: %v", r)}}
			diags[0].Note("please report it, with the program")
		}
	}()
	return f()
}

func importFile(src *source.File) (*translate.Result, diag.List) {
	prog, diags := syntax.Parse(src)
	if diags.Errors() {
		return nil, diags
	}
	out, more := translate.Program(prog)
	return out, append(diags, more...)
}

// Model is the model of a Stan program as a text whose diagnostics point into the program. With
// errors in the list there is none.
func Model(src *source.File) (*source.File, diag.List) {
	r, diags := Import(src)
	return modelOf(src, r), diags
}

// An Accepter says what the language has against a model: nothing where it takes the model.
type Accepter func(*source.File) diag.List

// ModelFor is the model of a Stan program for data, which are read if they are needed: if the
// program cannot be translated without them, or to a model that accepts does not take. It is then
// a model of these data and of no others, which bound says. data is nil where there are none. draw
// makes what draws the random numbers of transformed data, the first first; nil where none may.
func ModelFor(
	src *source.File, data func() map[string]*translate.Given, draw func() translate.Drawer,
	accepts Accepter,
) (out *source.File, bound bool, diags diag.List) {
	out, diags = Model(src)
	if out == nil && !dataHelp(diags) || out != nil && !accepts(out).Errors() {
		return out, false, diags
	}
	given := map[string]*translate.Given(nil)
	if data != nil {
		given = data()
	} else if prog, _ := syntax.Parse(src); len(prog.Data) == 0 {
		given = map[string]*translate.Given{}
	}
	if given != nil {
		model, more := boundModel(src, given, draw, accepts)
		if model != nil {
			return model, true, more
		}
		if out == nil && more != nil {
			diags = more
		}
	}
	if out != nil {
		if model, more := withoutGenerated(src); model != nil && !accepts(model).Errors() {
			return model, false, more
		}
	}
	return out, false, diags
}

// withoutGenerated is the model of a program less its generated quantities.
func withoutGenerated(src *source.File) (*source.File, diag.List) {
	r, diags := importFor(func() (*translate.Result, diag.List) {
		prog, diags := syntax.Parse(src)
		if diags.Errors() || len(prog.Generated) == 0 {
			return nil, diags
		}
		at := prog.Generated[0].Pos()
		prog.Generated = nil
		out, more := translate.Program(prog)
		d := &diag.Diagnostic{Code: syntax.LeftOut, Severity: diag.Warning, File: src, Span: at,
			Message: "left out: the generated quantities, one of which has no counterpart"}
		return out, append(append(diags, d), more...)
	}, src)
	return modelOf(src, r), diags
}

// dataHelp reports whether a program that was refused may be translated for known data.
func dataHelp(diags diag.List) bool {
	for _, d := range diags {
		switch d.Code {
		case syntax.NotStan, syntax.UnknownName, syntax.NoDist, syntax.IncludeCode:
			return false
		}
	}
	return true
}

func modelOf(src *source.File, r *translate.Result) *source.File {
	if r == nil {
		return nil
	}
	out := source.New(src.Name, r.Text)
	out.Origin = &source.Origin{File: src, Lines: r.Lines}
	return out
}
