package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A solution says how a write reaches a target: under conditions, with a value, which still has
// the indices rest, and with indices of loops that are left.
type solution struct {
	conds []node
	val   node
	sh    []size.Poly
	rest  []size.Poly
	left  []bind
}

// solve finds the turn of its loops in which a write sets a target; false where none does.
func (t *translator) solve(v *variable, w *write, r []size.Poly) (*solution, bool) {
	out := &solution{}
	known := subst{}
	var conds []node
	free := slices.Clone(w.binds)
	for k, s := range w.idx {
		p, _ := t.replacePoly(s.p, known)
		if s.slice {
			n, _ := t.replacePoly(s.n, known)
			if i, high, low, ok := t.blockOf(p, n, free, r[k], v.sh[k]); ok {
				conds = append(conds, t.compare(">=", whole{high}, whole{free[i].lo}),
					t.compare("<", whole{high}, whole{free[i].hi}))
				known[free[i].v] = whole{high}
				free = slices.Delete(slices.Clone(free), i, i+1)
				out.rest = append(out.rest, low)
				continue
			}
			conds = append(conds, t.compare(">=", whole{r[k]}, whole{p}),
				t.compare("<", whole{r[k]}, whole{p.Add(n)}))
			out.rest = append(out.rest, r[k].Sub(p))
			continue
		}
		if b, c, back := linearIn(p, free); b >= 0 && !t.mentionsPoly(c, free) {
			at := r[k].Sub(c) // b + c = r, or c - b = r
			if back {
				at = at.Neg()
			}
			conds = append(conds, t.compare(">=", whole{at}, whole{free[b].lo}),
				t.compare("<", whole{at}, whole{free[b].hi}))
			known[free[b].v] = whole{at}
			free = slices.Delete(slices.Clone(free), b, b+1)
			continue
		}
		if i, j, high, low, ok := t.radix(p, free, r[k], v.sh[k]); ok {
			conds = append(conds, t.compare(">=", whole{high}, whole{free[i].lo}),
				t.compare("<", whole{high}, whole{free[i].hi}))
			known[free[i].v], known[free[j].v] = whole{high}, whole{low}
			var rest []bind
			for n, b := range free {
				if n != i && n != j {
					rest = append(rest, b)
				}
			}
			free = rest
			continue
		}
		conds = append(conds, t.compare("==", whole{p}, whole{r[k]}))
	}
	for _, c := range w.conds {
		conds = append(conds, c)
	}
	for i := range conds {
		conds[i] = t.replace(conds[i], known)
		if b, ok := conds[i].(binary); ok {
			if _, cmp := opposite[b.op]; cmp {
				conds[i] = t.compare(b.op, b.x, b.y)
			}
		}
	}
	out.val = t.replace(w.val.n, known)
	for _, p := range w.val.sh {
		q, _ := t.replacePoly(p, known)
		out.sh = append(out.sh, q)
	}
	for i := range free {
		free[i].lo, _ = t.replacePoly(free[i].lo, known)
		free[i].hi, _ = t.replacePoly(free[i].hi, known)
	}
	out.left = free
	// scalars assigned to a slice or a whole: nothing is left to index
	for k := len(w.idx); k < len(r); k++ {
		out.rest = append(out.rest, r[k])
	}
	for _, c := range conds {
		if isFalse(c) {
			return nil, false
		}
		if !isTrue(c) {
			out.conds = append(out.conds, c)
		}
	}
	out.conds = t.withoutImplied(out.conds)
	return out, true
}

// withoutImplied drops comparisons that others of the list imply.
func (t *translator) withoutImplied(conds []node) []node {
	out := slices.Clone(conds)
	for i := 0; i < len(out); i++ {
		p, ok := room(out[i])
		if !ok {
			continue
		}
		for j, other := range out {
			if q, ok := room(other); ok && j != i && t.atLeast(p, q) {
				out = slices.Delete(out, i, i+1)
				i--
				break
			}
		}
	}
	return out
}

// room is the number that is at least 0 where a comparison of whole numbers holds.
func room(c node) (size.Poly, bool) {
	b, ok := c.(binary)
	if !ok {
		return size.Poly{}, false
	}
	x, isX := b.x.(whole)
	y, isY := b.y.(whole)
	if !isX || !isY {
		return size.Poly{}, false
	}
	above, below := x.p.Sub(y.p), y.p.Sub(x.p)
	switch b.op {
	case ">=":
		return above, true
	case ">":
		return above.Sub(size.Const(1)), true
	case "<=":
		return below, true
	case "<":
		return below.Sub(size.Const(1)), true
	}
	return size.Poly{}, false
}

// radix solves b s + d + c = r for two indices b and d, where d runs through all numbers below s.
func (t *translator) radix(p size.Poly, binds []bind, r, axis size.Poly) (
	i, j int, high, low size.Poly, ok bool,
) {
	for i, b := range binds {
		var factor size.Poly
		rest := size.Poly{Over: p.Over}
		for _, term := range p.Terms {
			k := slices.Index(term.Dims, b.v.key)
			if k < 0 {
				rest.Terms = append(rest.Terms, term)
				continue
			}
			q := size.Const(term.Coef)
			for _, d := range slices.Delete(slices.Clone(term.Dims), k, k+1) {
				q = q.Mul(size.Dim(d))
			}
			factor = factor.Add(q)
		}
		if p.Over > 1 || len(factor.Terms) == 0 || t.moves(factor) {
			continue
		}
		for j, d := range binds {
			c := rest.Sub(size.Dim(d.v.key))
			if j == i || t.mentionsPoly(c, binds) || !d.lo.Equal(size.Poly{}) || !d.hi.Equal(factor) {
				continue
			}
			at := whole{r.Sub(c)}
			like := &sym{neg: !t.atLeast(at.p, size.Poly{})}
			if axis.Sub(c).Equal(factor.Mul(b.hi)) {
				like.top = &b.hi
			}
			high := t.atom(f1("floor", binary{"/", at, whole{factor}}), like)
			low := t.atom(binary{"%", at, whole{factor}}, &sym{top: &d.hi})
			return i, j, high, low, true
		}
	}
	return 0, 0, size.Poly{}, size.Poly{}, false
}

// blockOf finds the block of n entries from b n + c on that has the entry r, for an index b, and
// the place of the entry in the block.
func (t *translator) blockOf(p, n size.Poly, binds []bind, r, axis size.Poly) (
	i int, high, low size.Poly, ok bool,
) {
	if t.mentionsPoly(n, binds) {
		return 0, high, low, false
	}
	in := bind{t.newIndex("in", size.Poly{}, n), size.Poly{}, n}
	all := append(slices.Clip(binds), in)
	i, j, high, low, ok := t.radix(p.Add(size.Dim(in.v.key)), all, r, axis)
	return i, high, low, ok && j == len(binds)
}

// linearIn finds the index of binds that stands in p with the factor 1, or -1 where back is true,
// and
// the rest of p.
func linearIn(p size.Poly, binds []bind) (k int, rest size.Poly, back bool) {
	for i, b := range binds {
		for _, term := range p.Terms {
			if len(term.Dims) != 1 || term.Dims[0] != b.v.key || p.Over > 1 || !alone(p, b.v.key) {
				continue
			}
			switch term.Coef {
			case 1:
				return i, p.Sub(size.Dim(b.v.key)), false
			case -1:
				return i, p.Add(size.Dim(b.v.key)), true
			}
		}
	}
	return -1, p, false
}

func (t *translator) mentionsPoly(p size.Poly, binds []bind) bool {
	for _, b := range binds {
		if t.mentions(whole{p}, b.v) > 0 {
			return true
		}
	}
	return false
}

// lastWins deals with entries that several turns of a loop assign: the last counts.
func (t *translator) lastWins(
	v *variable, w *write, s *solution, r []size.Poly, k int, at source.Span,
) node {
	var some, inner []node // conditions that are the same for all turns, and others
	for _, x := range s.conds {
		if slices.ContainsFunc(s.left, func(b bind) bool { return t.mentions(x, b.v) > 0 }) {
			inner = append(inner, x)
		} else {
			some = append(some, x)
		}
	}
	c := and(inner)
	if isTrue(c) { // every turn assigns the same entry: that of the last turn stays
		known := subst{}
		for _, b := range s.left {
			known[b.v] = whole{b.hi.Sub(size.Const(1))}
		}
		val := t.turnOf(w, s, known)
		before := t.chain(v, r, k-1, at)
		if before == nil && len(some) == 0 {
			return val
		}
		for _, b := range s.left {
			some = append(some, t.compare(">", whole{b.hi}, whole{b.lo}))
		}
		return t.choose(and(some), val, before)
	}
	binds, inside, ok := t.static(s.left)
	if !ok || t.unknown(c) {
		t.fail(syntax.LoopCarried, w.span, "several turns of the loop assign the same entry of %s, and "+
			"which is the last is not known", v.name)
	}
	// 1 and the place of the last turn that assigns the entry among all turns, or 0
	nth := size.Poly{}
	for _, b := range binds {
		nth = nth.Mul(b.hi.Sub(b.lo)).Add(size.Dim(b.v.key)).Sub(b.lo)
	}
	from := comp{fun: "max", binds: binds,
		elem: t.choose(and(append(inside, c)), whole{nth.Add(size.Const(1))}, num(0))}
	var place size.Poly
	if axes := t.axesOf(c, binds); len(axes) > 0 {
		over := make([]bind, len(axes))
		subs := make([]node, len(axes))
		for i, a := range axes {
			over[i] = bind{a, a.lo, a.hi}
			subs[i] = whole{size.Dim(a.key)}
		}
		root := t.tops()
		t.walk(from, func(x node) { // what a turn names is not seen outside
			if r, ok := x.(ref); ok && r.s.local && !r.s.isIdx {
				root = t.blk
			}
		})
		where := t.let(root, v.name+"_from", &value{n: comp{elem: from, binds: over},
			t: typ{intBase, len(axes)}})
		t.ints[where] = intInfo{}
		place = t.atom(index{ref{where}, subs}, &sym{})
	} else {
		place = t.atom(from, &sym{})
	}
	val := t.turnOf(w, s, t.turnAt(binds, place.Sub(size.Const(1))))
	return t.choose(and(append(some, binary{">", whole{place}, num(0)})), val, t.chain(v, r, k-1, at))
}

// turnOf is what an assignment gives an entry in one turn of the loops that are left.
func (t *translator) turnOf(w *write, s *solution, turn subst) node {
	val := &value{n: t.replace(s.val, turn), t: w.val.t}
	for _, p := range s.sh {
		q, _ := t.replacePoly(p, turn)
		val.sh = append(val.sh, q)
	}
	var rest []size.Poly
	for _, p := range s.rest {
		q, _ := t.replacePoly(p, turn)
		rest = append(rest, q)
	}
	return t.atAll(val, rest).n
}

// turnAt are the indices of nested loops at a turn, counted from 0.
func (t *translator) turnAt(binds []bind, nth size.Poly) subst {
	out := subst{}
	for i := len(binds) - 1; i >= 0; i-- {
		b := binds[i]
		n := b.hi.Sub(b.lo)
		if i == 0 {
			out[b.v] = whole{nth.Add(b.lo)}
			break
		}
		out[b.v] = whole{t.atom(binary{"%", whole{nth}, whole{n}}, &sym{}).Add(b.lo)}
		nth = t.atom(t.quotient(whole{nth}, whole{n}, true), &sym{})
	}
	return out
}

// static gives nested loops ends that no index moves: those of the longest loop, with the condition
// that a turn is inside of its own.
func (t *translator) static(list []bind) (out []bind, inside []node, ok bool) {
	for _, b := range list {
		if !t.moves(b.lo) && !t.moves(b.hi) {
			out = append(out, b)
			continue
		}
		wide := bind{b.v, t.furthest(b.lo, false), t.furthest(b.hi, true)}
		if len(list) == 1 || t.moves(wide.lo) || t.moves(wide.hi) {
			return list, nil, len(list) == 1
		}
		at := whole{size.Dim(b.v.key)}
		inside = append(inside, binary{">=", at, whole{b.lo}}, binary{"<", at, whole{b.hi}})
		out = append(out, wide)
	}
	return out, inside, true
}

// furthest is the end of a loop with the indices in it where it is greatest, or least.
func (t *translator) furthest(p size.Poly, most bool) size.Poly {
	for _, term := range p.Terms {
		for _, d := range term.Dims {
			s := t.syms[d]
			if s == nil || !s.isIdx || len(term.Dims) != 1 || !alone(p, d) {
				continue
			}
			at := s.lo
			if most == (term.Coef > 0) {
				at = s.hi.Sub(size.Const(1))
			}
			return t.furthest(compose(p, d, at), most)
		}
	}
	return p
}

// axesOf are the indices of fresh axes in a condition.
func (t *translator) axesOf(c node, without []bind) []*sym {
	var out []*sym
	turns := func(s *sym) bool {
		return slices.ContainsFunc(without, func(b bind) bool { return b.v == s })
	}
	t.walk(c, func(x node) {
		if r, ok := x.(ref); ok && r.s.isIdx && !turns(r.s) && !slices.Contains(out, r.s) &&
			r.s.lo.Equal(size.Poly{}) && !t.moves(r.s.hi) {
			out = append(out, r.s)
		}
	})
	return out
}
