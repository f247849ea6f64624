package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// resets makes one assignment of what a turn assigns to a variable, where the turn begins with
// giving the whole of it a value: of such turns the last counts.
func (t *translator) resets(l *loop, v *variable) {
	k := l.start[v]
	if k >= len(v.writes) || len(v.writes) == k+1 {
		return
	}
	first := v.writes[k]
	if first.add || len(first.idx) > 0 || len(first.conds) > 0 || len(first.binds) > 0 {
		return
	}
	turn := *v
	turn.base, turn.writes = nil, v.writes[k:]
	val := t.build(&turn, nil, first.span)
	v.writes = append(slices.Clip(v.writes[:k]), &write{val: val, span: first.span})
}

// disturbed finds an assignment in a turn that meets entries which other turns assign too, or add
// to, so that the order of the turns decides. nil without one: where the last assignment of the
// text is the last that is made, or each turn has entries of its own.
func (t *translator) disturbed(l *loop, v *variable) *write {
	list := v.writes[min(l.start[v], len(v.writes)):]
	for i, set := range list {
		if set.add {
			continue
		}
		for j, other := range list {
			if j == i || t.ownEntry(l, set, other) || t.apart(set, other) ||
				t.ownTurns(l, set, other) {
				continue
			}
			switch {
			case j < i && t.everyTurn(l, set): // it wins over what stands before it
			case !other.add && j < i: // looked at from the other side
			case !other.add && (t.everyTurn(l, other) || t.lastWord(l, set, other)):
			default:
				return set
			}
		}
	}
	return nil
}

// ownEntry reports whether each turn has entries of its own in two assignments: a subscript of both
// is the same number, another one in each turn. An index of a loop inside is not part of it: of
// i + k, several turns have the same.
func (t *translator) ownEntry(l *loop, a, b *write) bool {
	for k := range min(len(a.idx), len(b.idx)) {
		x, y := a.idx[k], b.idx[k]
		if !x.slice && !y.slice && x.turn == nil && y.turn == nil && x.p.Equal(y.p) &&
			t.linear(x.p, l.v) && !t.mentionsPoly(x.p, a.binds) && !t.mentionsPoly(x.p, b.binds) {
			return true
		}
	}
	return false
}

// lastWord reports whether the entry that a turn gives to b is one that a has given in an earlier
// turn, so that b has the last word.
func (t *translator) lastWord(l *loop, a, b *write) bool {
	if len(a.idx) != 1 || len(b.idx) != 1 || len(b.conds) > 0 {
		return false
	}
	x, y := a.idx[0], b.idx[0]
	if x.slice || y.slice || x.turn != nil || y.turn != nil {
		return false
	}
	p, ahead := x.p.Sub(size.Dim(l.v.key)).Number()
	q, after := y.p.Sub(size.Dim(l.v.key)).Number()
	return ahead && after && q <= p
}

// linear reports whether a whole number is another one for each value of an index: a number that
// is the same for all of them, and the index, once, with either sign.
func (t *translator) linear(p size.Poly, v *sym) bool {
	return hasOnce(p, v.key) && t.sameFor(p, v)
}

// hasOnce reports whether a polynomial is an index, with either sign, and what does not name it.
func hasOnce(p size.Poly, key string) bool {
	for _, q := range []size.Poly{p.Sub(size.Dim(key)), p.Add(size.Dim(key))} {
		if !slices.Contains(q.Dims(), key) {
			return true
		}
	}
	return false
}

// sameFor reports whether the numbers in a polynomial that are none of sizes and indices are the
// same for all values of an index. Those are not that a let gives which is computed from the index,
// or a scan.
func (t *translator) sameFor(p size.Poly, v *sym) bool {
	seen := map[*sym]bool{}
	ok := true
	var look func(n node)
	look = func(n node) {
		t.walk(n, func(x node) {
			r, is := x.(ref)
			if !is || !ok || seen[r.s] {
				return
			}
			seen[r.s] = true
			switch {
			case r.s == v || r.s.def == nil && r.s.local && !r.s.isIdx:
				ok = false
			case r.s.def != nil:
				look(r.s.def)
			}
		})
	}
	for _, d := range p.Dims() {
		if s := t.syms[d]; s != nil && s.atom != nil {
			look(s.atom)
		}
	}
	return ok
}

// apart reports whether two assignments go to entries that are never the same.
func (t *translator) apart(a, b *write) bool {
	for k := range min(len(a.idx), len(b.idx)) {
		x, y := a.idx[k], b.idx[k]
		if x.slice || y.slice || x.turn != nil || y.turn != nil {
			continue
		}
		p, one := x.p.Number()
		q, two := y.p.Number()
		if one && two && p != q {
			return true
		}
	}
	return false
}

// everyTurn reports whether each turn makes an assignment to the same entries.
func (t *translator) everyTurn(l *loop, w *write) bool {
	if len(w.conds) > 0 {
		return false
	}
	for _, s := range w.idx {
		if s.turn != nil || t.mentions(whole{s.p}, l.v) > 0 || !t.sameFor(s.p, l.v) ||
			s.slice && (t.mentions(whole{s.n}, l.v) > 0 || !t.sameFor(s.n, l.v)) {
			return false
		}
	}
	for _, b := range w.binds { // a loop inside comes to the same entries where its ends are the same
		for _, end := range []size.Poly{b.lo, b.hi} {
			if t.mentions(whole{end}, l.v) > 0 || !t.sameFor(end, l.v) {
				return false
			}
		}
	}
	return true
}
