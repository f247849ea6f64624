package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A window is how a scan sees an array that it fills: the entry of this turn, and what stands
// before it. The entries stand along an axis, the one of this turn at place. Of some other axes the
// loop takes only what stands at one subscript; the entry and the carry have the rest.
type window struct {
	axis   int
	fixed  []*size.Poly // by axis, the subscript that the turns take; nil where they take any
	place  size.Poly    // in the index of the loop
	back   bool         // it goes backwards
	before []*value     // before[k] is the entry k + 1 places back
	all    *value       // at the fixed subscripts, as the turn finds it; instead of before
	now    *variable    // the entry of this turn
	old    *value       // of that entry, before the loop
	again  bool         // turns read an entry before it has its last value, or one of later turns
}

// mostLags bounds the entries that a scan carries one by one. Where turns read entries from further
// back, it carries the array.
const mostLags = 12

// windowOf finds how a loop fills an array entry by entry, and how many entries back its turns
// read, 0 for any number; nil where it does not do it so.
func (t *translator) windowOf(
	v *variable, s *syntax.For, turn *sym, body func(*sym),
) (*window, int) {
	if t.noWindows || v.t.rank() == 0 || v.t.base == intBase && !t.inRNG {
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
	seen.depth = len(t.loops)
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

// A spy notes how the body of a loop reads and assigns an array.
type spy struct {
	v      *variable
	turn   *sym
	depth  int // how many loops are open around the body, and its own
	writes []glimpse
	reads  []glimpse
	bad    bool
}

// A glimpse is an access to an array at subscripts. Those that are slices have ends.
type glimpse struct {
	idx, ends []size.Poly
	loops     []*loop // of the body around it
	writes    int     // that stand before a read
}

// several is the place of a slice among subscripts.
var several = size.Dim("*")

// moving finds the subscript in which all assignments have the index of the loop, plus a number.
func (seen *spy) moving(t *translator) (*window, int) {
	turn := seen.turn
	first := seen.writes[0].idx
	for k := range first {
		for _, back := range []bool{false, true} {
			d := first[k].Sub(size.Dim(turn.key))
			if back {
				d = first[k].Add(size.Dim(turn.key))
			}
			if first[k].Equal(several) || t.mentions(whole{d}, turn) > 0 {
				continue
			}
			if w, lags := seen.window(t, k, first, back); w != nil {
				return w, lags
			}
		}
	}
	return nil, 0
}

// window is how the turns see the array where an axis is the one that moves.
func (seen *spy) window(t *translator, k int, first []size.Poly, back bool) (*window, int) {
	w := &window{axis: k, place: first[k], back: back}
	for _, x := range seen.writes {
		if len(x.idx) <= k || !x.idx[k].Equal(w.place) {
			return nil, 0
		}
	}
	for i := range first {
		same := func(x glimpse) bool { return len(x.idx) > i && x.idx[i].Equal(first[i]) }
		if i != k && !first[i].Equal(several) && !t.insideTurn(first[i], seen.turn) &&
			all(seen.writes, same) && all(seen.reads, same) {
			w.fixed = append(slices.Grow(w.fixed, i), make([]*size.Poly, i+1-len(w.fixed))...)
			w.fixed[i] = &first[i]
		}
	}
	lags := 0
	whole := false
	for _, r := range seen.reads {
		if len(r.idx) <= k || r.idx[k].Equal(several) {
			whole = true
			w.again = w.again || len(r.idx) <= k || r.ends == nil || !t.atLeast(w.place, r.ends[k]) ||
				w.back
			continue
		}
		lag, ok := w.lag(r.idx[k])
		if !ok || lag < 0 || lag > mostLags {
			whole = true
			lo, _ := t.span(w.place.Sub(r.idx[k]))
			w.again = w.again || w.back || lo == nil || *lo < 1
			continue
		}
		lags = max(lags, lag)
		w.again = w.again || lag == 0 && seen.changed(t, w, r)
	}
	if whole {
		lags = 0
	} else if lags == 0 {
		return nil, 0
	}
	return w, lags
}

// insideTurn reports whether a subscript is of a turn: it has the loop's index, or one of a loop in
// its body.
func (t *translator) insideTurn(p size.Poly, turn *sym) bool {
	inside := false
	t.walk(whole{p}, func(x node) {
		if r, ok := x.(ref); ok && r.s.isIdx {
			inside = inside || r.s == turn || !slices.ContainsFunc(t.loops,
				func(l *loop) bool { return l.v == r.s })
		}
	})
	return inside
}

// changed reports whether an entry has another value where a turn reads it than when the turn has
// ended: an assignment comes behind the read, in the text or in a later turn of a loop around both.
func (seen *spy) changed(t *translator, w *window, r glimpse) bool {
	for k, x := range seen.writes {
		both := loopsAround(x, r)
		if k < r.writes && (len(both) == 0 || samePolys(x.idx, r.idx) && t.ownIn(both, x, r)) ||
			t.behindRead(both, x, r, w.axis) {
			continue
		}
		return true
	}
	return false
}

// loopsAround are the loops of the body that are around two accesses, the outermost first.
func loopsAround(a, b glimpse) []*loop {
	n := 0
	for n < len(a.loops) && n < len(b.loops) && a.loops[n] == b.loops[n] {
		n++
	}
	return a.loops[:n]
}

// ownIn reports whether each turn of loops has an entry of its own in two accesses: each loop has a
// subscript that is the same in both, and that no other of the loops moves.
func (t *translator) ownIn(loops []*loop, a, b glimpse) bool {
	return !slices.ContainsFunc(loops, func(l *loop) bool {
		for k := 0; l.v != nil && k < len(a.idx) && k < len(b.idx); k++ {
			p := a.idx[k]
			other := func(m *loop) bool {
				return m != l && m.v != nil && t.mentions(whole{p}, m.v) > 0
			}
			if p.Equal(b.idx[k]) && t.linear(p, l.v) && !slices.ContainsFunc(loops, other) {
				return false
			}
		}
		return true
	})
}

// behindRead reports whether an assignment goes to another entry than a read, and an inner loop
// that turns on comes to entries behind those that it has read. Of the loops around both, which are
// given, each one around that inner loop has entries of its own in each turn.
func (t *translator) behindRead(both []*loop, x, r glimpse, axis int) bool {
	set, read := x.idx, r.idx
	for k := 0; k < len(set) && k < len(read); k++ {
		if k == axis || set[k].Equal(several) || read[k].Equal(several) {
			continue
		}
		d, ok := set[k].Sub(read[k]).Number()
		if !ok || d == 0 {
			continue
		}
		dims := set[k].Dims()
		if len(dims) == 0 {
			return true
		}
		if d < 0 || len(dims) > 1 || set[k].Sub(size.Dim(dims[0])).Dims() != nil {
			continue
		}
		inner := slices.IndexFunc(both, func(l *loop) bool { return l.v != nil && l.v.key == dims[0] })
		if inner < 1 || t.ownIn(both[:inner], x, r) {
			return true
		}
	}
	return false
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

func (w *window) isFixed(axis int) bool { return axis < len(w.fixed) && w.fixed[axis] != nil }

// last is the last axis that is fixed or moves.
func (w *window) last() int { return max(w.axis, len(w.fixed)-1) }

// first reports whether the axes before the one that moves are fixed, and none behind it.
func (w *window) first() bool {
	return len(w.fixed) <= w.axis && w.count(w.axis) == w.axis
}

// count is how many axes before one are fixed.
func (w *window) count(axis int) int {
	n := 0
	for i := range axis {
		if w.isFixed(i) {
			n++
		}
	}
	return n
}

// meets reports whether subscripts are those at which axes are fixed.
func (w *window) meets(r []size.Poly) bool {
	for i, p := range w.fixed {
		if p != nil && (i >= len(r) || !r[i].Equal(*p)) {
			return false
		}
	}
	return true
}

// rest are subscripts of the entry of a turn, of those of the array.
func rest[T any](w *window, idx []T) []T {
	var out []T
	for i, x := range idx {
		if i != w.axis && !w.isFixed(i) {
			out = append(out, x)
		}
	}
	return out
}

// loose are subscripts behind the fixed ones, of those of the array.
func loose[T any](w *window, idx []T) []T {
	var out []T
	for i, x := range idx {
		if !w.isFixed(i) {
			out = append(out, x)
		}
	}
	return out
}

// entry is the type and the shape of the entry of one turn.
func (w *window) entry(v *variable) (typ, []size.Poly) { return w.less(v, true) }

// slab is the type and the shape of an array at the fixed subscripts.
func (w *window) slab(v *variable) (typ, []size.Poly) { return w.less(v, false) }

func (w *window) less(v *variable, moving bool) (typ, []size.Poly) {
	tt, sh := v.t, slices.Clone(v.sh)
	for i := w.last(); i >= 0; i-- {
		if w.isFixed(i) || moving && i == w.axis {
			tt, sh = without(tt, i), slices.Delete(sh, i, i+1)
		}
	}
	return tt, sh
}

// at are the subscripts of the array for all those of an entry at a place.
func (w *window) at(p size.Poly, r []size.Poly) []size.Poly {
	k := w.axis - w.count(w.axis)
	return w.whole(slices.Insert(slices.Clone(r), k, p))
}

// whole are the subscripts of the array for those behind the fixed ones.
func (w *window) whole(r []size.Poly) []size.Poly {
	out := slices.Clone(r)
	for i, p := range w.fixed {
		if p != nil {
			out = slices.Insert(out, i, *p)
		}
	}
	return out
}

func all(list []glimpse, is func(glimpse) bool) bool {
	return !slices.ContainsFunc(list, func(x glimpse) bool { return !is(x) })
}

func samePolys(a, b []size.Poly) bool {
	return slices.EqualFunc(a, b, func(p, q size.Poly) bool { return p.Equal(q) })
}

// spyOn notes a read of an array while a loop is looked at, and reports whether that is so.
func (t *translator) spyOn(v *variable, idx, ends []size.Poly) bool {
	s := t.spyOf(v)
	if s != nil {
		s.reads = append(s.reads, glimpse{idx, ends, t.loops[s.depth:], len(s.writes)})
	}
	return s != nil
}

// spyOf is who looks at the accesses to an array; nil for nobody.
func (t *translator) spyOf(v *variable) *spy {
	for _, s := range t.spies {
		if s.v == v {
			return s
		}
	}
	return nil
}
