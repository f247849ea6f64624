package translate

import (
	"slices"
	"sort"
	"strings"

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
	stmts := sc.body.stmts
	t.forget(m)
	sc.body.stmts = stmts

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
	last *value // nil: it is an array that the scan has filled
}

// materialiseFor is the value of a variable before a loop. An array to which nothing is assigned
// has
// entries that are no numbers, as in Stan: a turn that reads one has no density.
func (t *translator) materialiseFor(v *variable, at source.Span) *value {
	if v.base == nil && len(v.writes) == 0 && len(v.sh) > 0 {
		n := t.eachOf(v.sh, func([]size.Poly) node { return nan })
		return &value{n: n, t: v.t, sh: v.sh}
	}
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

// initial is the entry of an array before a loop. An entry before the first is read by no turn
// whose conditions hold, and stands as 0.
func (t *translator) initial(
	v *variable, prefix []size.Poly, p size.Poly, sh []size.Poly, at source.Span,
) node {
	if _, hi := t.span(p); hi != nil && *hi < 0 {
		return zeros(sh)
	}
	return t.build(v, append(slices.Clone(prefix), p), at).n
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
