package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// oneOf takes one entry along the first axis, of a given type.
func (t *translator) oneOf(all *value, p size.Poly, as typ) *value {
	n := t.indexed(all.n, []node{t.subscript(p, all.sh[0])})
	if as.base == intBase && as.arr == 0 {
		n = t.entry(all, n)
	}
	return &value{n: n, t: as, sh: all.sh[1:], unk: all.unk}
}

// inlineLast puts lets that are a result of the scan alone, and that the program does not name, in
// the place of the result.
func (t *translator) inlineLast(sc *scan) {
	for k := len(sc.body.stmts) - 1; k >= 0; k-- {
		x := sc.body.stmts[k]
		s := x.syms[0]
		uses := t.uses(sc.body.stmts[k+1:], s)
		for _, n := range sc.next {
			uses += t.mentions(n, s)
		}
		for i, n := range sc.next {
			if r, ok := n.(ref); ok && r.s == s && uses == 1 && len(x.syms) == 1 {
				sc.next[i] = x.value
				sc.body.stmts = slices.Delete(sc.body.stmts, k, k+1)
				break
			}
		}
	}
}

// carriesUnknown marks the whole numbers that a scan carries and that depend on unknowns: a term of
// such a number is one of the density.
func (t *translator) carriesUnknown(sc *scan) {
	seen := map[*sym]bool{}
	var depends func(n node) bool
	depends = func(n node) bool {
		found := false
		t.walk(n, func(x node) {
			r, ok := x.(ref)
			switch {
			case !ok || found || seen[r.s]:
			case r.s.unk:
				found = true
			case r.s.def != nil:
				seen[r.s] = true
				found = depends(r.s.def)
			}
		})
		return found
	}
	for again := true; again; {
		again = false
		for i, c := range sc.carries {
			clear(seen)
			if !c.s.unk && (depends(c.init) || depends(sc.next[i])) {
				c.s.unk, again = true, true
			}
		}
	}
}

// once reports whether statements assign a variable in one place, and in every case.
func once(list []syntax.Stmt, name string) bool {
	k := 0
	syntax.Walk(list, func(s syntax.Stmt) {
		if a, ok := s.(*syntax.Assign); ok {
			e := a.Left
			for {
				if x, ok := e.(*syntax.Index); ok {
					e = x.X
					continue
				}
				break
			}
			if n, ok := e.(*syntax.Name); ok && n.Name == name {
				k++
			}
		}
		if d, ok := s.(*syntax.Decl); ok && d.Name == name {
			k = 2
		}
	})
	if k != 1 {
		return false
	}
	for _, s := range flatten(list) {
		if a, ok := s.(*syntax.Assign); ok {
			if n, ok := a.Left.(*syntax.Name); ok && n.Name == name {
				return true
			}
		}
	}
	return false
}

// flatten takes the braces off blocks.
func flatten(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range list {
		if b, ok := s.(*syntax.Block); ok {
			out = append(out, flatten(b.Body)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// A carriedOver says what becomes of a variable when its loop ends.
type carriedOver struct {
	v    *variable
	l    *loop
	last *value // nil: it is an array that the scan has filled, or that done fills
	done func()

	window *window // of a scan around
}

// materialiseFor is the value of a variable before a loop. Entries to which nothing is assigned are
// no numbers, as in Stan: a turn that reads one has no density.
func (t *translator) materialiseFor(v *variable, at source.Span) *value {
	if v.base == nil && len(v.writes) == 0 && len(v.sh) > 0 {
		n := t.eachOf(v.sh, func([]size.Poly) node { return unset(v.t) })
		return &value{n: n, t: v.t, sh: v.sh}
	}
	old := t.partial
	t.partial = v
	defer func() { t.partial = old }()
	if t.assignedInside(v) {
		return t.build(v, nil, at)
	}
	return t.materialise(v, at)
}

func zeros(sh []size.Poly) node {
	if len(sh) == 0 {
		return num(0)
	}
	args := make([]node, len(sh))
	for i, p := range sh {
		args[i] = whole{p}
	}
	return call{fun: "zeros", args: args}
}

// initial is the entry of an array at a place before a loop. An entry before the first is read by
// no turn whose conditions hold, and stands as 0.
func (t *translator) initial(v *variable, w *window, p size.Poly, at source.Span) node {
	elem, sh := w.entry(v)
	if _, hi := t.span(p); hi != nil && *hi < 0 {
		return zeros(sh)
	}
	if w.first() {
		return t.build(v, w.at(p, nil), at).n
	}
	old := t.partial
	t.partial = v
	defer func() { t.partial = old }()
	return t.ofEntries(&value{t: elem, sh: sh}, func(r []size.Poly) node {
		return t.raw(t.build(v, w.at(p, r), at))
	}).n
}

// ofEntries makes a value of a type and shape of its entries.
func (t *translator) ofEntries(like *value, f func(r []size.Poly) node) *value {
	out := *like
	if len(out.sh) == 0 {
		out.n = f(nil)
	} else {
		out.n = t.eachOf(out.sh, f)
	}
	out.unk = t.unknown(out.n)
	return &out
}
