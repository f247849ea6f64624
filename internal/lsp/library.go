package lsp

import (
	"strings"
	"sync"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// An entry is what the server knows of a function, distribution or layer.
type entry struct {
	kind   entryKind
	name   string
	head   string   // how it is declared
	labels []string // its arguments, as they stand in head
	doc    string
	decl   *ast.Dist // of a distribution
	built  bool      // a function that is not written in the language
}

type entryKind int

const (
	function entryKind = iota
	distribution
	layer
)

// library lists what every model sees, and the layers of its modules.
var library = sync.OnceValue(func() map[string][]entry {
	out := map[string][]entry{}
	add := func(e entry) { out[e.name] = append(out[e.name], e) }
	for _, f := range builtin.Funcs() {
		if f.Class != builtin.Generator {
			add(entry{function, f.Name, f.Signature(), f.Labels(), f.Doc, nil, true})
		}
	}
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		for _, e := range declared(parser.Parse(source.New("stdlib/"+name+".sg", text))) {
			add(e)
		}
	}
	add(entry{distribution, "mixture", "mixture(w, normal(m, 1), cauchy(m, 1))",
		[]string{"w", "normal(m, 1)", "cauchy(m, 1)"},
		"A mixture of distributions: first the weights, then its components.\n" +
			"Of an index: mixture(w, normal(mu[k], s[k]) for k in K).", nil, false})
	return out
})

// declared lists the functions, distributions and layers of a file.
func declared(f *ast.File, _ any) []entry {
	var out []entry
	for _, s := range f.Stmts {
		switch s := s.(type) {
		case *ast.Dist:
			out = append(out, declaredAs(f, distribution, s.Name.Name, s.Doc, s.Span, s.Params, s))
		case *ast.Fn:
			out = append(out, declaredAs(f, function, s.Name.Name, s.Doc, s.Span, s.Params, nil))
		case *ast.LayerDef:
			out = append(out, declaredAs(f, layer, s.Name.Name, s.Doc, s.Span, s.Params, nil))
		}
	}
	return out
}

func declaredAs(
	f *ast.File, k entryKind, name, doc string, at source.Span, params []ast.Param, d *ast.Dist,
) entry {
	head, _, _ := strings.Cut(f.Source.Text[at.Start:at.End], "{")
	_, head, _ = strings.Cut(strings.TrimSpace(head), " ") // without its word
	var labels []string
	for _, p := range params {
		labels = append(labels, f.Source.Text[p.Start:p.End])
	}
	return entry{k, name, strings.TrimSpace(head), labels, strings.TrimSpace(doc), d, false}
}

// entry finds a function, layer or distribution, the file's before the library's.
func (a *analysis) entry(name string, dist bool) (entry, bool) {
	for _, e := range append(declared(a.model.File, nil), library()[name]...) {
		if e.name == name && (e.kind == distribution) == dist {
			return e, true
		}
	}
	return entry{}, false
}

// kindDoc is the doc of a type.
func kindDoc(name string) string {
	if k, ok := types.KindNamed(name); ok {
		return k.Info().Doc
	}
	return ""
}
