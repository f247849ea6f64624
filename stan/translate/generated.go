package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// generated translates the generated quantities. What has no counterpart is left out, as it does
// not change the density. A quantity is written behind the last statement that assigns it.
func (t *translator) generated(list []syntax.Stmt) {
	lost := map[string]bool{}
	before := len(t.root.stmts)
	var open []*syntax.Decl // whose quantities are not written yet
	for k, s := range list {
		why := ""
		at := s.Pos()
		if name := t.lostIn(s, lost); name != "" {
			why = "it depends on " + name
		} else {
			m := t.remember()
			if d := t.trying(func() { t.statement(s) }); d != nil {
				t.forget(m)
				why, at = d.Message, d.Span
			}
		}
		d, isDecl := s.(*syntax.Decl)
		if isDecl {
			open = append(open, d)
		}
		if why != "" {
			t.diags.Add(t.warning(syntax.LeftOut, at, "left out: %s", why))
			for v := range t.assignedIn([]syntax.Stmt{s}) {
				lost[v.name] = true
			}
			if isDecl {
				lost[d.Name] = true
			}
		}
		assigned := map[string]bool{}
		for v := range t.assignedIn(list[k+1:]) {
			assigned[v.name] = true
		}
		open = slices.DeleteFunc(open, func(d *syntax.Decl) bool {
			if assigned[d.Name] {
				return false
			}
			t.quantity(d, lost)
			return true
		})
	}
	for _, x := range t.root.stmts[before:] {
		x.quantity = true
	}
}

// quantity writes what is declared in generated quantities.
func (t *translator) quantity(d *syntax.Decl, lost map[string]bool) {
	v := t.lookup(d.Name)
	if v == nil || lost[d.Name] || v.isBroken() {
		return
	}
	if err := t.trying(func() { t.settle(v, true) }); err != nil {
		t.diags.Add(t.warning(syntax.LeftOut, d.Pos(), "left out: %s", err.Message))
		lost[d.Name] = true
	}
}

// nameDraws gives draws, each of which is a let, the names of the quantities that they are.
func (t *translator) nameDraws() {
	defined := map[*sym]*stmt{}
	list := t.root.stmts
	for i := 0; i < len(list); i++ {
		x := list[i]
		if x.kind != letStmt || len(x.syms) > 1 {
			continue
		}
		s := t.wholeSym(x.value)
		if d := defined[s]; d == nil || t.auto[x.syms[0]] {
			if t.auto[x.syms[0]] && t.draws(x.value) {
				defined[x.syms[0]] = x
			}
			continue
		}
		d := defined[s]
		delete(defined, s)
		delete(t.auto, s)
		s.base, d.track, d.doc, d.span, d.declared = x.syms[0].base, x.track, x.doc, x.span, x.declared
		t.put(list[i+1:], subst{x.syms[0]: ref{s}})
		list = slices.Delete(list, i, i+1)
		i--
	}
	t.root.stmts = list
}

// inOrder writes generated quantities in the order of their declarations, each behind what it
// reads.
func (t *translator) inOrder() {
	var list []*stmt
	rest := slices.DeleteFunc(t.root.stmts, func(x *stmt) bool {
		if x.quantity {
			list = append(list, x)
		}
		return x.quantity
	})
	of := map[*sym]*stmt{}
	var named []*stmt
	for _, x := range list {
		for _, s := range x.syms {
			of[s] = x
		}
		if x.track {
			named = append(named, x)
		}
	}
	slices.SortStableFunc(named, func(a, b *stmt) int { return a.declared - b.declared })
	var out []*stmt
	done := map[*stmt]bool{}
	var write func(x *stmt)
	write = func(x *stmt) {
		if done[x] {
			return
		}
		done[x] = true
		x.each(func(n node) node {
			t.walk(n, func(y node) {
				if r, ok := y.(ref); ok && of[r.s] != nil {
					write(of[r.s])
				}
			})
			return n
		})
		out = append(out, x)
	}
	for _, x := range append(named, list...) {
		write(x)
	}
	t.root.stmts = append(rest, out...)
}

// wholeSym is the sym whose value a node is, or whose entries it has one by one; nil without one.
func (t *translator) wholeSym(n node) *sym {
	switch n := n.(type) {
	case ref:
		return n.s
	case whole:
		if a := t.atomOf(n); a != nil {
			return t.wholeSym(a)
		}
	case comp:
		elem := n.elem
		if w, ok := elem.(whole); ok {
			elem = t.atomOf(w)
		}
		x, ok := elem.(index)
		s := t.wholeSym(x.x)
		if !ok || n.fun != "" || s == nil || len(x.subs) != len(n.binds) ||
			len(t.shapes[s]) != len(n.binds) {
			return nil
		}
		for k, b := range n.binds {
			w, ok := x.subs[k].(whole)
			if !ok || !w.p.Equal(size.Dim(b.v.key)) || !b.lo.Equal(size.Poly{}) ||
				!b.hi.Equal(t.shapes[s][k]) {
				return nil
			}
		}
		return s
	}
	return nil
}

// atomOf is the node that a whole number is; nil of a polynomial of several.
func (t *translator) atomOf(w whole) node {
	if name, one := w.p.Name(); one && t.syms[name] != nil {
		return t.syms[name].atom
	}
	return nil
}

// lostIn finds a name that was left out in a statement.
func (t *translator) lostIn(s syntax.Stmt, lost map[string]bool) string {
	found := ""
	syntax.Walk([]syntax.Stmt{s}, func(x syntax.Stmt) {
		syntax.Exprs(x, func(e syntax.Expr) {
			if n, ok := e.(*syntax.Name); ok && lost[n.Name] && found == "" {
				found = n.Name
			}
		})
	})
	return found
}
