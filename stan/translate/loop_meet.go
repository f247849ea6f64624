package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// ownTurns reports whether two assignments of a loop's body go to the same entry in the same turn
// alone, so that their order in the text decides. It takes two turns whose entries are the same,
// and looks whether the ranges of their loops leave them one turn:
//
//	for i in 1:n for j in i:n { x[i, j] = …; x[j, i] = … }   meet for i' = j, j' = i, so for i = j
func (t *translator) ownTurns(l *loop, a, b *write) bool {
	primes := subst{}
	var keys []string
	prime := func(s *sym) {
		p := t.newSym(s.base)
		p.isIdx, p.local, p.lo, p.hi = true, true, s.lo, s.hi
		primes[s] = whole{size.Dim(p.key)}
		keys = append(keys, p.key)
	}
	prime(l.v)
	for _, x := range b.binds {
		prime(x.v)
	}
	other := func(p size.Poly) size.Poly {
		q, _ := t.replacePoly(p, primes)
		return q
	}
	steady := func(p size.Poly, w *write) bool {
		return t.sameFor(p, l.v) && !slices.ContainsFunc(w.binds,
			func(x bind) bool { return !t.sameFor(p, x.v) })
	}
	var zero []size.Poly // what is 0 where the entries are the same
	for k := range min(len(a.idx), len(b.idx)) {
		x, y := a.idx[k], b.idx[k]
		if !x.slice && !y.slice && x.turn == nil && y.turn == nil && steady(x.p, a) && steady(y.p, b) {
			zero = append(zero, other(y.p).Sub(x.p))
		}
	}
	room := []size.Poly{} // what is at least 0, by the ranges of the loops
	note := func(v, lo, hi size.Poly) {
		room = append(room, v.Sub(lo), hi.Sub(v).Sub(size.Const(1)))
	}
	note(size.Dim(l.v.key), l.lo, l.hi)
	note(other(size.Dim(l.v.key)), other(l.lo), other(l.hi))
	for _, x := range a.binds {
		note(size.Dim(x.v.key), x.lo, x.hi)
	}
	for _, x := range b.binds {
		note(other(size.Dim(x.v.key)), other(x.lo), other(x.hi))
	}
	apart := size.Dim(l.v.key).Sub(other(size.Dim(l.v.key)))
	for _, key := range keys {
		k := slices.IndexFunc(zero, func(p size.Poly) bool { return hasOnce(p, key) && p.Mentions(key) })
		if k < 0 {
			continue
		}
		at := zero[k].Sub(size.Dim(key)).Neg()
		if at.Mentions(key) { // it stands with a minus
			at = zero[k].Add(size.Dim(key))
		}
		zero = slices.Delete(zero, k, k+1)
		for _, list := range [][]size.Poly{zero, room} {
			for i := range list {
				list[i] = compose(list[i], key, at)
			}
		}
		apart = compose(apart, key, at)
	}
	if isZero(apart) {
		return true
	}
	back := apart.Neg()
	holds := func(list []size.Poly, p size.Poly) bool { return slices.ContainsFunc(list, p.Equal) }
	return holds(zero, apart) || holds(zero, back) || holds(room, apart) && holds(room, back)
}
