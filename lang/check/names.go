package check

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A scope holds the visible values.
type scope struct {
	outer *scope
	names map[string]*Symbol
	// barrier marks the scope of a fn's arguments, which hides the scopes outside.
	barrier bool
}

func newScope(outer *scope) *scope { return &scope{outer: outer, names: map[string]*Symbol{}} }

func (s *scope) find(name string) *Symbol {
	for ; s != nil; s = s.outer {
		if v, ok := s.names[name]; ok {
			return v
		}
	}
	return nil
}

// declare makes a value known from here on. Nothing may be hidden except by
// the arguments of a fn.
func (c *checker) declare(id *ast.Ident, s *Symbol) *Symbol {
	s.Name, s.Span, s.File = id.Name, id.Span, c.in.file.Source
	if s.Part == 0 && s.Kind != Let && s.Kind != Track {
		s.Part = -1
	}
	s.Plate = append([]*Symbol(nil), c.plates...)
	c.m.Uses[id] = s
	here := c.scope.names[id.Name]
	if old := c.scope.find(id.Name); here != nil || old != nil && !c.scope.barrier {
		what := "is already declared"
		if here == nil {
			what = "would hide another"
		}
		d := seeAlso(c.report(NameTwice, id.Span, "%s %s: a name is declared once", id.Name, what),
			old, "%s is declared here as %s", old.Name, old.Kind.article())
		if s.Expr != nil && readsName(s.Expr, id.Name) {
			d.Note("nothing is changed in place: a new value has another name, and what changes " +
				"from step to step is carried by a scan: `let level = scan t in T from level = 0 " +
				"{ 0.9 * level + y[t] }`")
		}
	}
	c.scope.names[id.Name] = s
	if c.scope == c.in.values {
		delete(c.in.later, id.Name)
		if c.in.name == "" {
			c.m.Symbols = append(c.m.Symbols, s)
		}
	}
	return s
}

// declareFn does the same for what stands before a bracket.
func (c *checker) declareFn(id *ast.Ident, s *Symbol, table map[string]*Symbol) bool {
	s.Name, s.Span, s.File, s.Part = id.Name, id.Span, c.in.file.Source, -1
	c.m.Uses[id] = s
	delete(c.in.laterF, id.Name)
	if old := table[id.Name]; old != nil {
		seeAlso(c.report(NameTwice, id.Span, "%s is already declared: a name is declared once",
			id.Name), old, "%s is declared here as %s", old.Name, old.Kind.article())
		return false
	}
	table[id.Name] = s
	if c.in.name == "" {
		c.m.Symbols = append(c.m.Symbols, s)
	}
	return true
}

// lookup returns the value with a name, or reports that there is none.
func (c *checker) lookup(name string, at source.Span) *Symbol {
	if s := c.scope.find(name); s != nil {
		return s
	}
	if c.in == c.root && c.quiet == 0 {
		if c.missed[name] {
			return nil
		}
		c.missed[name] = true
	}
	for _, own := range c.defining {
		if own.Name == name {
			c.report(UsedBefore, at, "%s stands in its own definition", name).
				Note("what a step has from the one before is carried by a scan: `let level = " +
					"scan t in T from level = 0 { 0.9 * level + y[t] }`, whose entry 0 is the start")
			return nil
		}
	}
	if span, ok := c.in.later[name]; ok {
		c.report(UsedBefore, at, "%s is used before its declaration", name).
			NoteAt(c.in.file.Source, span, "it is declared here: move that up")
		return nil
	}
	if c.lost(name) {
		return nil
	}
	if c.in.fns[name] != nil {
		s := c.in.fns[name]
		seeAlso(c.report(FnAsValue, at, "%s is %s, not a value", name, s.Kind.article()), s,
			"declared here")
		return nil
	}
	if _, ok := builtin.Lookup(name); ok {
		c.report(FnAsValue, at, "%s is a function, not a value",
			name).Note("a function is called: " + name + "(…)")
		return nil
	}
	if isDistName(name) {
		c.report(DistAsValue, at, "%s is a distribution, not a value: it stands after ~", name)
		return nil
	}
	d := c.report(NoSuchValue, at, "%s is not declared", name)
	if h, ok := foreign.Values[name]; ok {
		if h.Note != "" {
			d.Note(h.Note)
		} else {
			d.Note("here it is written "+h.Name).Suggest(at, h.Name)
		}
		return nil
	}
	if s := c.gone[name]; s != nil && c.in == c.root {
		seeAlso(d, s, "it is declared here, and seen only in the braces or brackets around it")
	} else if s := spelling.Nearest(name, c.candidates()); s != "" {
		d.Note("did you mean "+s+"?").Suggest(at, s)
	}
	return nil
}

// lost reports whether a name occurs in a statement that could not be parsed. Errors about the name
// then follow from that statement, which has been reported.
func (c *checker) lost(name string) bool {
	_, found := slices.BinarySearch(c.in.file.Lost, name)
	return found
}

// mostCompared bounds the names that unknown ones are compared with, in all: in a
// model of very many names of which many are unknown, the last ones go without a
// suggestion.
const mostCompared = 1 << 18

// candidates returns the visible values, for a suggestion; none once mostCompared is reached.
func (c *checker) candidates() []string {
	if c.compared >= mostCompared {
		return nil
	}
	names := c.visible()
	slices.Sort(names) // of names that are equally near always the same is said
	c.compared += len(names)
	return names
}

// visible lists the values in sight.
func (c *checker) visible() []string {
	var names []string
	for s := c.scope; s != nil; s = s.outer {
		for n := range s.names {
			names = append(names, n)
		}
	}
	return names
}

// use brings the names of a library file into sight.
func (c *checker) use(s *ast.Use) {
	u := c.module(s.Name.Name)
	if u == nil {
		d := c.report(NoSuchModule, s.Name.Span, "there is no library module %s", s.Name.Name)
		if n := spelling.Nearest(s.Name.Name, libraryNames()); n != "" {
			d.Note("did you mean "+n+"?").Suggest(s.Name.Span, n)
		}
		return
	}
	for _, have := range c.in.uses {
		if have == u {
			return
		}
	}
	c.in.uses = append(c.in.uses, u)
}

// suggest adds the closest of several candidates to a diagnostic.
func suggest(d *diag.Diagnostic, at source.Span, name string, candidates []string) {
	if s := spelling.Nearest(name, candidates); s != "" {
		d.Note(fmt.Sprintf("did you mean %s?", s)).Suggest(at, s)
	}
}

// readsName reports whether a name occurs in an expression.
func readsName(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && x.Name == name {
			found = true
		}
		return !found
	})
	return found
}
