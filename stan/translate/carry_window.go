package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A window is how a scan sees an array that it fills: the entry of this turn, and so many before
// it. The entries stand along the axis behind the prefix, the one of this turn at place.
type window struct {
	prefix []size.Poly
	place  size.Poly // in the index of the loop
	back   bool      // it goes backwards
	before []*value  // before[k] is the entry k + 1 places back
	now    *variable
}

// windowOf finds how a loop fills an array entry by entry; nil where it does not do it so.
func (t *translator) windowOf(
	v *variable, s *syntax.For, turn *sym, body func(*sym),
) (*window, int) {
	if v.t.rank() == 0 || v.t.base == intBase && !t.inRNG {
		return nil, 0
	}
	seen := t.look(v, turn, body)
	if seen.bad || len(seen.writes) == 0 {
		return nil, 0
	}
	return seen.moving(t)
}

// look translates the body of a loop for the accesses to one array alone.
func (t *translator) look(v *variable, turn *sym, body func(*sym)) *spy {
	seen := &spy{v: v, turn: turn}
	m := t.remember()
	t.spies = append(t.spies, seen)
	t.quiet = true
	t.loops = append(t.loops, &loop{v: turn, lo: turn.lo, hi: turn.hi,
		assigned: map[*variable]bool{v: true}, carried: map[*variable]bool{v: true},
		start: map[*variable]int{}, seen: map[*variable]*spy{}})
	old := v.window
	v.window = &window{now: &variable{}} // whose reads and assignments are only noted
	v.window.place = size.Dim("?")
	func() {
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(stop); !ok {
					if _, ok := r.(needCarry); !ok {
						panic(r)
					}
				}
				seen.bad = true
			}
		}()
		t.inBlock(func() { body(turn) })
	}()
	t.spies = t.spies[:len(t.spies)-1]
	t.forget(m)
	v.window = old
	return seen
}

// moving finds the subscript in which all assignments have the index of the loop, plus a number.
func (seen *spy) moving(t *translator) (*window, int) {
	turn := seen.turn
	first := seen.writes[0]
	for k := range first {
		for _, back := range []bool{false, true} {
			d := first[k].Sub(size.Dim(turn.key))
			if back {
				d = first[k].Add(size.Dim(turn.key))
			}
			if t.mentions(whole{d}, turn) == 0 {
				return seen.window(t, first[:k], first[k], back)
			}
		}
	}
	return nil, 0
}

// A spy notes how the body of a loop reads and assigns an array.
type spy struct {
	v      *variable
	turn   *sym
	writes [][]size.Poly
	reads  [][]size.Poly
	bad    bool
}

func (s *spy) window(
	t *translator, prefix []size.Poly, place size.Poly, back bool,
) (*window, int) {
	for _, p := range prefix {
		if t.mentions(whole{p}, s.turn) > 0 {
			return nil, 0
		}
	}
	w := &window{prefix: prefix, place: place, back: back}
	k := len(prefix)
	lags := 0
	for _, idx := range s.writes {
		if len(idx) <= k || !samePolys(idx[:k], prefix) || !idx[k].Equal(place) {
			return nil, 0
		}
	}
	for _, idx := range s.reads {
		if len(idx) <= k || !samePolys(idx[:k], prefix) {
			return nil, 0
		}
		lag, ok := w.lag(idx[k])
		if !ok || lag < 0 {
			return nil, 0
		}
		lags = max(lags, lag)
	}
	if lags == 0 || lags > 12 {
		return nil, 0
	}
	return w, lags
}

// lag is how many turns ago an entry was filled.
func (w *window) lag(p size.Poly) (int, bool) {
	n, ok := w.place.Sub(p).Number()
	if w.back {
		n = -n
	}
	return n, ok
}

// ago is the place that was filled so many turns before p.
func (w *window) ago(p size.Poly, turns int) size.Poly {
	if w.back {
		return p.Add(size.Const(turns))
	}
	return p.Sub(size.Const(turns))
}

func samePolys(a, b []size.Poly) bool {
	return slices.EqualFunc(a, b, func(p, q size.Poly) bool { return p.Equal(q) })
}

// spyOn notes an access while a loop is looked at, and reports whether that is so.
func (t *translator) spyOn(v *variable, idx []size.Poly, write bool) bool {
	for _, s := range t.spies {
		if s.v != v {
			continue
		}
		if write {
			s.writes = append(s.writes, idx)
		} else {
			s.reads = append(s.reads, idx)
		}
		return true
	}
	return false
}

func (t *translator) readWindow(v *variable, r []size.Poly, at source.Span) *value {
	if t.spyOn(v, r, false) {
		return anyOf(v, r)
	}
	w := v.window
	k := len(w.prefix)
	if len(r) <= k || !samePolys(r[:k], w.prefix) {
		t.fail(syntax.LoopCarried, at, "the loop reads entries of %s that it fills in other turns",
			v.name)
	}
	lag, ok := w.lag(r[k])
	switch {
	case !ok || lag < 0 || lag > len(w.before):
		t.fail(syntax.LoopCarried, at, "the loop reads entries of %s that it fills in other turns",
			v.name)
	case lag == 0:
		return t.read(w.now, r[k+1:], at)
	}
	return t.atAll(w.before[lag-1], r[k+1:])
}

func (t *translator) assignWindow(v *variable, idx []sub, val *value, add bool, at source.Span) {
	var polys []size.Poly
	for _, s := range idx {
		if s.slice || s.turn != nil {
			break
		}
		polys = append(polys, s.p)
	}
	if t.spyOn(v, polys, true) {
		return
	}
	w := v.window
	k := len(w.prefix)
	if len(polys) <= k || !samePolys(polys[:k], w.prefix) || !polys[k].Equal(w.place) {
		t.fail(syntax.LoopCarried, at, "the loop fills %s in an order that has no counterpart", v.name)
	}
	t.assign(w.now, idx[k+1:], val, add, at)
}
