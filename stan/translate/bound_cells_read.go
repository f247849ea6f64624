package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// readCells is the value of a variable that has cells, at its first indices r.
func (t *translator) readCells(v *variable, r []size.Poly, at source.Span) *value {
	if len(r) == 0 {
		return t.allCells(v, at)
	}
	idx, ok := constantsOf(r)
	sh, _ := constantsOf(v.sh)
	if !ok {
		return t.atAll(t.allCells(v, at), r)
	}
	p := 0
	tt := v.t
	for k, i := range idx {
		if i < 0 || i >= sh[k] {
			t.fail(syntax.NoIndex, at, "entry %d of an axis of %d is read", i+1, sh[k])
		}
		p = p*sh[k] + i
		tt = tt.elem()
	}
	n := 1
	for _, k := range sh[len(r):] {
		n *= k
	}
	x := v.cells.x[p*n : (p+1)*n]
	out := &value{t: tt, sh: v.sh[len(r):]}
	out.n = t.ofCells(v, x, sh[len(r):], at)
	out.unk = t.unknown(out.n)
	return out
}

// ofCells makes an array of entries.
func (t *translator) ofCells(v *variable, x []node, sh []int, at source.Span) node {
	if len(sh) == 0 {
		if x[0] == nil {
			if v.t.base == intBase {
				t.fail(syntax.NotFilled, at, "%s is read where nothing is assigned to it", v.name)
			}
			return nan
		}
		return x[0]
	}
	n := 1
	for _, k := range sh[1:] {
		n *= k
	}
	if n*sh[0] == 0 {
		polys := make([]size.Poly, len(sh))
		for i, k := range sh {
			polys[i] = size.Const(k)
		}
		return zeros(polys)
	}
	var out array
	for i := range sh[0] {
		out.elems = append(out.elems, t.ofCells(v, x[i*n:(i+1)*n], sh[1:], at))
	}
	return out
}

// allCells is a variable with cells as one value, which is named.
func (t *translator) allCells(v *variable, at source.Span) *value {
	if v.cells.whole != nil {
		return v.cells.whole
	}
	sh, _ := constantsOf(v.sh)
	x := v.cells.x
	if v.t.base == intBase {
		x = slices.Clone(x)
		for i := range x {
			if x[i] == nil {
				x[i] = num(-1 << 31)
			}
		}
	}
	n := t.ofCells(v, x, sh, at)
	val := &value{n: n, t: v.t, sh: v.sh, unk: t.unknown(n)}
	if len(x) > 4 {
		blk := v.blk
		if blk == nil {
			blk = t.blk
		}
		s := t.let(blk, v.name, val)
		t.auto[s], s.cells = true, true
		w := *val
		w.n = ref{s}
		val = &w
	}
	t.ownCells(v)
	v.cells.whole = val
	return val
}

// ownCells copies cells that a memory of variables has too, before they change.
func (t *translator) ownCells(v *variable) {
	if c := v.cells; c.gen != t.bound.gen {
		v.cells = &cells{x: slices.Clone(c.x), gen: t.bound.gen, whole: c.whole}
	}
}

// closeCells gives variables that a loop is about to assign the form that loops know: a few
// entries stay apart, many are one value.
func (t *translator) closeCells(list map[*variable]bool, at source.Span) {
	for v := range list {
		if v.cells == nil {
			continue
		}
		filled := 0
		for _, x := range v.cells.x {
			if x != nil {
				filled++
			}
		}
		if filled > 0 && filled == len(v.cells.x) || filled > 8 {
			v.base = t.allCells(v, at)
			v.cells, v.writes = nil, nil
			continue
		}
		sh, _ := constantsOf(v.sh)
		elem := v.t
		for range sh {
			elem = elem.elem()
		}
		var writes []*write
		for k, x := range v.cells.x {
			if x == nil {
				continue
			}
			idx := make([]sub, len(sh))
			for i, at := len(sh)-1, k; i >= 0; i-- {
				idx[i] = sub{p: size.Const(at % sh[i])}
				at /= sh[i]
			}
			writes = append(writes, &write{idx: idx, span: at,
				val: &value{n: x, t: elem, unk: t.unknown(x)}})
		}
		v.cells, v.base, v.writes = nil, nil, writes
	}
}

// picked is an entry of a value at an index that unknowns give, as a choice among all entries;
// nil where the index is no such one. An index that is drawn after a run the language takes.
func (t *translator) picked(v *value, p size.Poly) *value {
	if t.bound == nil || len(t.loops) > 0 || !t.polyUnk(p) || t.afterDraw(whole{p}, map[*sym]bool{}) {
		return nil
	}
	n, ok := v.sh[0].Number()
	if !ok || n == 0 || n > mostPicked {
		return nil
	}
	out := *t.at(v, size.Const(n-1))
	out.n, out.unk = t.raw(&out), true
	for k := n - 2; k >= 0; k-- {
		out.n = t.choose(binary{"==", whole{p}, num(k)}, t.raw(t.at(v, size.Const(k))), out.n)
	}
	if t.weight(out.n) > 8 {
		s := t.let(t.blk, "picked", &out)
		t.auto[s], s.unk = true, true
		out.n = ref{s}
	}
	if out.isIntScalar() {
		if _, ok := out.n.(whole); !ok {
			out.n = whole{t.atom(out.n, &sym{neg: true})}
		}
	}
	return &out
}

// afterDraw reports whether a node reads what is drawn after a run.
func (t *translator) afterDraw(n node, seen map[*sym]bool) bool {
	if t.draws(n) {
		return true
	}
	found := false
	t.walk(n, func(x node) {
		r, ok := x.(ref)
		if !ok || found || r.s.def == nil || !r.s.unk || seen[r.s] {
			return
		}
		seen[r.s] = true
		found = t.afterDraw(r.s.def, seen)
	})
	return found
}

// picks takes entries and slices of an array that is written entry by entry; nil where it is not,
// or where data do not decide the subscripts.
func (t *translator) picks(n node, subs []node) node {
	if t.bound == nil {
		return nil
	}
	if r, ok := n.(ref); ok && r.s.cells {
		if !r.s.unk && slices.ContainsFunc(subs, func(s node) bool { return !isPlain(s) }) {
			return nil // slices of data stay such
		}
		n = r.s.def
	}
	a, ok := n.(array)
	if !ok || len(subs) == 0 {
		return nil
	}
	rest := func(x node) node {
		if len(subs) == 1 {
			return x
		}
		if _, is := x.(array); is {
			return t.picks(x, subs[1:])
		}
		return t.subscripted(x, subs[1:])
	}
	lo, hi := 0, len(a.elems)
	switch s := subs[0].(type) {
	case whole:
		k, ok := s.p.Number()
		if !ok || k < 0 || k >= hi {
			return nil
		}
		return rest(a.elems[k])
	case slice:
		for _, end := range []struct {
			n node
			p *int
		}{{s.lo, &lo}, {s.hi, &hi}} {
			if end.n == nil {
				continue
			}
			w, ok := end.n.(whole)
			if !ok {
				return nil
			}
			if *end.p, ok = w.p.Number(); !ok {
				return nil
			}
		}
	default:
		return nil
	}
	if lo < 0 || hi > len(a.elems) || lo >= hi {
		return nil
	}
	var out array
	for _, x := range a.elems[lo:hi] {
		y := rest(x)
		if y == nil {
			return nil
		}
		out.elems = append(out.elems, y)
	}
	return out
}
