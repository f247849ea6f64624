package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// forLoop translates a loop. Its turns become terms of a plate, entries of arrays and terms of
// sums; where they depend on each other, first steps of a scan.
func (t *translator) forLoop(s *syntax.For) {
	if breaks(s.Body) {
		t.flagged(s)
		return
	}
	if s.In != nil {
		t.forEach(s)
		return
	}
	lo, hi := t.intOf(t.expr(s.Lo), s.Lo.Pos()), t.intOf(t.expr(s.Hi), s.Hi.Pos())
	shift := 1
	if n, ok := lo.Number(); ok && n == 0 {
		shift = 0
	}
	lo, hi = lo.Sub(size.Const(shift)), hi.Sub(size.Const(shift-1))
	body := func(v *sym) {
		t.open()
		defer t.close()
		t.bindVar(s.Var, intVal(size.Dim(v.key).Add(size.Const(shift))))
		t.statements(s.Body)
	}
	unroll := func(k int) {
		t.open()
		defer t.close()
		t.bindVar(s.Var, intVal(size.Const(k+shift)))
		t.statements(s.Body)
	}
	t.turns(s, s.Var, lo, hi, body, unroll)
}

// forEach is a loop over the entries of a container.
func (t *translator) forEach(s *syntax.For) {
	in := t.expr(s.In)
	if in.t.rank() == 0 {
		t.fail(syntax.WrongType, s.In.Pos(), "a loop goes over a range or an array, and this is %v", in.t)
	}
	entries := in
	if in.t.base == matrixBase && in.t.arr == 0 { // by columns, entry by entry
		t.failNote("write two loops over ranges",
			syntax.NoStatement, s.In.Pos(), "a loop over the entries of a matrix has no counterpart")
	}
	one := func(p size.Poly) {
		t.open()
		defer t.close()
		t.bindVar(s.Var, t.at(entries, p))
		t.statements(s.Body)
	}
	t.turns(s, s.Var+"_at", size.Poly{}, in.sh[0], func(v *sym) { one(size.Dim(v.key)) },
		func(k int) { one(size.Const(k)) })
}

// mostTurns is the number of turns up to which a loop with literal ends is written out where it
// is neither a plate nor a scan.
const mostTurns = 64

func (t *translator) turns(s *syntax.For, name string, lo, hi size.Poly, body func(*sym),
	unroll func(int)) {
	if n, ok := hi.Sub(lo).Number(); ok && n <= 0 {
		return
	}
	assigned := t.assignedIn(s.Body)
	for v := range assigned {
		if v.ignore { // a scan around has done what the turns assign
			delete(assigned, v)
		}
	}
	carried := map[*variable]bool{}
	if t.moves(hi) && !t.highest(hi) {
		if most, ok := t.reach(lo, hi, name, body); ok {
			hi, body = most, t.until(hi, body)
		}
	}
	first := t.remember()
	var failed *stop
	var ended []func()
	for range 20 {
		l := &loop{lo: lo, hi: hi, assigned: assigned, carried: carried, start: map[*variable]int{},
			body: body, seen: map[*variable]*spy{}}
		l.v = t.newIndex(name, lo, hi)
		got := t.attempt(s, l, body)
		if got.failed != nil {
			failed = got.failed
			break
		}
		if got.static {
			t.forget(first)
			if lo, hi, body, failed = t.fixedEnds(s, name, lo, hi, body); failed != nil {
				break
			}
			continue
		}
		if got.more == nil {
			for _, end := range ended {
				end()
			}
			return
		}
		t.forget(first)
		if list := t.counters(got.more.v, l, body, s.Pos()); list != nil {
			body = t.counting(list, l.v, body, s.Pos())
			for _, c := range list {
				delete(assigned, c.v)
				ended = append(ended, t.endCount(c, s.Pos()))
			}
			continue
		}
		if carried[got.more.v] {
			failed = &stop{t.diagnostic(syntax.LoopCarried, got.more.s,
				"turns of this loop depend on each other through %s in a way that has no counterpart",
				got.more.v.name)}
			break
		}
		carried[got.more.v] = true
	}
	t.forget(first)
	if !leavesLoop(s.Body) && t.writtenOut(lo, hi, first, unroll) {
		return
	}
	if failed == nil {
		t.fail(syntax.LoopCarried, s.Pos(), "this loop carries too much from turn to turn")
	}
	panic(*failed)
}

// An outcome is what became of an attempt to translate a loop: a variable more that it carries,
// ends that have to be sizes, or an error.
type outcome struct {
	more   *needCarry
	static bool
	failed *stop
}

// attempt translates a loop with what is known of the variables that it carries.
func (t *translator) attempt(s *syntax.For, l *loop, body func(*sym)) (out outcome) {
	defer func() {
		r := recover()
		switch x := r.(type) {
		case nil:
		case needStatic:
			if x.l != l {
				panic(r)
			}
			out.static = true
		case needCarry:
			if x.l != l && x.l.of != l {
				panic(r)
			}
			out.more = &x
		case stop:
			out.failed = &x
		default:
			panic(r)
		}
	}()
	if len(l.carried) > 0 {
		if t.moves(l.hi) || t.moves(l.lo) {
			panic(needStatic{l})
		}
		m := t.remember()
		windows := false
		d := try(func() {
			windows = t.carry(s, l, body)
			t.turn(l, body)
		})
		if d == nil {
			return out
		}
		if !windows || t.noWindows {
			panic(stop{d})
		}
		t.forget(m)
		t.noWindows = true
		defer func() { t.noWindows = false }()
		t.carry(s, l, body)
	}
	t.turn(l, body)
	return out
}

// fixedEnds gives a loop ends that are sizes, and its turns the conditions under which they count.
func (t *translator) fixedEnds(s *syntax.For, name string, lo, hi size.Poly, body func(*sym)) (
	size.Poly, size.Poly, func(*sym), *stop,
) {
	begin := lo
	if t.moves(hi) {
		most, ok := t.reach(lo, hi, name, body)
		if !ok {
			return lo, hi, body, &stop{t.diagnostic(syntax.LoopCarried, s.Pos(), "turns of this loop "+
				"depend on each other, and how many there can be is not known")}
		}
		body, hi = t.until(hi, body), most
	}
	if t.moves(lo) {
		lo = size.Poly{}
		inner := body
		body = func(v *sym) {
			t.under1(t.compare(">=", whole{size.Dim(v.key)}, whole{begin}), func() { inner(v) })
		}
	}
	return lo, hi, body, nil
}

// writtenOut writes a loop with few turns and literal ends turn by turn, and reports whether it is
// one.
func (t *translator) writtenOut(lo, hi size.Poly, first *memory, unroll func(int)) bool {
	a, ok := lo.Number()
	b, ok2 := hi.Number()
	if !ok || !ok2 || b-a > mostTurns || t.bound != nil {
		return false
	}
	d := try(func() {
		for k := a; k < b; k++ {
			unroll(k)
		}
	})
	if d != nil {
		t.forget(first)
	}
	return d == nil
}

// needStatic unwinds to a loop that has to become a scan, and whose ends data or an index give.
type needStatic struct{ l *loop }

// until runs the turns of a loop that come before an end.
func (t *translator) until(end size.Poly, body func(*sym)) func(*sym) {
	return func(v *sym) {
		t.under1(t.compare("<", whole{size.Dim(v.key)}, whole{end}), func() { body(v) })
	}
}

// under1 runs f where a condition holds.
func (t *translator) under1(c node, f func()) {
	if isTrue(c) || t.holding([]node{c}) {
		f()
		return
	}
	t.conds = append(t.conds[:len(t.conds):len(t.conds)], c)
	f()
	t.conds = t.conds[:len(t.conds)-1]
}

// assignedIn are the variables of outside that statements assign.
func (t *translator) assignedIn(list []syntax.Stmt) map[*variable]bool {
	out := map[*variable]bool{}
	inner := map[string]int{}
	syntax.Walk(list, func(s syntax.Stmt) {
		if d, ok := s.(*syntax.Decl); ok {
			inner[d.Name]++
		}
	})
	note := func(e syntax.Expr) {
		for {
			switch x := e.(type) {
			case *syntax.Index:
				e = x.X
				continue
			case *syntax.Field:
				e = x.X
				continue
			case *syntax.Name:
				if v := t.lookup(x.Name); v != nil && inner[x.Name] == 0 {
					out[v] = true
					for _, p := range v.elems {
						out[p] = true
					}
					if v.window != nil {
						out[v.window.now] = true
					}
				}
			case *syntax.Tuple:
				for _, y := range x.Elems {
					for v := range t.assignedIn([]syntax.Stmt{&syntax.Assign{Left: y}}) {
						out[v] = true
					}
				}
			}
			return
		}
	}
	syntax.Walk(list, func(s syntax.Stmt) {
		switch s := s.(type) {
		case *syntax.Assign:
			note(s.Left)
		case *syntax.Return:
			if t.result != nil {
				out[t.result] = true
			}
		}
	})
	return out
}

// turn translates the body once for an index, and puts its parts where they belong.
func (t *translator) turn(l *loop, body func(*sym)) {
	for v := range l.assigned {
		l.start[v] = len(v.writes)
	}
	// What was assigned whole before the loop stays apart from what the turn assigns.
	t.loops = append(t.loops, l)
	b := t.inBlock(func() {
		for _, a := range t.after {
			if a.l == l && a.done != nil {
				a.v.window.now.blk = t.blk
			}
		}
		body(l.v)
	})
	t.loops = t.loops[:len(t.loops)-1]
	var rest []carriedOver
	var last []carriedOver
	for _, a := range t.after {
		if a.l != l {
			rest = append(rest, a)
			continue
		}
		a.v.ignore, a.v.final, a.v.window = false, nil, a.window
		if a.done != nil {
			last = append(last, a)
		} else if a.last != nil {
			a.v.writes = a.v.writes[:min(l.start[a.v], len(a.v.writes))]
			last = append(last, a)
		}
	}
	t.after = rest
	t.shut(l, b)
	for _, a := range last {
		if a.done != nil {
			a.done()
			continue
		}
		a.v.base, a.v.writes = a.last, nil
	}
}

// shut ends a loop: assignments get its index, lets that they read are written for all turns, and
// what is left are the terms of a plate.
func (t *translator) shut(l *loop, b *block) {
	var fresh []*write
	for v := range l.assigned {
		t.resets(l, v)
		if w := t.disturbed(l, v); w != nil {
			panic(needCarry{l, v, w.span})
		}
		for i := l.start[v]; i < len(v.writes); i++ {
			w := *v.writes[i]
			if t.lastUnknown(l, &w) {
				panic(needCarry{l, v, w.span})
			}
			w.binds = append([]bind{{l.v, l.lo, l.hi}}, w.binds...)
			v.writes[i] = &w
			fresh = append(fresh, &w)
		}
	}
	t.tidyLoop(b, fresh)
	t.hoist(l, b, fresh)
	t.tidy(b)
	if len(b.stmts) == 0 || t.quiet && !slices.ContainsFunc(b.stmts,
		func(s *stmt) bool { return s.kind != letStmt }) {
		return
	}
	if !slices.ContainsFunc(b.stmts, func(s *stmt) bool { return s.kind != letStmt }) {
		return
	}
	p := &stmt{kind: plateStmt, binds: []bind{{l.v, l.lo, l.hi}}, body: b, span: b.stmts[0].span}
	if len(b.stmts) == 1 && b.stmts[0].kind == plateStmt { // for n in N, k in K
		p.binds = append(p.binds, b.stmts[0].binds...)
		p.body = b.stmts[0].body
		p.body.parent = b.parent
	}
	t.blk.stmts = append(t.blk.stmts, p)
}

// lastUnknown reports whether several turns may assign one entry, and unknowns decide which is the
// last.
func (t *translator) lastUnknown(l *loop, w *write) bool {
	if w.add || !t.unknown(and(w.conds)) {
		return false
	}
	for _, s := range w.idx {
		if t.mentions(whole{s.p}, l.v) > 0 {
			return false
		}
	}
	return true
}
