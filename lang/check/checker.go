package check

import (
	"fmt"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// Check checks a parsed model. It never panics; all mistakes are in Diags.
func Check(f *ast.File, o Options) *Model {
	m := &Model{
		File:     f,
		Types:    map[ast.Expr]types.Type{},
		Levels:   map[ast.Expr]Level{},
		Uses:     map[ast.Node]*Symbol{},
		Required: map[*Symbol]*Required{},
		Sizes:    map[ast.Expr]types.Size{},
		Ranges:   map[*ast.Bind]*Range{},
		Rows:     map[ast.Expr]string{},
		Indexes:  map[ast.Expr]*Subscript{},
		Callees:  map[*ast.Call]*Callee{},
		Dists:    map[*ast.DistExpr]*DistUse{},
	}
	c := &checker{m: m, opts: o, modules: map[string]*unit{}, missed: map[string]bool{},
		gone: map[string]*Symbol{}}
	c.root = newUnit(f, "")
	c.in = c.root
	c.in.foresee()
	c.scope = c.in.values
	for _, s := range f.Stmts {
		c.statement(s)
	}
	c.finish()
	m.Diags.Sort()
	return m
}

// A checker walks one model and the library files that it uses.
type checker struct {
	m        *Model
	opts     Options
	modules  map[string]*unit // library files by name, once parsed
	compared int              // names that unknown ones were compared with
	pending  []func()         // bodies of library distributions, checked after what uses them

	// Where the walk is.
	root   *unit
	in     *unit
	scope  *scope
	plates []*Symbol // the indices of the plates around
	fn     *fnContext
	dist   *distContext
	layer  *LayerInfo
	quiet  int // above 0: no reports, a first pass over a scan's body
	guards []guard

	defining   []ast.Ident // the names of the let whose value is being checked
	generating bool        // it is that of a generate, which may draw at random

	gone     map[string]*Symbol // values of inner scopes that are closed
	missed   map[string]bool    // values that were reported as not declared: once is enough
	observed []*observation
	unknowns []*Symbol
}

// A unit is one file: the model or a file of the library.
type unit struct {
	file   *ast.File
	name   string // of a library file; empty for the model
	values *scope
	fns    map[string]*Symbol // functions, layer definitions and instances: what stands before (
	dists  map[string]*Symbol
	uses   []*unit
	// values declared at file level, for "used before its declaration"
	later  map[string]source.Span
	laterF map[string]source.Span
	left   map[string]bool // names that stand left of some ~
}

func newUnit(f *ast.File, name string) *unit {
	return &unit{file: f, name: name, values: newScope(nil), fns: map[string]*Symbol{},
		dists: map[string]*Symbol{},
		later: map[string]source.Span{}, laterF: map[string]source.Span{}, left: map[string]bool{}}
}

// foresee notes where the file-level names are declared.
func (u *unit) foresee() {
	u.foreseeLeft(u.file.Stmts)
	for _, s := range u.file.Stmts {
		switch s := s.(type) {
		case *ast.Dim:
			for _, it := range s.Items {
				u.later[it.Name.Name] = it.Name.Span
			}
		case *ast.Const:
			for _, it := range s.Items {
				u.later[it.Name.Name] = it.Name.Span
			}
		case *ast.Data:
			u.foreseeGroups(s.Groups)
		case *ast.ParamDecl:
			u.foreseeGroups(s.Groups)
		case *ast.Let:
			for _, n := range s.Names {
				u.later[n.Name] = n.Span
			}
		case *ast.Fn:
			u.laterF[s.Name.Name] = s.Name.Span
		case *ast.LayerDef:
			u.laterF[s.Name.Name] = s.Name.Span
		case *ast.LayerUse:
			for _, it := range s.Items {
				u.laterF[it.Name.Name] = it.Name.Span
			}
		}
	}
}

// foreseeLeft records which data are modelled: their missing entries are unknowns.
func (u *unit) foreseeLeft(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.For:
			u.foreseeLeft(s.Body)
		case *ast.Tilde:
			if n, _ := leftName(s.Left); n != nil {
				u.left[n.Name] = true
			}
		}
	}
}

func (u *unit) foreseeGroups(groups []ast.Group) {
	for _, g := range groups {
		for _, v := range g.Vars {
			u.later[v.Name.Name] = v.Name.Span
		}
	}
}

// report adds an error at a place of the file that is being checked.
func (c *checker) report(
	code diag.Code, at source.Span, format string, args ...any,
) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), Span: at,
		File: c.in.file.Source}
	if c.quiet == 0 {
		c.m.Diags.Add(d)
	}
	return d
}

func (c *checker) warn(
	code diag.Code, at source.Span, format string, args ...any,
) *diag.Diagnostic {
	d := c.report(code, at, format, args...)
	d.Severity = diag.Warning
	return d
}

// seeAlso points a diagnostic at the declaration of a symbol.
func seeAlso(d *diag.Diagnostic, s *Symbol, format string, args ...any) *diag.Diagnostic {
	if s == nil || s.File == nil {
		return d
	}
	return d.NoteAt(s.File, s.Span, fmt.Sprintf(format, args...))
}

// within runs f in an inner scope.
func (c *checker) within(f func()) {
	outer := c.scope
	c.scope = newScope(outer)
	f()
	if c.in == c.root {
		for name, s := range c.scope.names {
			c.gone[name] = s
		}
	}
	c.scope = outer
}

// inUnit runs f as if it stood at the file level of another file.
func (c *checker) inUnit(u *unit, f func()) {
	saved := *c
	c.in, c.scope, c.plates, c.fn, c.dist, c.layer, c.quiet = u, u.values, nil, nil, nil, nil, 0
	f()
	c.in, c.scope, c.plates, c.fn, c.dist, c.layer, c.quiet =
		saved.in, saved.scope, saved.plates, saved.fn, saved.dist, saved.layer, saved.quiet
}

func (c *checker) finish() {
	for len(c.pending) > 0 {
		f := c.pending[0]
		c.pending = c.pending[1:]
		f()
	}
	c.cycles()
	c.checkObserved()
	c.checkPriors()
	// Diagnostics about the model as a whole need all of it.
	whole := len(c.m.File.Lost) == 0
	if whole && !c.m.Diags.Errors() {
		c.strategies()
	}
	if whole && !c.m.Diags.Errors() {
		c.batchAxes()
	}
}

func (c *checker) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Use:
		c.use(s)
	case *ast.Dim:
		c.dims(s)
	case *ast.Const:
		c.consts(s)
	case *ast.Data:
		c.groups(s.Groups, Data, s.Doc)
	case *ast.ParamDecl:
		c.groups(s.Groups, Param, s.Doc)
	case *ast.Local:
		c.groups(s.Groups, LocalVar, s.Doc)
	case *ast.Let:
		c.let(s)
	case *ast.Fn:
		c.fnDecl(s)
	case *ast.LayerDef:
		c.layerDef(s)
	case *ast.LayerUse:
		c.layerUse(s)
	case *ast.Dist:
		c.distDecl(s)
	case *ast.Tilde:
		c.tilde(s)
	case *ast.Factor:
		c.factor(s)
	case *ast.Require:
		c.require(s)
	case *ast.For:
		c.plate(s)
	}
}
