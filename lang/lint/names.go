package lint

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// unused finds inputs, parameters and values that no term and no tracked value
// mentions. The prior of a parameter does not count as a use of it. The parts of a tuple
// are there because the tuple is: one that is used is enough.
func (l *linter) unused() {
	used := map[*check.Symbol]bool{}
	left := map[ast.Node]bool{}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		if t, ok := n.(*ast.Tilde); ok {
			if name := ast.Root(t.Left); name != nil && l.m.Uses[name] != nil &&
				l.m.Uses[name].Kind == check.Param {
				left[name] = true
			}
		}
		return true
	})
	tuples := map[ast.Node]bool{}
	for n, s := range l.m.Uses {
		if name, ok := n.(*ast.Name); ok && !left[name] {
			used[s] = true
			if s.Kind == check.Let && s.Part >= 0 {
				tuples[s.Decl] = true
			}
		}
	}
	for _, s := range l.m.Symbols {
		switch s.Kind {
		case check.Data, check.Param, check.Let:
			if !used[s] && !(s.Part >= 0 && tuples[s.Decl]) {
				l.warn(s.Span, "nothing uses the %s %s", s.Kind, s.Name)
			}
		}
	}
}

// firstRows finds `for n in 1:N` whose row 0 is left out for no reason that
// shows: nothing in the body looks one row back, and no statement speaks of
// entry 0. Where indices count from 1 it would be all of N.
func (l *linter) firstRows() {
	l.firstEntries()
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		plate, ok := n.(*ast.For)
		if !ok {
			return true
		}
		for i := range plate.Binds {
			b := &plate.Binds[i]
			r, ok := b.In.(*ast.Range)
			if !ok {
				continue
			}
			lo, ok := number(r.Lo)
			dim := l.symbol(r.Hi)
			if !ok || lo != 1 || dim == nil || dim.Kind != check.Dim ||
				l.looksBack(l.m.Uses[&b.Var]) {
				continue
			}
			l.warn(r.Pos(), "%s runs from 1, and row 0 of %s has no part in this plate: indices "+
				"count from 0", b.Var.Name, dim.Name).
				Suggest(r.Pos(), l.text(r.Hi))
		}
		return true
	})
}

// firstEntries finds slices x[1:N] of an axis N, where nothing speaks of entry
// 0 or of the entries before the last, as differences and lags do.
func (l *linter) firstEntries() {
	var found []*ast.Range
	lagged := false
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		x, ok := n.(*ast.Index)
		if !ok {
			return true
		}
		for _, sub := range x.Subs {
			if at, ok := number(sub); ok && at == 0 {
				lagged = true
			}
			r, ok := sub.(*ast.Range)
			if !ok || r.Hi == nil {
				continue
			}
			if b, ok := r.Hi.(*ast.Binary); ok && b.Op == "-" {
				lagged = true
			}
			if r.Lo == nil {
				continue
			}
			lo, ok := number(r.Lo)
			if dim := l.symbol(r.Hi); ok && lo == 1 && dim != nil && dim.Kind == check.Dim {
				found = append(found, r)
			}
		}
		return true
	})
	for _, r := range found {
		if !lagged {
			l.warn(r.Pos(), "%s leaves entry 0 out: indices count from 0", l.text(r)).
				Note("all entries need no slice; all but the first are written `1:`")
		}
	}
}

// looksBack says that an index is computed with somewhere, or that entry 0 of
// something stands by itself in the file.
func (l *linter) looksBack(index *check.Symbol) bool {
	found := false
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Binary:
			for _, e := range []ast.Expr{n.X, n.Y} {
				if name, ok := e.(*ast.Name); ok && l.m.Uses[name] == index {
					found = true
				}
			}
		case *ast.Index:
			for _, sub := range n.Subs {
				if x, ok := number(sub); ok && x == 0 {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// indicesLessOne finds a[g[n] - 1] for an input g of type index: what it counts
// from is said where it is declared, and here it is one too low.
func (l *linter) indicesLessOne() {
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		x, ok := n.(*ast.Index)
		if !ok {
			return true
		}
		for _, sub := range x.Subs {
			b, ok := sub.(*ast.Binary)
			if !ok || b.Op != "-" {
				continue
			}
			one, ok := number(b.Y)
			s := l.symbol(b.X)
			if !ok || one != 1 || s == nil || s.Kind != check.Data ||
				s.Type.Entry() != types.Index {
				continue
			}
			d := l.warn(sub.Pos(), "%s counts from 0 in a model, and %s is one less", s.Name,
				l.text(sub))
			if s.Type.From == 0 {
				d.Note("where the file counts from 1, the declaration says so: " + s.Name +
					" : index[…] from 1")
			}
			d.Suggest(sub.Pos(), l.text(b.X))
		}
		return true
	})
}
