package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A counter is a whole number that each turn of a loop raises by an amount that sizes and indices
// of loops give. It is then a number that the index of the turn gives, and nothing is carried:
//
//	for k in 1:K for l in 1:L { n += 1; x[n] = … }   →   n is L k + l in turn (k, l)
type counter struct {
	v     *variable
	at    size.Poly // where a turn begins, in the loop's index
	after size.Poly // the loop
}

// counters finds the counters among what the turns of a loop assign. v is the variable that made a
// turn read what another one assigns; without it there are none.
func (t *translator) counters(
	v *variable, l *loop, body func(*sym), at source.Span,
) (out []counter) {
	if !v.isWholeNumber() || !t.atLeast(l.hi, l.lo) || t.bound == nil && (t.moves(l.lo) &&
		!t.highest(l.lo) || t.moves(l.hi) && !t.highest(l.hi)) {
		return nil
	}
	var list []*variable
	start := map[*variable]size.Poly{}
	for u := range l.assigned {
		if !u.isWholeNumber() || l.carried[u] || u.window != nil || u.final != nil {
			continue
		}
		if d := try(func() { start[u] = t.intOf(t.readNow(u, nil, at), at) }); d == nil {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b *variable) int { return a.span.Start - b.span.Start })
	found := false
	for u, by := range t.raises(list, l, body, at) {
		sum, ok := t.sumBelow(by, l.v, l.lo)
		if !ok {
			continue
		}
		c := counter{v: u, at: start[u].Add(sum)}
		c.after = compose(c.at, l.v.key, l.hi)
		out = append(out, c)
		found = found || u == v
	}
	if !found {
		return nil
	}
	slices.SortFunc(out, func(a, b counter) int { return a.v.span.Start - b.v.span.Start })
	return out
}

func (v *variable) isWholeNumber() bool {
	return v.t.base == intBase && v.t.arr == 0 && v.cells == nil
}

// raises translates one turn of a loop, to see by how much it raises whole numbers.
func (t *translator) raises(
	list []*variable, l *loop, body func(*sym), at source.Span,
) map[*variable]size.Poly {
	out := map[*variable]size.Poly{}
	m := t.remember()
	spies, after := t.spies, t.after
	t.quiet = true
	t.spies = append(slices.Clip(t.spies), &spy{v: &variable{}, turn: l.v})
	others := map[*variable]bool{} // what the turns assign else: nothing is known of it
	for v := range l.assigned {
		if slices.Contains(list, v) || v.t.base == tupleBase {
			continue
		}
		others[v] = true
		s := t.newSym(v.name)
		s.unk = true
		if v.window != nil {
			w := *v.window
			w.now = &variable{name: v.name, t: w.now.t, sh: w.now.sh, base: &value{n: ref{s}, t: w.now.t,
				sh: w.now.sh, unk: true}}
			v.window = &w
			continue
		}
		v.base, v.writes, v.cells, v.final = &value{n: ref{s}, t: v.t, sh: v.sh, unk: true}, nil, nil, nil
		if v.isWholeNumber() {
			v.base.n = whole{t.atom(ref{s}, &sym{neg: true})}
		}
	}
	t.loops = append(t.loops, &loop{v: l.v, lo: l.lo, hi: l.hi, assigned: others, carried: others,
		start: map[*variable]int{}, seen: map[*variable]*spy{}})
	before := map[*variable]size.Poly{}
	func() {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case stop, needCarry, needStatic:
				clear(before)
			default:
				panic(r)
			}
		}()
		t.inBlock(func() {
			for _, v := range list {
				before[v] = size.Dim(t.newSym(v.name + "_count").key)
				t.assign(v, nil, intVal(before[v]), false, at)
			}
			body(l.v)
			for _, v := range list {
				w, ok := t.readNow(v, nil, at).n.(whole)
				if !ok {
					continue
				}
				if by := w.p.Sub(before[v]); !t.mentionsAny(by, before) {
					out[v] = by
				}
			}
		})
	}()
	t.spies, t.after = spies, after
	t.forget(m)
	if len(before) == 0 {
		return nil
	}
	return out
}

func (t *translator) mentionsAny(p size.Poly, list map[*variable]size.Poly) bool {
	for _, q := range list {
		if name, _ := q.Name(); t.mentions(whole{p}, t.syms[name]) > 0 {
			return true
		}
	}
	return false
}

// sumBelow is the sum of a number over the turns before a turn of a loop. It is a polynomial where
// the number is one of sizes and indices, of degree 1 at most in the loop's.
func (t *translator) sumBelow(by size.Poly, turn *sym, lo size.Poly) (size.Poly, bool) {
	flat, slope := size.Poly{}, size.Poly{} // by is flat + slope × turn
	for _, term := range by.Terms {
		q := size.Const(term.Coef)
		own := 0
		for _, d := range term.Dims {
			s := t.syms[d]
			switch {
			case d == turn.key:
				own++
				continue
			case s != nil && (s.atom != nil || s.isIdx && !t.isOpen(s)):
				return size.Poly{}, false
			}
			q = q.Mul(size.Dim(d))
		}
		switch own {
		case 0:
			flat = flat.Add(q)
		case 1:
			slope = slope.Add(q)
		default:
			return size.Poly{}, false
		}
	}
	over := max(by.Over, 1)
	i := size.Dim(turn.key)
	turns := i.Sub(lo)
	ends := turns.Mul(i.Add(lo).Sub(size.Const(1)))
	return flat.Mul(turns).Div(over).Add(slope.Mul(ends).Div(2 * over)), true
}

// isOpen reports whether an index is that of a loop that is open.
func (t *translator) isOpen(s *sym) bool {
	return slices.ContainsFunc(t.loops, func(l *loop) bool { return l.v == s })
}

// counting translates a loop whose turns begin with the values that counters have.
func (t *translator) counting(list []counter, of *sym, body func(*sym), at source.Span) func(*sym) {
	return func(turn *sym) {
		for _, c := range list {
			p := compose(c.at, of.key, size.Dim(turn.key))
			t.assign(c.v, nil, intVal(p), false, at)
		}
		body(turn)
	}
}

// endCount returns what gives a counter its value behind the loop.
func (t *translator) endCount(c counter, at source.Span) func() {
	base, writes := c.v.base, c.v.writes
	return func() {
		c.v.base, c.v.writes = base, writes
		t.assign(c.v, nil, intVal(c.after), false, at)
	}
}
