package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// readWindow is an array that a scan carries, at its first subscripts.
func (t *translator) readWindow(v *variable, r []size.Poly, at source.Span) *value {
	if t.spyOn(v, r, nil) {
		return anyOf(v, r)
	}
	w := v.window
	k := w.axis
	if !w.meets(r) {
		t.otherTurns(v, at)
	}
	if len(r) <= k {
		return t.atAll(t.wholeWindow(v, at), loose(w, r))
	}
	e := w.of(r[k])
	switch {
	case e == nil && w.all == nil:
		t.otherTurns(v, at)
	case e == nil:
		old := t.atAll(w.all, loose(w, r))
		d := t.compare("==", whole{r[k]}, whole{w.place})
		if isFalse(d) {
			return old
		}
		out := *old
		out.n = t.choose(d, t.raw(t.read(w.now, rest(w, r), at)), t.raw(old))
		return &out
	case e.now:
		return t.read(w.now, rest(w, r), at)
	}
	return t.atAll(e.old, rest(w, r))
}

// seen is an entry of an array as a turn sees it: the one that it fills, or an earlier one.
type seen struct {
	now bool
	old *value
}

// of is the entry at a place; nil where only the whole array has it.
func (w *window) of(p size.Poly) *seen {
	lag, ok := w.lag(p)
	switch {
	case ok && lag == 0:
		return &seen{now: true}
	case ok && lag > 0 && lag <= len(w.before):
		return &seen{old: w.before[lag-1]}
	}
	return nil
}

func (t *translator) otherTurns(v *variable, at source.Span) {
	t.fail(syntax.LoopCarried, at, "the loop reads entries of %s that it fills in other turns", v.name)
}

// wholeWindow is an array at its fixed subscripts in the middle of a turn.
func (t *translator) wholeWindow(v *variable, at source.Span) *value {
	w := v.window
	if w.all == nil {
		t.otherTurns(v, at)
	}
	if len(w.now.writes) == 0 && w.now.base == w.old && !t.byInner(w.now) {
		t.hazard(w.now, nil, at)
		return w.all
	}
	out := *w.all
	out.n = t.withNow(v, at)
	return &out
}

// byInner reports whether a loop inside fills the entry of a turn in its own turns, or is looked
// at.
func (t *translator) byInner(now *variable) bool { return now.window != nil || t.spyOf(now) != nil }

// withNow is an array at its fixed subscripts with the entry of the turn put into it.
func (t *translator) withNow(v *variable, at source.Span) node {
	w := v.window
	k := w.axis - w.count(w.axis)
	now, c := t.entryNow(w, at)
	if _, is := now.n.(ref); !is && (len(now.sh) > 0 || !isTrue(c) && t.weight(now.n) > 1) {
		s := t.let(t.blk, v.name, now)
		t.auto[s] = true
		now = &value{n: ref{s}, t: now.t, sh: now.sh, unk: now.unk}
	}
	return t.eachOf(w.all.sh, func(r []size.Poly) node {
		at := append(slices.Clone(r[:k]), r[k+1:]...)
		here := and([]node{t.compare("==", whole{w.place}, whole{r[k]}), c})
		return t.choose(here, t.raw(t.atAll(now, at)), t.raw(t.atAll(w.all, r)))
	})
}

// entryNow is the entry of the turn, and the condition under which the turn gives it. Where the
// condition fails the entry may be outside the array, as in turns past a moving end.
func (t *translator) entryNow(w *window, at source.Span) (*value, node) {
	if t.byInner(w.now) {
		return t.read(w.now, nil, at), truth(true)
	}
	if list := w.now.writes; len(list) == 1 && w.now.base == w.old {
		x := list[0]
		if len(x.conds) > 0 && len(x.idx) == 0 && len(x.binds) == 0 && !x.add {
			return t.guarded(x.conds, x.val), and(x.conds)
		}
	}
	return t.build(w.now, nil, at), truth(true)
}

// slicedWindow takes subscripts with slices among them from an array that a scan carries.
func (t *translator) slicedWindow(v *variable, subs []syntax.Sub, at source.Span) *value {
	w := v.window
	if len(subs) > v.t.rank() {
		t.fail(syntax.WrongType, at, "%s has %d axes", v.name, v.t.rank())
	}
	idx, ends := t.slicedAt(v, subs)
	if t.spyOn(v, idx, ends) {
		return t.takeAll(anyOf(v, nil), subs, at)
	}
	if !w.meets(idx) {
		t.otherTurns(v, at)
	}
	if len(idx) <= w.axis || idx[w.axis].Equal(several) {
		if w.all != nil && len(idx) > w.axis && t.atLeast(w.place, ends[w.axis]) {
			return t.takeAll(w.all, loose(w, subs), at) // entries before that of this turn
		}
		return t.takeAll(t.wholeWindow(v, at), loose(w, subs), at)
	}
	e := w.of(idx[w.axis])
	switch {
	case e != nil && e.now:
		return t.slicesOf(w.now, rest(w, subs), at)
	case e != nil:
		return t.takeAll(e.old, rest(w, subs), at)
	}
	return t.takeAll(t.wholeWindow(v, at), loose(w, subs), at)
}

// partOf is a call such as col(x, i) of an array that a scan carries, or that is not filled yet, as
// the slice that it stands for; nil for anything else.
func (t *translator) partOf(c *syntax.Call) *value {
	if len(c.Args) < 2 {
		return nil
	}
	n, ok := c.Args[0].(*syntax.Name)
	if !ok {
		return nil
	}
	v := t.lookup(n.Name)
	if v == nil || v.window == nil && v.base != nil && !t.assignedInside(v) ||
		v.t.base == tupleBase || v.isBroken() {
		return nil
	}
	one := func(k int) syntax.Sub { return syntax.Sub{Span: c.Span, X: c.Args[k]} }
	part := func(from, many int) syntax.Sub { // many entries from one on
		last := syntax.Expr(&syntax.Binary{Span: c.Span, Op: "+", X: c.Args[from], Y: c.Args[many]})
		last = &syntax.Binary{Span: c.Span, Op: "-", X: last,
			Y: &syntax.Int{Span: c.Span, Text: "1"}}
		return syntax.Sub{Span: c.Span, Range: true, Lo: c.Args[from], Hi: last}
	}
	all := syntax.Sub{Span: c.Span, Range: true}
	subs := map[string]func() []syntax.Sub{
		"col/2":     func() []syntax.Sub { return []syntax.Sub{all, one(1)} },
		"row/2":     func() []syntax.Sub { return []syntax.Sub{one(1)} },
		"sub_col/4": func() []syntax.Sub { return []syntax.Sub{part(1, 3), one(2)} },
		"sub_row/4": func() []syntax.Sub { return []syntax.Sub{one(1), part(2, 3)} },
		"block/5":   func() []syntax.Sub { return []syntax.Sub{part(1, 3), part(2, 4)} },
		"segment/3": func() []syntax.Sub { return []syntax.Sub{part(1, 2)} },
		"head/2": func() []syntax.Sub {
			return []syntax.Sub{{Span: c.Span, Range: true, Hi: c.Args[1]}}
		},
	}[c.Fun+"/"+itoa(len(c.Args))]
	if subs == nil {
		return nil
	}
	return t.index(&syntax.Index{Span: c.Span, X: n, Subs: subs()})
}

// slicedAt are subscripts as a spy notes them, and the ends of the slices among them.
func (t *translator) slicedAt(v *variable, subs []syntax.Sub) (idx, ends []size.Poly) {
	for k, s := range subs {
		place, end := several, v.sh[k]
		if s.Range && s.Hi != nil {
			end = t.intOf(t.expr(s.Hi), s.Hi.Pos())
		}
		if !s.Range {
			if x := t.expr(s.X); x.isIntScalar() {
				place = t.intOf(x, s.X.Pos()).Sub(size.Const(1))
			}
		}
		idx, ends = append(idx, place), append(ends, end)
	}
	return idx, ends
}

// inTurn goes from an array that scans around carry to the entry that their turns fill, and from
// subscripts of the one to subscripts of the other.
func (t *translator) inTurn(v *variable, idx []sub, at source.Span) (*variable, []sub) {
	for v.window != nil && t.spyOf(v) == nil {
		w := v.window
		k := w.axis
		ok := len(idx) > k && !idx[k].slice && idx[k].turn == nil && idx[k].p.Equal(w.place)
		for i, p := range w.fixed {
			ok = ok && (p == nil || i < len(idx) && !idx[i].slice && idx[i].turn == nil &&
				idx[i].p.Equal(*p))
		}
		if !ok {
			t.fail(syntax.LoopCarried, at, "the loop fills %s in an order that has no counterpart",
				v.name)
		}
		v, idx = w.now, rest(w, idx)
	}
	return v, idx
}

// noteWrite notes an assignment while a loop is looked at, and reports whether that is so.
func (t *translator) noteWrite(v *variable, idx []sub) bool {
	s := t.spyOf(v)
	if s == nil {
		return false
	}
	polys := make([]size.Poly, len(idx))
	for k, x := range idx {
		if polys[k] = x.p; x.slice || x.turn != nil {
			polys[k] = several
		}
	}
	s.writes = append(s.writes, glimpse{idx: polys, loops: t.loops[s.depth:]})
	return true
}
