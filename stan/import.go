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
func Import(src *source.File) (out *translate.Result, diags diag.List) {
	defer func() {
		if r := recover(); r != nil { // a mistake of ours: the program is refused all the same
			out, diags = nil, diag.List{{Code: syntax.CannotCompile, File: src,
				Message: fmt.Sprintf("the program cannot be imported, by a mistake of sgppl: %v", r)}}
			diags[0].Note("please report it, with the program")
		}
	}()
	return importFile(src)
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
	if r == nil {
		return nil, diags
	}
	out := source.New(src.Name, r.Text)
	out.Origin = &source.Origin{File: src, Lines: r.Lines}
	return out, diags
}
