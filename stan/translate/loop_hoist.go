package translate

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// tidyLoop drops lets that neither terms nor assignments read.
func (t *translator) tidyLoop(b *block, fresh []*write) {
	for i := len(b.stmts) - 1; i >= 0; i-- {
		x := b.stmts[i]
		if x.kind != letStmt {
			continue
		}
		used := false
		for _, s := range x.syms {
			used = used || t.uses(b.stmts[i+1:], s) > 0 || t.inWrites(fresh, s) > 0
		}
		if !used {
			b.stmts = slices.Delete(b.stmts, i, i+1)
		}
	}
}

func (t *translator) inWrites(list []*write, s *sym) int {
	k := 0
	for _, w := range list {
		k += t.mentions(w.val.n, s)
		for _, c := range w.conds {
			k += t.mentions(c, s)
		}
		for _, x := range w.idx {
			k += t.mentions(whole{x.p}, s)
		}
		for _, x := range w.binds {
			k += t.mentions(whole{x.lo}, s) + t.mentions(whole{x.hi}, s)
		}
	}
	return k
}

func (t *translator) putWrites(list []*write, s subst) {
	for _, w := range list {
		val := *w.val
		val.n = t.replace(val.n, s)
		w.val = &val
		w.conds = slices.Clone(w.conds)
		for i := range w.conds {
			w.conds[i] = t.replace(w.conds[i], s)
		}
		w.idx = slices.Clone(w.idx)
		for i := range w.idx {
			w.idx[i].p, _ = t.replacePoly(w.idx[i].p, s)
		}
	}
}

// hoist moves the lets that assignments read out of the body of a loop: into the value where one
// reads it, as an array over the loop where several do.
func (t *translator) hoist(l *loop, b *block, fresh []*write) {
	for i := 0; i < len(b.stmts); i++ {
		x := b.stmts[i]
		if x.kind != letStmt {
			continue
		}
		escapes := t.escapes(b.stmts[i:], fresh)
		if escapes == 0 {
			continue
		}
		sc, isScan := x.value.(*scan)
		uses := escapes
		for _, s := range x.syms {
			uses = max(uses, t.inWrites(fresh, s)+t.uses(b.stmts[i+1:], s))
		}
		if moving := t.moves(l.lo) || t.moves(l.hi); moving && t.draws(x.value) {
			t.fail(syntax.LoopCarried, x.span, "a draw in a loop whose ends depend on data or an index has "+
				"no counterpart here")
		} else if !isScan && !t.draws(x.value) && (uses == 1 || t.weight(x.value) <= 3) || moving {
			if isScan && len(x.syms) > 1 {
				t.fail(syntax.LoopCarried, x.span, "a scan inside a loop whose ends depend on data has no "+
					"counterpart here")
			}
			s := subst{x.syms[0]: x.value}
			t.putWrites(fresh, s)
			t.put(b.stmts[i+1:], s)
			b.stmts = slices.Delete(b.stmts, i, i+1)
			i--
			continue
		}
		if isScan && len(sc.carries) > 1 {
			place := (&lift{t, l, x.span}).scan(x, t.blk)
			t.putWrites(fresh, place)
			t.put(b.stmts[i+1:], place)
			b.stmts = slices.Delete(b.stmts, i, i+1)
			i--
			continue
		}
		s := x.syms[0]
		sh := t.shapes[s]
		all := t.comprehension(x.value, []bind{{l.v, l.lo, l.hi}})
		if !l.lo.Equal(size.Poly{}) {
			all = comp{elem: x.value, binds: []bind{{l.v, l.lo, l.hi}}}
		}
		v := &value{n: all, sh: append([]size.Poly{l.hi.Sub(l.lo)}, sh...), unk: s.unk}
		v.t = typ{realBase, len(v.sh)}
		h := t.let(t.blk, s.base, v)
		if t.auto[s] {
			t.auto[h] = true
		}
		if info, ok := t.ints[s]; ok {
			t.ints[h] = info
		}
		place := subst{s: index{ref{h}, []node{whole{size.Dim(l.v.key).Sub(l.lo)}}}}
		t.putWrites(fresh, place)
		t.put(b.stmts[i+1:], place)
		b.stmts = slices.Delete(b.stmts, i, i+1)
		i--
	}
}

// escapes counts the uses of the first let of a list outside the block: by writes, and by lets
// behind it that escape themselves.
func (t *translator) escapes(list []*stmt, fresh []*write) int {
	reach := map[*stmt]int{}
	for i := len(list) - 1; i >= 0; i-- {
		x := list[i]
		if x.kind != letStmt {
			continue
		}
		for _, s := range x.syms {
			reach[x] += t.inWrites(fresh, s)
			for _, y := range list[i+1:] {
				if reach[y] > 0 && t.uses([]*stmt{y}, s) > 0 {
					reach[x] += reach[y]
				}
			}
		}
	}
	return reach[list[0]]
}
