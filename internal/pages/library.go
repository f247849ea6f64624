package pages

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// libraryDocs are the declarations of the standard library.
func libraryDocs() (dists, fns, layers []Entry) {
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		f, _ := parser.Parse(source.New(name, text))
		for _, s := range f.Stmts {
			switch s := s.(type) {
			case *ast.Dist:
				head, _, _ := strings.Cut(sliceOf(text, s.Pos()), " {")
				dists = append(dists,
					libraryEntry(s.Name.Name, s.Doc, strings.TrimPrefix(head, "dist "),
						sliceOf(text, s.Pos())))
			case *ast.Fn:
				head, _, _ := strings.Cut(sliceOf(text, s.Pos()), " {")
				fns = append(fns,
					libraryEntry(s.Name.Name, s.Doc, strings.TrimPrefix(head, "fn "),
						sliceOf(text, s.Pos())))
			case *ast.LayerDef:
				head, _, _ := strings.Cut(sliceOf(text, s.Pos()), " {")
				layers = append(layers,
					libraryEntry(s.Name.Name, s.Doc, strings.TrimPrefix(head, "layer "),
						sliceOf(text, s.Pos())))
			}
		}
	}
	return dists, fns, layers
}

// libraryEntry is a declaration with its doc comment and definition. The span
// of a declaration may begin with its doc, which is printed apart.
func libraryEntry(name, doc, head, definition string) Entry {
	first, _, _ := strings.Cut(doc, "\n")
	return Entry{
		Name: name,
		Line: strings.TrimSpace(first),
		Page: head + "\n\n" + strings.TrimSpace(doc) + "\n\n" + indent(definition),
	}
}

// sliceOf is the text of a declaration without comments before it.
func sliceOf(text string, at source.Span) string {
	return text[at.Start:at.End]
}

// builtinDocs are the functions that are not written in the language.
func builtinDocs() []Entry {
	var out []Entry
	for _, f := range builtin.Funcs() {
		page := f.Signature() + "\n\n" + sentence(f.Doc) + "\n\n" + classWords(f) + "\n"
		if f.Source != "" {
			page += "Source: " + f.Source + ".\n"
		}
		out = append(out, Entry{Name: f.Name, Line: f.Signature() + ": " + f.Doc, Page: page})
	}
	return out
}

func classWords(f *builtin.Func) string {
	text := ""
	switch f.Class {
	case builtin.Elementwise:
		text = "On arrays it acts entry by entry; the shapes of several arguments fit the largest."
	case builtin.Reduction:
		text = fmt.Sprintf("%s(a) takes all axes of an array, %s(e for i in I) the index i.",
			f.Name, f.Name)
	case builtin.Generator:
		text = "A root of random numbers: it stands only in the sample line of a dist."
	default:
		text = "It takes its arguments exactly in these shapes."
		if f.Class == builtin.Special {
			text = "Its shape follows from its arguments."
		}
	}
	if f.Keep {
		text += " Of whole numbers it is a whole number."
	}
	return text
}

// sentence makes a doc a sentence.
func sentence(doc string) string {
	if word, _, _ := strings.Cut(doc, " "); !strings.ContainsAny(word, "([") {
		// else it begins with a form
		doc = strings.ToUpper(doc[:1]) + doc[1:]
	}
	if !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return doc
}
