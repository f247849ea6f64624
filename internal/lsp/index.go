package lsp

import (
	"cmp"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
)

// An occurrence is a name at a place of the file, and what it stands for.
type occurrence struct {
	source.Span
	symbol *check.Symbol
	node   ast.Node // the name, a call's name or a distribution's
}

// An index has the names of a file in the order of the text.
type index struct {
	model *check.Model
	names []occurrence
	// of plates, comprehensions, scans and definitions: names in them end there
	scopes []source.Span
	exprs  []ast.Expr // those with a type
	calls  []*ast.Call
	dists  []*ast.DistExpr
	lets   []*ast.Let
	tildes []*ast.Tilde
}

func newIndex(f *ast.File, m *check.Model) *index {
	x := &index{model: m}
	ast.InspectFile(f, func(n ast.Node) bool {
		x.visit(n)
		return true
	})
	slices.SortStableFunc(x.names,
		func(a, b occurrence) int { return cmp.Compare(a.Start, b.Start) })
	x.names = slices.CompactFunc(x.names, func(a, b occurrence) bool { return a.Span == b.Span })
	return x
}

func (x *index) add(n ast.Node) {
	if s := x.model.Uses[n]; s != nil {
		x.names = append(x.names, occurrence{n.Pos(), s, n})
	}
}

// visit takes the names that a node itself has; those in its parts have nodes of their own.
func (x *index) visit(n ast.Node) {
	if e, ok := n.(ast.Expr); ok {
		if _, typed := x.model.Types[e]; typed {
			x.exprs = append(x.exprs, e)
		}
	}
	switch n := n.(type) {
	case *ast.Name:
		x.add(n)
	case *ast.Select:
		x.add(&n.Name)
	case *ast.Call:
		x.calls = append(x.calls, n)
		if c := x.model.Callees[n]; c != nil {
			x.named(n.Args, parametersOf(c.Fn, c.Dist))
		}
	case *ast.Comp, *ast.Block, *ast.DistItem:
		x.scopes = append(x.scopes, n.Pos())
	case *ast.Tilde:
		x.tildes = append(x.tildes, n)
	case *ast.For:
		x.scopes = append(x.scopes, n.Span)
	case *ast.Scan:
		x.scopes = append(x.scopes, n.Span)
		for i := range n.Carries {
			x.add(&n.Carries[i].Name)
		}
	case *ast.DistExpr:
		x.dists = append(x.dists, n)
		x.add(&n.Name)
		if u := x.model.Dists[n]; u != nil {
			x.named(n.Args, parametersOf(nil, u.Def))
		}
	default:
		x.declaration(n)
	}
}

func (x *index) declaration(n ast.Node) {
	switch n := n.(type) {
	case *ast.Var:
		x.add(&n.Name)
	case *ast.DimItem:
		x.add(&n.Name)
		if n.Parent != nil {
			x.add(n.Parent)
		}
	case *ast.Param:
		x.add(&n.Name)
	case *ast.Bind:
		x.add(&n.Var)
	case *ast.Let:
		x.lets = append(x.lets, n)
		for i := range n.Names {
			x.add(&n.Names[i])
		}
	case *ast.Fn:
		x.scopes = append(x.scopes, n.Span)
		x.add(&n.Name)
	case *ast.LayerDef:
		x.scopes = append(x.scopes, n.Span)
		x.add(&n.Name)
	case *ast.Dist:
		x.scopes = append(x.scopes, n.Span)
		x.add(&n.Name)
		for i := range n.Items {
			for j := range n.Items[i].Params {
				x.add(&n.Items[i].Params[j])
			}
		}
	case *ast.LayerItem:
		x.add(&n.Name)
		x.add(&n.Def)
		if s := x.model.Uses[&n.Name]; s != nil && s.Inst != nil && s.Inst.Def != nil {
			x.named(n.Args, slices.Concat(s.Inst.Def.Sizes, s.Inst.Def.Values, s.Inst.Def.Dists))
		}
	}
}

func parametersOf(f *check.FnInfo, d *check.DistDef) []*check.Symbol {
	switch {
	case f != nil:
		return f.Params
	case d != nil:
		return d.Params
	}
	return nil
}

// named takes the names of arguments, as in normal(mu = 0, sigma = 1).
func (x *index) named(args []ast.Arg, params []*check.Symbol) {
	for i := range args {
		for _, p := range params {
			if p != nil && args[i].Name.Name != "" && p.Name == args[i].Name.Name {
				x.names = append(x.names, occurrence{args[i].Name.Span, p, &args[i].Name})
			}
		}
	}
}

// at finds the name that a place is in or at the end of.
func (x *index) at(offset int) (occurrence, bool) {
	i, _ := slices.BinarySearchFunc(x.names, offset, func(o occurrence, offset int) int {
		return cmp.Compare(o.End, offset)
	})
	for ; i < len(x.names) && x.names[i].Start <= offset; i++ {
		if next := i + 1; x.names[i].End == offset && next < len(x.names) &&
			x.names[next].Start == offset {
			continue
		}
		return x.names[i], true
	}
	return occurrence{}, false
}

// scope is the smallest scope around the declaration of a name; whole is of the file.
func (x *index) scope(s *check.Symbol, whole source.Span) source.Span {
	out := whole
	for _, span := range x.scopes {
		inside := span.Start <= s.Span.Start && s.Span.End <= span.End
		if inside && span.End-span.Start < out.End-out.Start && !declares(s, span) {
			out = span
		}
	}
	return out
}

// declares says that a span is the definition of the function, layer or distribution itself.
func declares(s *check.Symbol, span source.Span) bool {
	switch s.Kind {
	case check.Fn, check.LayerDef, check.Dist:
		return s.Decl != nil && s.Decl.Pos() == span
	}
	return false
}

// expr finds the smallest expression with a type around a place.
func (x *index) expr(offset int) ast.Expr {
	var out ast.Expr
	for _, e := range x.exprs {
		if s := e.Pos(); s.Start <= offset && offset < s.End &&
			(out == nil || s.End-s.Start <= out.Pos().End-out.Pos().Start) {
			out = e
		}
	}
	return out
}
