package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// materialise makes one value of a variable and the entries assigned to it.
func (t *translator) materialise(v *variable, at source.Span) *value {
	if v.cells != nil {
		return t.allCells(v, at)
	}
	if len(v.writes) == 0 {
		if v.base == nil {
			t.fail(syntax.NotFilled, at, "nothing is assigned to %s", v.name)
		}
		return v.base
	}
	val := t.build(v, nil, at)
	if v.t.rank() > 0 || t.weight(val.n) > 4 {
		if _, plain := val.n.(ref); !plain && !val.isIntScalar() {
			blk := t.blk
			if len(t.loops) == v.depth || !t.insideOnly(val.n, v) {
				blk = v.blk
			}
			val = t.guarded(t.conds[:min(v.conds, len(t.conds))], val)
			s := t.let(blk, v.name, val)
			w := *val
			w.n = ref{s}
			val = &w
			if v.t.base == intBase {
				t.ints[s] = intInfo{neg: true}
			}
		} else if plain {
			t.rename(val.n.(ref).s, v)
		}
	}
	v.base, v.writes = val, nil
	return val
}

func (v *value) isIntScalar() bool { return v.t.base == intBase && v.t.arr == 0 }

// insideOnly reports whether a node has indices of loops that are open and were not where v was
// declared.
func (t *translator) insideOnly(n node, v *variable) bool {
	found := false
	t.walk(n, func(x node) {
		if r, ok := x.(ref); ok {
			for _, l := range t.loops[min(v.depth, len(t.loops)):] {
				found = found || l.v == r.s
			}
		}
	})
	return found
}

// build makes the value of v at the first indices r from its writes, the last first.
func (t *translator) build(v *variable, r []size.Poly, at source.Span) *value {
	rank := v.t.rank()
	deep := len(r)
	for _, w := range v.writes {
		deep = max(deep, len(w.idx))
	}
	if deep > len(r) {
		if x := t.pieces(v, r, at); x != nil {
			return x
		}
	}
	var axes []bind
	target := slices.Clone(r)
	for k := len(r); k < deep; k++ {
		s := t.newIndex(axisName(k, rank), size.Poly{}, v.sh[k])
		axes = append(axes, bind{s, size.Poly{}, v.sh[k]})
		target = append(target, size.Dim(s.key))
	}
	elemT := v.t
	for range deep {
		elemT = elemT.elem()
	}
	outT := v.t
	for range r {
		outT = outT.elem()
	}
	n := t.chain(v, target, len(v.writes)-1, at)
	if n == nil {
		t.fail(syntax.NotFilled, at, "%s is read where nothing is assigned to it", v.name)
	}
	n = t.covered(v, n, axes, at)
	out := &value{t: outT, sh: v.sh[len(r):]}
	if len(axes) > 0 {
		for _, a := range axes {
			if t.moves(a.hi) {
				t.fail(syntax.SizeUnknown, v.span, "the size of %s is not made of sizes of the data",
					v.name)
			}
		}
		n = t.comprehension(n, axes)
	}
	out.n, out.unk = n, t.unknown(n)
	if out.isIntScalar() {
		if _, ok := out.n.(whole); !ok {
			out.n = whole{t.atom(out.n, &sym{neg: true})}
		}
	}
	return out
}

var axisNames = []string{"i", "j", "k", "l", "m"}

func axisName(k, rank int) string { return axisNames[min(k, len(axisNames)-1)] }

// comprehension is [n for axes], and simply x where that is [x[i] for i].
func (t *translator) comprehension(n node, axes []bind) node {
	for len(axes) > 0 {
		last := axes[len(axes)-1]
		x, ok := n.(index)
		if !ok || len(x.subs) == 0 {
			break
		}
		k := len(x.subs) - 1
		w, ok := unplus(x.subs[k]).(whole)
		if !ok || !w.p.Equal(size.Dim(last.v.key)) || !last.lo.Equal(size.Poly{}) ||
			t.mentions(index{x.x, x.subs[:k]}, last.v) > 0 {
			break
		}
		sh := t.shapeOf(x.x)
		if sh == nil || len(sh) <= k || !sh[k].Equal(last.hi) ||
			slices.ContainsFunc(x.subs[:k], func(s node) bool { return !isPlain(s) }) {
			break
		}
		if k == 0 {
			n = x.x
		} else {
			n = index{x.x, x.subs[:k]}
		}
		axes = axes[:len(axes)-1]
	}
	if len(axes) == 0 {
		return n
	}
	return comp{elem: n, binds: axes}
}

// shapeOf is the shape of a named array; nil where it is not known.
func (t *translator) shapeOf(n node) []size.Poly {
	if r, ok := n.(ref); ok {
		return t.shapes[r.s]
	}
	return nil
}

// earlierTurns unwinds where the writes up to k are those of before an open loop, whose earlier
// turns may have assigned the entry at r since.
func (t *translator) earlierTurns(v *variable, r []size.Poly, k int, at source.Span) {
	for i := len(t.loops) - 1; i >= 0; i-- {
		l := t.loops[i]
		if l.assigned[v] && !l.carried[v] && k+1 == l.start[v] && !t.misses(l, v, r) {
			panic(needCarry{l, v, at})
		}
	}
}

// chain is the value of v at a target from the writes up to k, or nil where nothing is assigned.
func (t *translator) chain(v *variable, r []size.Poly, k int, at source.Span) node {
	t.earlierTurns(v, r, k, at)
	if k < 0 {
		if v.base == nil {
			return nil
		}
		old := t.atAll(v.base, r)
		if len(v.writes) > 0 { // it stays where their conditions fail
			old = t.guarded(v.on, old)
		}
		return old.n
	}
	w := v.writes[k]
	s, ok := t.solve(v, w, r)
	if !ok {
		return t.chain(v, r, k-1, at)
	}
	c := and(s.conds)
	val := t.atAll(&value{n: s.val, t: w.val.t, sh: s.sh, unk: w.val.unk}, s.rest).n
	if w.add {
		before := t.chain(v, r, k-1, at)
		if before == nil {
			t.fail(syntax.NotFilled, w.span, "%s is added to before anything is assigned to it", v.name)
		}
		if len(s.left) > 0 {
			val = comp{fun: "sum", elem: t.choose(c, val, num(0)), binds: s.left}
			c = truth(true)
		}
		return plus(before, t.choose(c, val, num(0)))
	}
	if len(s.left) > 0 {
		return t.lastWins(v, w, s, r, k, at)
	}
	if isTrue(c) {
		return val
	}
	return t.choose(c, val, t.chain(v, r, k-1, at))
}
