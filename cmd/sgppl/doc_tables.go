package main

import (
	"fmt"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/internal/formula"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/stdlib"
)

// docTables returns every table, which are read once.
var docTables = sync.OnceValue(readTables)

// readTables reads every table from its own source.
func readTables() []docTable {
	dists, fns, layers := libraryDocs()
	return append([]docTable{
		{"distributions", "after ~, and normal.logpdf(x, 0, 1) as a function", dists},
		{"functions", "of numbers entry by entry, reductions, and of arrays",
			append(builtinDocs(), fns...)},
		{"layers", "pieces with weights of their own, after `use nn`", layers},
		{"types", "of data, parameters and locals", typeDocs()},
		{"samplers", "for sgppl sample --sampler NAME", samplerDocs()},
		{"algorithms", "for sgppl optimize --algorithm NAME", algorithmDocs()},
		{"methods", "for sgppl approximate --method NAME", methodDocs()},
		{"formats", "of files for --data; .gz and .bz2 of any", formatDocs()},
		{"notations", "that become models", []docEntry{{
			name: "formula", aliases: []string{"regression", "brms", "bambi"},
			line: "formulas of regressions, for sgppl formula: terms, families and priors",
			page: formula.Page(),
		}}},
	}, glossaryDocs()...)
}

// libraryDocs are the declarations of the standard library.
func libraryDocs() (dists, fns, layers []docEntry) {
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
func libraryEntry(name, doc, head, definition string) docEntry {
	first, _, _ := strings.Cut(doc, "\n")
	return docEntry{
		name: name,
		line: strings.TrimSpace(first),
		page: head + "\n\n" + strings.TrimSpace(doc) + "\n\n" + indent(definition),
	}
}

// sliceOf is the text of a declaration without comments before it.
func sliceOf(text string, at source.Span) string {
	return text[at.Start:at.End]
}

// builtinDocs are the functions that are not written in the language.
func builtinDocs() []docEntry {
	var out []docEntry
	for _, f := range builtin.Funcs() {
		page := f.Signature() + "\n\n" + sentence(f.Doc) + "\n\n" + classWords(f) + "\n"
		if f.Source != "" {
			page += "Source: " + f.Source + ".\n"
		}
		out = append(out, docEntry{name: f.Name, line: f.Signature() + ": " + f.Doc, page: page})
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

func typeDocs() []docEntry {
	var out []docEntry
	for _, k := range types.Kinds {
		if k.Name == "" {
			continue
		}
		page := sentence(k.Doc) + "\n\n"
		switch {
		case k.Sizes < 0:
			page += fmt.Sprintf("%s[N] is an array of N of them.\n", k.Name)
		case k.Name == "index":
			page += "Its bracket is a range, not an axis: z[N] : index[K] are N indices.\n"
		case k.Sizes == 1:
			page += fmt.Sprintf("The bracket holds the size of one value; x[N] : %s[K] is a "+
				"family of N of them.\n", k.Name)
		default:
			page += fmt.Sprintf("The bracket holds the %d sizes of one value; a family has its "+
				"own, before the colon.\n", k.Sizes)
		}
		if !k.Open && !k.Discrete {
			page += "A distribution of numbers cannot stand on it, since its entries are not " +
				"free of each other.\n"
		}
		out = append(out, docEntry{name: k.Name, line: k.Doc, page: page})
	}
	return out
}

func samplerDocs() []docEntry {
	var out []docEntry
	for _, r := range table.Table {
		var schemes []string
		for _, s := range r.Schemes {
			schemes = append(schemes, s.Name+" ("+s.Word+")")
		}
		var grains []string
		for _, g := range r.Grains {
			grains = append(grains, g.String())
		}
		page := sentence(r.Doc) + "\n\n"
		if len(r.Aliases) > 0 {
			page += "also      " + strings.Join(r.Aliases, ", ") + "\n"
		}
		page += "schemes   " + strings.Join(schemes, ", ") + "\n"
		if r.Thermostat() {
			page += "--thermostat " + strings.Join(grains, ", ") + "\n"
		}
		if r.Space != "" {
			page += "runs on   blocks on the space " + r.Space +
				", which simplexes by expanded_mean are\n"
		} else if r.Curved {
			page += "runs on   any product of manifolds\n"
		} else {
			page += "runs on   R^n\n"
		}
		page += "samples   " + r.Stationary + "\n"
		page += "source    " + r.Source + "\n"
		out = append(out, docEntry{name: r.Name, aliases: r.Aliases, line: r.Doc, page: page})
	}
	return out
}

func algorithmDocs() []docEntry {
	var out []docEntry
	for _, r := range optimize.Table {
		page := sentence(r.Doc) + "\n\n"
		if len(r.Aliases) > 0 {
			page += "also      " + strings.Join(r.Aliases, ", ") + "\n"
		}
		page += "runs on   R^n, in the model's own coordinates: without the Jacobian of " +
			"transforms\n"
		page += "a step    " + r.Update + "\n"
		for _, s := range optimize.Settings {
			x, ok := r.Uses[s.Name]
			if !ok {
				continue
			}
			page += "--" + s.Name + "  " + s.Doc
			if x == x { // else its doc says what the default is
				page += fmt.Sprintf(" (default %g)", x)
			}
			page += "\n"
		}
		page += "source    " + r.Source + "\n"
		out = append(out, docEntry{name: r.Name, aliases: r.Aliases, line: r.Doc, page: page})
	}
	return out
}

func methodDocs() []docEntry {
	var out []docEntry
	for _, m := range approximate.Table {
		rows := "all rows at once"
		if m.Name == "advi" {
			rows = "all rows at once, or minibatches"
		}
		page := sentence(m.Doc) + "\n\n" + "runs on   R^n, and curved spaces in charts; " + rows + "\n" +
			fmt.Sprintf("--paths   where it begins (default %d)\n", m.Paths) +
			"source    " + m.Source + "\n" + "verdict   sgppl doc " + m.Judged() + "\n"
		if hint, has := foreign.Dists[m.Name]; has && hint.Name != "" {
			page += "not       a distribution of the language: the distribution is " + hint.Name + "\n"
		}
		out = append(out, docEntry{name: m.Name, line: m.Doc, page: page})
	}
	return out
}

func formatDocs() []docEntry {
	var out []docEntry
	for _, f := range formats.Formats {
		line := "files ending in " + strings.Join(f.Endings, " ")
		if f.Prefix != "" {
			line = "files called " + f.Prefix + "* or ending in " + strings.Join(f.Endings, " ")
		}
		field := "--data NAME=FILE"
		if f.Fields != "none" {
			field += ":FIELD, where FIELD is " + f.Fields
		}
		page := "F" + line[1:] + ", and .gz and .bz2 of them.\n\n" + field + ".\n"
		if f.Sniff != nil {
			page += "Files with other endings are recognised by their first bytes.\n"
		}
		page += "Behind it may stand :rows=SELECTION or :skip=SELECTION, and :format=" + f.Name +
			"; see docs/data.md.\n"
		out = append(out, docEntry{name: f.Name, line: line + "; FIELD: " + f.Fields, page: page})
	}
	return out
}
