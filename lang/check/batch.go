package check

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// batchAxes decides for each dim that some data has whether its rows can be
// drawn: no unknown has it, and every term that has it is a sum over it.
func (c *checker) batchAxes() {
	for _, s := range c.m.Symbols {
		if s.Kind != Dim || !c.dataHas(s.Name) {
			continue
		}
		if s.Parent != nil {
			c.m.Unbatchable = append(c.m.Unbatchable,
				Unbatchable{s.Name, s.Span,
					fmt.Sprintf("%s is the length of a row of %s; whole rows of %s are drawn",
						s.Name, s.Parent.Name, s.Parent.Name)})
			continue
		}
		a := &coupling{c: c, dim: s.Name, env: map[*Symbol]flow{}, active: map[*Symbol]bool{},
			fuel: 50000}
		a.state()
		for _, st := range c.m.File.Stmts {
			a.statement(st)
		}
		switch {
		case a.found != nil:
			c.m.Unbatchable = append(c.m.Unbatchable, Unbatchable{s.Name, a.found.at, a.found.why})
		case !a.rows:
			c.m.Unbatchable = append(c.m.Unbatchable,
				Unbatchable{s.Name, s.Span, "no term of the density is a sum over " + s.Name})
		default:
			c.m.Batchable = append(c.m.Batchable, Axis{s.Name, s})
		}
	}
}

func (c *checker) dataHas(dim string) bool {
	for _, s := range c.m.Symbols {
		if s.Kind == Data && hasSize(s.Type.Shape, dim) {
			return true
		}
	}
	return false
}

// hasSize says that a dim occurs in a shape.
func hasSize(s types.Shape, dim string) bool {
	for _, p := range s {
		if slices.Contains(p.Dims(), dim) {
			return true
		}
	}
	return false
}

// A coupling looks for what ties the rows of one dim together.
type coupling struct {
	c      *checker
	dim    string
	env    map[*Symbol]flow
	active map[*Symbol]bool // visible bound indices over the dim
	inFn   int              // inside a function's body, where levels differ from those of the call
	fuel   int
	rows   bool  // some term is a sum over the dim
	found  *flow // the first use that couples the rows
}

func (a *coupling) fail(at source.Span, format string, args ...any) {
	a.take(coupled(at, format, args...))
}

// take records the first coupling of the file.
func (a *coupling) take(f flow) {
	if a.found == nil && f.kind == flowBad {
		a.found = &f
	}
}

// state refuses unknowns that have the axis.
func (a *coupling) state() {
	for _, s := range a.c.m.Symbols {
		switch s.Kind {
		case Param:
			if hasSize(s.Type.Shape, a.dim) && !s.summedOut() {
				a.fail(s.Span, "the param %s has the axis %s", s.Name, a.dim)
			}
		case Layer:
			if s.Inst == nil {
				continue
			}
			for _, w := range s.Inst.Params {
				if hasSize(w.Type.Shape, a.dim) {
					a.fail(s.Span, "the weights %s.%s have the axis %s", s.Name,
						w.Param.Name, a.dim)
					break
				}
			}
		}
	}
}

func (a *coupling) over(r *Range) bool {
	return r != nil && !r.Moves() && slices.Contains(r.Hi().Dims(), a.dim)
}

// bind opens an index; the result closes it.
func (a *coupling) bind(b *ast.Bind) *Symbol {
	s := a.c.m.Uses[&b.Var]
	if s != nil && a.over(s.Range) {
		a.active[s] = true
		return s
	}
	return nil
}

func (a *coupling) statement(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.Let:
		a.let(st)
	case *ast.ParamDecl:
		for i := range st.Groups {
			a.priors(&st.Groups[i])
		}
	case *ast.Local:
		for i := range st.Groups {
			a.priors(&st.Groups[i])
		}
	case *ast.LayerUse:
	case *ast.Tilde:
		if use := a.c.m.Dists[st.Dist]; use != nil {
			a.tilde(a.left(st.Left), use, st.Left.Pos(), st.Dist)
		}
	case *ast.Factor:
		f := a.expr(st.Value)
		switch {
		case f.kind == flowSum && len(a.active) > 0:
			f = coupled(st.Value.Pos(), "a sum over all rows of %s stands in a plate over %s",
				a.dim, a.dim)
		case f.local != nil && (f.kind != flowNone || len(a.active) > 0):
			f = sharedLocal(st.Value.Pos(), f.local, a.dim)
		case f.kind == flowNone && len(a.active) > 0:
			a.rows = true
		}
		a.rows = a.rows || f.kind == flowRow || f.kind == flowSum
		a.take(f)
	case *ast.For:
		var opened []*Symbol
		for i := range st.Binds {
			if s := a.bind(&st.Binds[i]); s != nil {
				opened = append(opened, s)
			}
		}
		for _, x := range st.Body {
			a.statement(x)
		}
		for _, s := range opened {
			delete(a.active, s)
		}
	}
}

func (a *coupling) let(st *ast.Let) {
	f := a.expr(st.Value)
	for i := range st.Names {
		if s := a.c.m.Uses[&st.Names[i]]; s != nil {
			a.env[s] = f
		}
	}
}

func sharedLocal(at source.Span, s *Symbol, dim string) flow {
	switch {
	case s.Kind == Param && s.summedOut():
		f := coupled(at, "the rows of %s share %s, which is summed out", dim, s.Name)
		if entries, ok := onlySize(s.Type.Shape).Name(); ok {
			f.why += fmt.Sprintf("; with the rows of each entry as one row of a ragged dim, "+
				"T(%s), %s can be minibatched", entries, entries)
		}
		return f
	case s.Kind == Param:
		return coupled(at, "the rows of %s share %s, which is integrated out", dim, s.Name)
	}
	return coupled(at, "the rows of %s share the local %s", dim, s.Name)
}

// onlySize returns the size of a shape with one axis; 0 for other shapes.
func onlySize(s types.Shape) types.Size {
	if len(s) != 1 {
		return types.Size{}
	}
	return s[0]
}

// priors checks what a declaration gives its unknowns.
func (a *coupling) priors(g *ast.Group) {
	for i := range g.Vars {
		s := a.c.m.Uses[&g.Vars[i].Name]
		if s == nil {
			continue
		}
		if s.Kind == LocalVar && hasSize(s.Type.Shape, a.dim) {
			a.fail(s.Span, "the local %s has the axis %s", s.Name, a.dim)
		}
		if g.Prior != nil && s.Prior != nil {
			a.tilde(a.unknown(s), s.Prior, s.Span, g.Prior)
		}
	}
}

// unknown returns how a local depends on the rows: by the index of its plate.
func (a *coupling) unknown(s *Symbol) flow {
	for _, p := range s.Plate {
		if s.Kind == LocalVar && a.active[p] {
			return flow{kind: flowRow, axis: -1, index: p}
		}
	}
	if s.Kind == LocalVar {
		return flow{local: s}
	}
	if s.summedOut() {
		return a.entries(s)
	}
	return flow{}
}

// entries returns how a param that is summed out depends on the rows: each row has its own entries
// if they have the axis of the rows; otherwise the rows share them.
func (a *coupling) entries(s *Symbol) flow {
	for i, p := range s.Type.Shape {
		switch {
		case p.Equal(size.Dim(a.dim)):
			return flow{kind: flowRow, axis: i}
		case slices.Contains(p.Dims(), a.dim):
			return coupled(s.Span, "the %s entries of %s are not the rows of %s", p, s.Name, a.dim)
		}
	}
	return flow{local: s}
}

// left returns how the left side of ~ depends on the rows.
func (a *coupling) left(e ast.Expr) flow {
	if name, _ := leftName(e); name != nil {
		if s := a.c.m.Uses[name]; s != nil && (s.Kind == Param || s.Kind == LocalVar) {
			f := a.unknown(s)
			if s.summedOut() {
				f = a.expr(e) // its entries may be rows
			}
			f.local = nil
			return f
		}
	}
	return a.data(e)
}

// tilde checks that a term is a sum over the rows: the left side's axis is one
// of independent values, and each argument is the row's own or shared by all.
func (a *coupling) tilde(left flow, use *DistUse, at source.Span, d *ast.DistExpr) {
	if left.kind == flowBad {
		a.take(left)
		return
	}
	if left.kind == flowRow {
		a.rows = true
		if left.axis >= len(use.Family) {
			name := "this distribution"
			if use.Def != nil {
				name = use.Def.Name
			}
			a.fail(at, "%s takes all rows of %s as one value", name, a.dim)
			return
		}
	}
	var opened []*Symbol
	if use.Comp != nil {
		for i := range use.Comp.Binds {
			if s := a.bind(&use.Comp.Binds[i]); s != nil {
				opened = append(opened, s)
				a.fail(at, "a mixture over the rows of %s is no sum over them", a.dim)
			}
		}
	}
	for i, e := range use.Args {
		if e == nil {
			continue
		}
		declared := types.Shape{}
		if use.Def != nil && i < len(use.Def.Params) {
			declared = types.SubstShape(use.Def.Params[i].Type.Shape, use.Sizes)
		}
		a.argument(left, a.expr(e), e, use, declared)
	}
	for _, iv := range []*ast.Interval{use.Trunc, use.Cens} {
		if iv != nil {
			a.argument(left, a.expr(iv.Lo), iv.Lo, use, nil)
			a.argument(left, a.expr(iv.Hi), iv.Hi, use, nil)
		}
	}
	for _, m := range use.Comps {
		a.tilde(left, m, at, d)
	}
	for _, s := range opened {
		delete(a.active, s)
	}
}

func (a *coupling) argument(left, f flow, e ast.Expr, use *DistUse, declared types.Shape) {
	switch {
	case f.kind == flowBad:
		a.take(f)
	case f.kind == flowSum:
		a.fail(e.Pos(), "a sum over all rows of %s enters a distribution", a.dim)
	case left.kind == flowRow && f.local != nil:
		a.take(sharedLocal(e.Pos(), f.local, a.dim))
	case f.kind != flowRow || left.kind != flowRow:
		// Shared by all rows, or data alone that is known before sampling.
		if f.kind == flowRow && left.kind == flowNone && f.axis >= 0 {
			a.fail(e.Pos(), "all rows of %s enter one distribution", a.dim)
		}
	case f.index != left.index || (f.axis < 0) != (left.axis < 0):
		a.fail(e.Pos(), "a row of %s depends on other rows here", a.dim)
	case f.axis >= 0:
		at, ways := types.Fit(a.c.m.Types[e].Shape, types.JoinShapes(use.Family, declared))
		if ways != 1 || at[f.axis] != left.axis {
			a.fail(e.Pos(), "a row of %s depends on other rows here", a.dim)
		}
	}
}
