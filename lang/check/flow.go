package check

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A flow says how a value depends on the rows of one dim.
type flow struct {
	kind  flowKind
	axis  int         // of flowRow: which axis of the value is the rows; -1 when index says the row
	index *Symbol     // of flowRow: the bound index of the row
	at    source.Span // of flowBad
	why   string
	local *Symbol // a local that is shared by the rows
}

type flowKind int

const (
	flowNone flowKind = iota // no row of data with an unknown, or data alone without rows
	flowRow                  // row by row
	flowSum                  // a sum over the rows, times what all share, plus what all share
	flowBad                  // anything else
)

func coupled(at source.Span, format string, args ...any) flow {
	return flow{kind: flowBad, at: at, why: fmt.Sprintf(format, args...)}
}

// data is the flow of a value of data alone: a constant, or the row's own.
func (a *coupling) data(e ast.Expr) flow {
	t := a.c.m.Types[e]
	axis := -1
	for i, p := range t.Shape {
		if !slices.Contains(p.Dims(), a.dim) {
			continue
		}
		if !p.Equal(size.Dim(a.dim)) {
			return coupled(e.Pos(),
				"the %s entries here are not the rows of %s; a plate over a range of %s says "+
					"which rows they are", p, a.dim, a.dim)
		}
		if axis >= 0 {
			return coupled(e.Pos(), "this has an entry for every pair of rows of %s", a.dim)
		}
		axis = i
	}
	var index *Symbol
	pair := false
	walk(e, func(x ast.Expr) {
		n, ok := x.(*ast.Name)
		if !ok {
			return
		}
		s := a.c.m.Uses[n]
		if s == nil {
			return
		}
		row := s
		if !a.active[s] {
			row = a.env[s].index
			if s.Kind == Data {
				row = nil
			}
		}
		if row != nil && a.active[row] {
			pair = pair || index != nil && index != row
			index = row
		}
	})
	switch {
	case pair || index != nil && axis >= 0:
		return coupled(e.Pos(), "this puts a row of %s together with others", a.dim)
	case index != nil:
		return flow{kind: flowRow, axis: -1, index: index}
	case axis >= 0:
		return flow{kind: flowRow, axis: axis}
	}
	return flow{}
}

// expr is the flow of any value.
func (a *coupling) expr(e ast.Expr) flow {
	if e == nil {
		return flow{}
	}
	a.fuel--
	if a.fuel < 0 {
		return coupled(e.Pos(), "this is too large to analyse")
	}
	if a.inFn == 0 && a.c.m.Levels[e].Stage < OfParams {
		return a.data(e)
	}
	switch e := e.(type) {
	case *ast.Name:
		return a.name(e)
	case *ast.Paren:
		return a.expr(e.X)
	case *ast.Unary:
		if e.Op == "-" {
			return a.expr(e.X)
		}
		return a.each(e, "not", e.X)
	case *ast.Binary:
		return a.binary(e)
	case *ast.If:
		cond := a.expr(e.Cond)
		x, y := a.expr(e.Then), a.expr(e.Else)
		if cond.kind == flowNone {
			return a.linear(e, []ast.Expr{e.Cond, e.Then, e.Else}, []flow{cond, x, y})
		}
		return a.combine(e, []ast.Expr{e.Cond, e.Then, e.Else}, []flow{cond, x, y}, "if")
	case *ast.Tuple:
		return a.parts(e, e.Elems, 0)
	case *ast.Array:
		return a.parts(e, e.Elems, 1)
	case *ast.Comp:
		return a.comp(e)
	case *ast.Call:
		return a.call(e)
	case *ast.Index:
		return a.subscripts(e)
	case *ast.Scan:
		return a.scan(e)
	}
	return flow{}
}

func (a *coupling) name(e *ast.Name) flow {
	s := a.c.m.Uses[e]
	if s == nil {
		return flow{}
	}
	if a.active[s] {
		return flow{kind: flowRow, axis: -1, index: s}
	}
	if f, ok := a.env[s]; ok {
		if f.kind == flowRow && f.index != nil && !a.active[f.index] {
			return coupled(e.Span, "%s belongs to another row of %s", s.Name, a.dim)
		}
		return f
	}
	switch s.Kind {
	case LocalVar:
		return a.unknown(s)
	case Param:
		if s.By == "collapse" {
			return flow{local: s} // what depends on it is tied together
		}
		return a.unknown(s)
	case Data, Let, Track:
		return a.data(e)
	}
	return flow{}
}

// each is a function of numbers applied to values.
func (a *coupling) each(at ast.Expr, what string, es ...ast.Expr) flow {
	fs := make([]flow, len(es))
	for i, e := range es {
		fs[i] = a.expr(e)
	}
	return a.combine(at, es, fs, what)
}

func (a *coupling) binary(e *ast.Binary) flow {
	x, y := a.expr(e.X), a.expr(e.Y)
	es, fs := []ast.Expr{e.X, e.Y}, []flow{x, y}
	switch e.Op {
	case "+", "-":
		return a.linear(e, es, fs)
	case "*":
		if x.kind == flowNone || y.kind == flowNone {
			return a.linear(e, es, fs)
		}
	case "/":
		if y.kind == flowNone {
			return a.linear(e, es, fs)
		}
	case "@":
		return a.contract(e, x, y)
	}
	return a.combine(e, es, fs, e.Op)
}

// linear is combine for operations that may be applied to a sum over the rows.
func (a *coupling) linear(at ast.Expr, es []ast.Expr, fs []flow) flow {
	sum, row := false, false
	var local *Symbol
	for _, f := range fs {
		if f.kind == flowBad {
			return f
		}
		sum, row = sum || f.kind == flowSum, row || f.kind == flowRow
		if f.local != nil {
			local = f.local
		}
	}
	if !sum {
		return a.combine(at, es, fs, "")
	}
	if row {
		return coupled(at.Pos(), "a sum over all rows of %s enters each of them", a.dim)
	}
	return flow{kind: flowSum, local: local}
}

// combine puts values together entry by entry.
func (a *coupling) combine(at ast.Expr, es []ast.Expr, fs []flow, what string) flow {
	out := flow{axis: -1}
	var shapes []types.Shape
	for i, f := range fs {
		if f.kind == flowBad {
			return f
		}
		if f.kind == flowSum {
			return coupled(at.Pos(), "%s of a sum over %s is no sum over %s", what, a.dim, a.dim)
		}
		if f.local != nil {
			out.local = f.local
		}
		shapes = append(shapes, a.c.m.Types[es[i]].Shape)
	}
	large, _, _ := types.Largest(shapes)
	first := true
	for i, f := range fs {
		if f.kind != flowRow {
			continue
		}
		axis := f.axis
		if axis >= 0 {
			if places, ways := types.Fit(shapes[i], large); ways == 1 && axis < len(places) {
				axis = places[axis]
			}
		}
		if !first && (axis != out.axis || f.index != out.index) {
			return coupled(at.Pos(), "this puts a row of %s together with others", a.dim)
		}
		first = false
		out.kind, out.axis, out.index = flowRow, axis, f.index
	}
	return out
}

// parts are the entries of an array or tuple; shift is how many axes come first.
func (a *coupling) parts(at ast.Expr, es []ast.Expr, shift int) flow {
	fs := make([]flow, len(es))
	for i, e := range es {
		fs[i] = a.expr(e)
	}
	f := a.linear(at, es, fs)
	if f.kind == flowRow && f.axis >= 0 {
		f.axis += shift
	}
	return f
}

// contract is x @ y.
func (a *coupling) contract(e *ast.Binary, x, y flow) flow {
	if x.kind == flowBad {
		return x
	}
	if y.kind == flowBad {
		return y
	}
	rank := len(a.c.m.Types[e.X].Shape)
	inX := x.kind == flowRow && x.axis >= 0 && x.axis == rank-1
	inY := y.kind == flowRow && y.axis == 0
	local := x.local
	if local == nil {
		local = y.local
	}
	switch {
	case inX && (inY || y.kind == flowNone), inY && x.kind == flowNone:
		return flow{kind: flowSum, local: local}
	case x.kind == flowNone && y.kind == flowRow && y.axis > 0:
		y.axis += rank - 2
		y.local = local
		return y
	case x.kind == flowNone || y.kind == flowNone:
		f := x
		if x.kind == flowNone {
			f = y
		}
		f.local = local
		return f
	case x.kind == flowRow && y.kind == flowRow && x.axis < 0 && y.axis < 0 && x.index == y.index:
		x.local = local
		return x
	}
	return coupled(e.Span, "this puts a row of %s together with others", a.dim)
}

// comp is [e for i in I]: an index over the dim becomes an axis.
func (a *coupling) comp(e *ast.Comp) flow {
	f, opened, place := a.bound(e)
	switch {
	case f.kind == flowBad:
		return f
	case len(opened) > 1 && f.kind == flowRow, len(opened) > 0 && f.kind == flowRow &&
		!slices.Contains(opened, f.index), len(opened) > 1:
		return coupled(e.Span, "this has an entry for every pair of rows of %s", a.dim)
	case len(opened) == 1 && f.kind == flowSum:
		return coupled(e.Span, "a sum over all rows of %s enters each of them", a.dim)
	case len(opened) == 1:
		return flow{kind: flowRow, axis: place, local: f.local}
	case f.kind == flowRow && f.axis >= 0:
		f.axis += len(e.Binds)
	}
	return f
}

// bound evaluates the element of a comprehension; opened are its indices over
// the dim, place the axis of the first.
func (a *coupling) bound(e *ast.Comp) (f flow, opened []*Symbol, place int) {
	for i := range e.Binds {
		if s := a.bind(&e.Binds[i]); s != nil {
			if len(opened) == 0 {
				place = i
			}
			opened = append(opened, s)
		}
	}
	f = a.expr(e.Elem)
	for i := range e.Binds {
		f = a.moved(f, &e.Binds[i])
	}
	for _, s := range opened {
		delete(a.active, s)
	}
	return f, opened, place
}

// moved returns the flow of an element whose index has a range with ends that depend on the row.
func (a *coupling) moved(f flow, b *ast.Bind) flow {
	r := a.c.m.Ranges[b]
	if r == nil {
		return f
	}
	for _, end := range r.Ends {
		if end == nil || f.kind == flowBad {
			continue
		}
		g := a.expr(end)
		switch {
		case g.kind == flowNone:
		case g.kind != flowRow || g.axis >= 0 || f.kind == flowSum:
			return coupled(end.Pos(), "the ends of a range put rows of %s together with others",
				a.dim)
		case f.kind == flowNone:
			g.local = pick(f.local, g.local)
			f = g
		case f.index != g.index:
			return coupled(end.Pos(), "the ends of a range put a row of %s together with others",
				a.dim)
		}
	}
	return f
}

// scan couples the rows it runs over; over anything else it is the row's own.
func (a *coupling) scan(e *ast.Scan) flow {
	var starts []ast.Expr
	for i := range e.Carries {
		starts = append(starts, e.Carries[i].Init)
	}
	if s := a.c.m.Uses[&e.Bind.Var]; s != nil && a.over(s.Range) {
		return coupled(e.Bind.Span, "each step of the scan over %s needs the one before", a.dim)
	}
	f := a.parts(e, starts, 0)
	for range 2 {
		if f.kind == flowSum {
			return coupled(e.Span, "a scan carries a sum over the rows of %s", a.dim)
		}
		for i := range e.Carries {
			if s := a.c.m.Uses[&e.Carries[i].Name]; s != nil {
				a.env[s] = f
			}
		}
		g := a.block(e.Body)
		if g.kind == flowBad {
			return g
		}
		if f.kind == flowNone {
			g.local = pick(g.local, f.local)
			f = g
		} else if g.kind != flowNone &&
			(g.kind != f.kind || g.axis != f.axis || g.index != f.index) {
			return coupled(e.Span, "this puts a row of %s together with others", a.dim)
		}
	}
	if f.kind == flowSum {
		return coupled(e.Span, "a scan carries a sum over the rows of %s", a.dim)
	}
	if f.kind == flowRow && f.axis >= 0 {
		f.axis++
	}
	return f
}

func pick(a, b *Symbol) *Symbol {
	if a != nil {
		return a
	}
	return b
}

func (a *coupling) block(b *ast.Block) flow {
	if b == nil {
		return flow{}
	}
	for _, l := range b.Lets {
		a.let(l)
	}
	return a.expr(b.Result)
}

// subscripts is a[i, j].
func (a *coupling) subscripts(e *ast.Index) flow {
	base := a.expr(e.X)
	if base.kind == flowBad {
		return base
	}
	out := base
	place := 0 // in the result
	axis := -1
	for i, sub := range e.Subs {
		r, isRange := sub.(*ast.Range)
		own := base.kind == flowRow && base.axis == i
		switch {
		case own && isRange && r.Lo == nil && r.Hi == nil:
			axis = place
			place++
			continue
		case own && isRange:
			return coupled(e.Span, "this reads a part of the rows of %s by themselves", a.dim)
		case isRange:
			place++
			continue
		}
		f := a.expr(sub)
		if f.kind == flowBad || f.kind == flowSum {
			return f
		}
		out.local = pick(out.local, f.local)
		if own {
			if n, ok := sub.(*ast.Name); ok && a.active[a.c.m.Uses[n]] {
				out = flow{kind: flowRow, axis: -1, index: a.c.m.Uses[n], local: out.local}
				continue
			}
			return coupled(e.Span, "this reads another row of %s", a.dim)
		}
		if f.kind == flowRow {
			moved := f
			if f.axis >= 0 {
				moved.axis = place + f.axis
			}
			if out.kind == flowRow && (out.index != moved.index || out.index == nil) {
				return coupled(e.Span, "this puts a row of %s together with others", a.dim)
			}
			moved.local = out.local
			out = moved
			axis = moved.axis
		}
		if t := a.c.m.Types[sub]; len(t.Shape) > 0 {
			place += len(t.Shape)
		}
	}
	if base.kind == flowRow && base.axis >= len(e.Subs) {
		axis = place + base.axis - len(e.Subs)
	}
	if out.kind == flowRow && out.index == nil {
		out.axis = axis
	}
	return out
}
