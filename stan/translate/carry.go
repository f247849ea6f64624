package translate

import (
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A part is one variable that a scan carries.
type part struct {
	v      *variable
	w      *window
	lags   int
	first  int // of its carries
	placed size.Poly
}

// A carrier makes the scan of one loop.
type carrier struct {
	*translator
	s       *syntax.For
	l       *loop
	turn    func(*sym)
	at      source.Span
	sc      *scan
	parts   []*part
	carries []carry
	shapes  [][]size.Poly
}

// carry writes the scan for the variables that a loop carries from turn to turn, and lets the
// turns read their values from it. It reports whether it sees some of them through windows.
func (t *translator) carry(s *syntax.For, l *loop, body func(*sym)) (windows bool) {
	var list []*variable
	for v := range l.carried {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].span.Start < list[j].span.Start })
	c := &carrier{translator: t, s: s, l: l, turn: body, at: s.Pos(),
		sc: &scan{v: t.newIndex(l.v.base, l.lo, l.hi), lo: l.lo, hi: l.hi}}
	for _, v := range list {
		c.begin(v)
	}
	c.sc.carries = c.carries
	c.step()
	here := size.Dim(l.v.key)
	steps := c.write()
	for _, p := range c.parts {
		h := steps[p.first]
		all := c.steps(h, p.v.t)
		if p.v.t.base == intBase {
			t.ints[h] = intInfo{neg: true}
		}
		windows = windows || p.w != nil
		switch {
		case p.w != nil && p.w.again:
			c.again(p, steps)
			continue
		case p.w != nil:
			around := p.v.window
			p.v.window = nil
			c.fill(p, all)
			p.v.ignore = true
			t.after = append(t.after, carriedOver{v: p.v, l: l, window: around})
			continue
		}
		p.v.base = t.oneOf(all, here.Sub(l.lo), p.v.t)
		p.v.writes = nil
		if once(s.Body, p.v.name) {
			p.v.final = t.oneOf(all, here.Sub(l.lo).Add(size.Const(1)), p.v.t)
		}
		t.after = append(t.after, carriedOver{v: p.v, l: l, last: t.oneOf(all, l.hi.Sub(l.lo), p.v.t)})
	}
	return windows
}

// steps is a carry of all steps, the start among them.
func (c *carrier) steps(h *sym, as typ) *value {
	return &value{n: ref{h}, t: typ{as.base, as.arr + 1}, sh: c.translator.shapes[h], unk: h.unk}
}

// again lets the turns read and fill an array as the steps do: the entry of a turn may be read
// before it has its last value. When the loop has ended the array has the entries of the scan.
func (c *carrier) again(p *part, steps []*sym) {
	t, l := c.translator, c.l
	w := *p.w
	w.place, _ = t.replacePoly(w.place, subst{c.sc.v: whole{size.Dim(l.v.key)}})
	before := size.Dim(l.v.key).Sub(l.lo)
	to := subst{c.sc.v: whole{size.Dim(l.v.key)}}
	w.before = nil
	for k := range p.w.before {
		h := steps[p.first+k]
		w.before = append(w.before, t.oneOf(c.steps(h, p.v.t), before, p.w.before[k].t))
	}
	if w.all != nil {
		w.all = t.oneOf(c.steps(steps[p.first], p.w.all.t), before, p.w.all.t)
		w.old = c.placeOf(&w)
	} else if w.old != nil {
		old := *w.old
		old.n = t.replace(old.n, to)
		w.old = &old
	}
	around := p.v.window
	t.view(p.v, &w)
	t.after = append(t.after, carriedOver{v: p.v, l: l, window: around, done: func() {
		c.fill(p, c.steps(steps[p.first], p.v.t))
	}})
}

// view has a loop see an array through a window. The conditions around the loop count for the entry
// of a turn as for the array: where one fails the entry stays as it was before the loop.
func (t *translator) view(v *variable, w *window) {
	elem, sh := w.entry(v)
	w.now = &variable{name: v.name, t: elem, sh: sh, depth: len(t.loops) + 1, conds: v.conds,
		span: v.span, base: w.old, blk: t.blk, turn: true, on: t.onAxis(v, w)}
	t.vars = append(t.vars, w.now)
	v.window = w
}

// onAxis are the conditions under which the entry of a turn is on its axis, those that may fail. A
// turn that does not fill its entry may have it outside.
func (t *translator) onAxis(v *variable, w *window) (on []node) {
	if !t.atLeast(w.place, size.Poly{}) {
		on = append(on, t.compare(">=", whole{w.place}, num(0)))
	}
	if n := v.sh[w.axis]; !t.atLeast(n, w.place.Add(size.Const(1))) {
		on = append(on, t.compare("<", whole{w.place}, whole{n}))
	}
	return on
}

// placeOf is the entry of a turn in the array that the turn finds.
func (c *carrier) placeOf(w *window) *value {
	t := c.translator
	elem, sh := w.now.t, w.now.sh
	return t.ofEntries(&value{t: elem, sh: sh}, func(r []size.Poly) node {
		return t.raw(t.atAll(w.all, loose(w, w.at(w.place, r))))
	})
}

// begin finds what a variable carries, and its values before the first turn.
func (c *carrier) begin(v *variable) {
	t := c.translator
	p := &part{v: v, first: len(c.carries)}
	c.parts = append(c.parts, p)
	p.w, p.lags = t.windowOf(v, c.s, c.sc.v, c.turn)
	if p.w == nil {
		init := t.materialiseFor(v, c.at)
		y := t.newSym(v.name + "_before")
		y.local, y.unk = true, true
		if v.t.base == intBase {
			y.unk = false
		}
		t.shapes[y] = v.sh
		c.carries = append(c.carries, carry{y, init.n})
		c.shapes = append(c.shapes, v.sh)
		return
	}
	start, _ := t.replacePoly(p.w.place, subst{c.sc.v: whole{c.l.lo}})
	p.placed = start
	elem, sh := p.w.entry(v)
	p.w.now = &variable{t: elem, sh: sh}
	if p.lags == 0 {
		c.beginAll(p)
		return
	}
	for k := range p.lags {
		init := t.initial(v, p.w, p.w.ago(start, k+1), c.at)
		y := t.newSym(v.name + []string{"_before", "_lag2", "_lag3", "_lag4"}[min(k, 3)])
		y.local, y.unk = true, true
		t.shapes[y] = sh
		before := &value{n: ref{y}, t: elem, sh: sh, unk: true}
		if before.isIntScalar() {
			before.n = whole{t.atom(ref{y}, &sym{neg: true})}
		}
		p.w.before = append(p.w.before, before)
		c.carries = append(c.carries, carry{y, init})
		c.shapes = append(c.shapes, sh)
	}
	if d := try(func() {
		p.w.old = &value{n: t.initial(v, p.w, p.w.place, c.at), t: elem, sh: sh, unk: true}
	}); d != nil {
		p.w.old = nil
	}
}

// beginAll carries an array, at the fixed subscripts.
func (c *carrier) beginAll(p *part) {
	t, v := c.translator, p.v
	tt, sh := p.w.slab(v)
	slab := &value{t: tt, sh: sh, unk: true}
	var init node
	if len(p.w.fixed) == 0 {
		init = t.materialiseFor(v, c.at).n
	} else {
		init = t.ofEntries(slab, func(r []size.Poly) node {
			old := t.partial
			t.partial = v
			defer func() { t.partial = old }()
			if v.base == nil && len(v.writes) == 0 {
				return unset(v.t)
			}
			return t.raw(t.build(v, p.w.whole(r), c.at))
		}).n
	}
	y := t.newSym(v.name + "_before")
	y.local, y.unk = true, true
	t.shapes[y] = sh
	slab.n = ref{y}
	p.w.all = slab
	p.w.old = c.placeOf(p.w)
	c.carries = append(c.carries, carry{y, init})
	c.shapes = append(c.shapes, sh)
}

// step translates one turn, with the carried values in the place of the variables.
func (c *carrier) step() {
	t, l, sc := c.translator, c.l, c.sc
	m := t.remember()
	t.quiet = true
	l2 := &loop{v: sc.v, lo: l.lo, hi: l.hi, assigned: l.assigned, carried: l.carried,
		start: map[*variable]int{}, of: l, body: c.turn, seen: map[*variable]*spy{}}
	for _, p := range c.parts {
		if p.w == nil {
			y := ref{c.carries[p.first].s}
			n := node(y)
			if p.v.t.base == intBase && p.v.t.arr == 0 {
				n = whole{t.atom(y, &sym{neg: true})}
			}
			p.v.base, p.v.writes = &value{n: n, t: p.v.t, sh: p.v.sh, unk: true}, nil
			continue
		}
		t.view(p.v, p.w)
	}
	for v := range l.assigned {
		l2.start[v] = len(v.writes)
	}
	t.loops = append(t.loops, l2)
	sc.body = t.inBlock(func() {
		for _, p := range c.parts {
			if p.w != nil {
				p.w.now.blk = t.blk
			}
		}
		c.turn(sc.v)
		for _, p := range c.parts {
			if p.w == nil {
				sc.next = append(sc.next, t.build(p.v, nil, c.at).n)
				continue
			}
			if p.w.all != nil {
				sc.next = append(sc.next, t.withNow(p.v, c.at))
				continue
			}
			sc.next = append(sc.next, t.build(p.w.now, nil, c.at).n)
			for k := 1; k < p.lags; k++ {
				sc.next = append(sc.next, p.w.before[k-1].n)
			}
		}
	})
	t.tidy(sc.body, sc.next...)
	t.inlineLast(sc)
	t.carriesUnknown(sc)
	stmts, outer := sc.body.stmts, letsSince(m)
	t.forget(m)
	sc.body.stmts = stmts
	for b, list := range outer { // values of before the loop that the turns read
		b.stmts = append(b.stmts, list...)
	}
}

// write adds the scan to the block, and returns the names of the steps of each carry.
func (c *carrier) write() []*sym {
	t := c.translator
	st := &stmt{kind: letStmt, value: c.sc, span: c.at}
	steps := c.l.hi.Sub(c.l.lo).Add(size.Const(1))
	for i, y := range c.carries {
		name := strings.Replace(y.s.base, "_lag", "_back", 1)
		for _, p := range c.parts {
			if p.first == i {
				name = p.v.name
			}
		}
		h := t.newSym(name)
		h.unk, h.local = y.s.unk, t.blk.parent != nil
		t.auto[h] = true
		t.shapes[h] = append([]size.Poly{steps}, c.shapes[i]...)
		st.syms = append(st.syms, h)
	}
	if len(st.syms) == 1 {
		st.syms[0].def = c.sc
	}
	t.blk.stmts = append(t.blk.stmts, st)
	return st.syms
}

// fill gives an array the entries that the steps of the scan are.
func (c *carrier) fill(p *part, all *value) {
	t, l := c.translator, c.l
	if p.w.all != nil {
		last := t.oneOf(all, l.hi.Sub(l.lo), p.w.all.t)
		if len(p.w.fixed) == 0 && !t.assignedInside(p.v) {
			p.v.base, p.v.writes = last, nil
			return
		}
		p.v.writes = append(slices.Clip(p.v.writes),
			&write{idx: p.w.subs(p.v, len(p.w.fixed)), val: last, span: c.at})
		return
	}
	elem, _ := p.w.entry(p.v)
	from := p.placed
	skip := size.Const(1)
	if d, ok := from.Number(); ok && d >= 1 && p.w.first() {
		from, skip = from.Sub(size.Const(1)), size.Poly{} // the start is the entry before
	}
	to := p.placed.Add(l.hi).Sub(l.lo)
	turns := l.hi.Sub(l.lo)
	if p.w.back {
		from, to = p.placed.Sub(turns).Add(size.Const(1)), p.placed.Add(size.Const(2))
	}
	j := t.newIndex(axisName(p.w.axis, 0), from, to)
	idx := p.w.subs(p.v, p.w.last()+1)
	idx[p.w.axis] = sub{p: size.Dim(j.key)}
	step := size.Dim(j.key).Sub(from).Add(skip)
	if p.w.back {
		step = p.placed.Sub(size.Dim(j.key)).Add(size.Const(1))
	}
	val := t.oneOf(all, step, elem)
	p.v.writes = append(slices.Clip(p.v.writes),
		&write{idx: idx, binds: []bind{{j, j.lo, j.hi}}, val: val, span: c.at})
	if len(p.w.fixed) == 0 && !t.assignedInside(p.v) {
		try(func() { t.materialise(p.v, c.at) })
	}
}

// subs are the first n subscripts of what a scan fills: those that are fixed, and all of others.
func (w *window) subs(v *variable, n int) []sub {
	out := make([]sub, n)
	for i := range out {
		if w.isFixed(i) {
			out[i] = sub{p: *w.fixed[i]}
		} else {
			out[i] = sub{slice: true, n: v.sh[i]}
		}
	}
	return out
}
