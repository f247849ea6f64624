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
	old    *value // of the entry of this turn, before the loop
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
// turns read their values from it.
func (t *translator) carry(s *syntax.For, l *loop, body func(*sym)) {
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
		all := &value{n: ref{h}, t: typ{p.v.t.base, p.v.t.arr + 1}, sh: t.shapes[h], unk: h.unk}
		if p.v.t.base == intBase {
			t.ints[h] = intInfo{neg: true}
		}
		if p.w != nil {
			c.fill(p, all)
			continue
		}
		p.v.base = t.oneOf(all, here.Sub(l.lo), p.v.t)
		p.v.writes = nil
		if once(s.Body, p.v.name) {
			p.v.final = t.oneOf(all, here.Sub(l.lo).Add(size.Const(1)), p.v.t)
		}
		t.after = append(t.after, carriedOver{p.v, l, t.oneOf(all, l.hi.Sub(l.lo), p.v.t)})
	}
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
	elem := v.t
	for range len(p.w.prefix) + 1 {
		elem = elem.elem()
	}
	sh := v.sh[len(p.w.prefix)+1:]
	start, _ := t.replacePoly(p.w.place, subst{c.sc.v: whole{c.l.lo}})
	p.placed = start
	for k := range p.lags {
		init := t.initial(v, p.w.prefix, p.w.ago(start, k+1), sh, c.at)
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
	old := append(slices.Clone(p.w.prefix), p.w.place)
	if d := try(func() { p.old = t.build(v, old, c.at) }); d != nil {
		p.old = nil
	}
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
		elem := p.w.before[0]
		p.w.now = &variable{name: p.v.name, t: elem.t, sh: elem.sh, depth: len(t.loops) + 1,
			conds: len(t.conds), span: p.v.span, base: p.old}
		t.vars = append(t.vars, p.w.now)
		p.v.window = p.w
	}
	for v := range l.assigned {
		l2.start[v] = len(v.writes)
	}
	t.loops = append(t.loops, l2)
	sc.body = t.inBlock(func() {
		c.turn(sc.v)
		for _, p := range c.parts {
			if p.w == nil {
				sc.next = append(sc.next, t.build(p.v, nil, c.at).n)
				continue
			}
			p.w.now.blk = t.blk
			sc.next = append(sc.next, t.build(p.w.now, nil, c.at).n)
			for k := 1; k < p.lags; k++ {
				sc.next = append(sc.next, p.w.before[k-1].n)
			}
		}
	})
	t.tidy(sc.body, sc.next...)
	t.inlineLast(sc)
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
	elem := p.w.before[0]
	from := p.placed
	skip := size.Const(1)
	if d, ok := from.Number(); ok && d >= 1 {
		from, skip = from.Sub(size.Const(1)), size.Poly{} // the start is the entry before
	}
	to := p.placed.Add(l.hi).Sub(l.lo)
	turns := l.hi.Sub(l.lo)
	if p.w.back {
		from, to = p.placed.Sub(turns).Add(size.Const(1)), p.placed.Add(size.Const(2))
	}
	j := t.newIndex(axisName(len(p.w.prefix), 0), from, to)
	idx := make([]sub, 0, len(p.w.prefix)+1)
	for _, q := range p.w.prefix {
		idx = append(idx, sub{p: q})
	}
	idx = append(idx, sub{p: size.Dim(j.key)})
	step := size.Dim(j.key).Sub(from).Add(skip)
	if p.w.back {
		step = p.placed.Sub(size.Dim(j.key)).Add(size.Const(1))
	}
	val := t.oneOf(all, step, elem.t)
	p.v.writes = append(slices.Clip(p.v.writes),
		&write{idx: idx, binds: []bind{{j, j.lo, j.hi}}, val: val, span: c.at})
	if len(p.w.prefix) == 0 && !t.assignedInside(p.v) {
		try(func() { t.materialise(p.v, c.at) })
	}
	p.v.ignore = true
	t.after = append(t.after, carriedOver{p.v, l, nil})
}
