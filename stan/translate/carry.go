package translate

import (
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// carry writes the scan for the variables that a loop carries from turn to turn, and lets the
// turns read their values from it.
func (t *translator) carry(s *syntax.For, l *loop, body func(*sym)) {
	var list []*variable
	for v := range l.carried {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].span.Start < list[j].span.Start })
	type part struct {
		v      *variable
		w      *window
		lags   int
		first  int // of its carries
		placed size.Poly
		old    *value // of the entry of this turn, before the loop
	}
	var parts []*part
	var carries []carry
	var shapes [][]size.Poly
	sc := &scan{v: t.newIndex(l.v.base, l.lo, l.hi), lo: l.lo, hi: l.hi}
	at := s.Pos()
	for _, v := range list {
		p := &part{v: v, first: len(carries)}
		p.w, p.lags = t.windowOf(v, s, sc.v, body)
		if p.w == nil {
			init := t.materialiseFor(v, at)
			c := t.newSym(v.name + "_before")
			c.local, c.unk = true, true
			if v.t.base == intBase {
				c.unk = false
			}
			t.shapes[c] = v.sh
			carries = append(carries, carry{c, init.n})
			shapes = append(shapes, v.sh)
			parts = append(parts, p)
			continue
		}
		elem := v.t
		for range len(p.w.prefix) + 1 {
			elem = elem.elem()
		}
		sh := v.sh[len(p.w.prefix)+1:]
		start, _ := t.replacePoly(p.w.place, subst{sc.v: whole{l.lo}})
		p.placed = start
		for k := range p.lags {
			init := t.initial(v, p.w.prefix, p.w.ago(start, k+1), sh, at)
			c := t.newSym(v.name + []string{"_before", "_lag2", "_lag3", "_lag4"}[min(k, 3)])
			c.local, c.unk = true, true
			t.shapes[c] = sh
			before := &value{n: ref{c}, t: elem, sh: sh, unk: true}
			if before.isIntScalar() {
				before.n = whole{t.atom(ref{c}, &sym{neg: true})}
			}
			p.w.before = append(p.w.before, before)
			carries = append(carries, carry{c, init})
			shapes = append(shapes, sh)
		}
		old := append(slices.Clone(p.w.prefix), p.w.place)
		if d := try(func() { p.old = t.build(v, old, at) }); d != nil {
			p.old = nil
		}
		parts = append(parts, p)
	}
	sc.carries = carries

	// One turn, with the carried values in the place of the variables.
	m := t.remember()
	t.quiet = true
	l2 := &loop{v: sc.v, lo: l.lo, hi: l.hi, assigned: l.assigned, carried: l.carried,
		start: map[*variable]int{}, of: l, body: body, seen: map[*variable]*spy{}}
	for _, p := range parts {
		if p.w == nil {
			c := ref{carries[p.first].s}
			n := node(c)
			if p.v.t.base == intBase && p.v.t.arr == 0 {
				n = whole{t.atom(c, &sym{neg: true})}
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
		body(sc.v)
		for _, p := range parts {
			if p.w == nil {
				sc.next = append(sc.next, t.build(p.v, nil, at).n)
				continue
			}
			p.w.now.blk = t.blk
			sc.next = append(sc.next, t.build(p.w.now, nil, at).n)
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

	// The scan, and what its steps are.
	st := &stmt{kind: letStmt, value: sc, span: at}
	steps := l.hi.Sub(l.lo).Add(size.Const(1))
	for i, c := range carries {
		name := strings.Replace(c.s.base, "_lag", "_back", 1)
		for _, p := range parts {
			if p.first == i {
				name = p.v.name
			}
		}
		h := t.newSym(name)
		h.unk, h.local = c.s.unk, t.blk.parent != nil
		t.auto[h] = true
		t.shapes[h] = append([]size.Poly{steps}, shapes[i]...)
		st.syms = append(st.syms, h)
	}
	if len(st.syms) == 1 {
		st.syms[0].def = sc
	}
	t.blk.stmts = append(t.blk.stmts, st)
	here := size.Dim(l.v.key)
	for _, p := range parts {
		h := st.syms[p.first]
		all := &value{n: ref{h}, t: typ{p.v.t.base, p.v.t.arr + 1}, sh: t.shapes[h], unk: h.unk}
		if p.v.t.base == intBase {
			t.ints[h] = intInfo{neg: true}
		}
		if p.w == nil {
			p.v.base = t.oneOf(all, here.Sub(l.lo), p.v.t)
			p.v.writes = nil
			if once(s.Body, p.v.name) {
				p.v.final = t.oneOf(all, here.Sub(l.lo).Add(size.Const(1)), p.v.t)
			}
			t.after = append(t.after, carriedOver{p.v, l, t.oneOf(all, l.hi.Sub(l.lo), p.v.t)})
			continue
		}
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
			&write{idx: idx, binds: []bind{{j, j.lo, j.hi}}, val: val, span: at})
		if len(p.w.prefix) == 0 && !t.assignedInside(p.v) {
			try(func() { t.materialise(p.v, at) })
		}
		p.v.ignore = true
		t.after = append(t.after, carriedOver{p.v, l, nil})
	}
}
