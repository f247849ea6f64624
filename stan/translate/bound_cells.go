package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Cells are the entries of a variable that loops assign turn by turn, the last axis fastest; nil
// is one that nothing has assigned. Cells are copied before they change, so that a memory of
// variables stays as it was.
type cells struct {
	x     []node
	gen   int
	whole *value // all of them as one value, where it was read so
}

// constants are polynomials that are numbers; false where one is none.
func constantsOf(list []size.Poly) ([]int, bool) {
	out := make([]int, len(list))
	for i, p := range list {
		n, ok := p.Number()
		if !ok {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

// assignNow records an assignment at once, where loops are written turn by turn; it reports
// whether it did.
func (t *translator) assignNow(v *variable, idx []sub, val *value, add bool, at source.Span) bool {
	b := t.bound
	if b == nil || b.open == 0 && v.cells == nil && !someTurn(idx) || t.assignedInside(v) || len(t.loops) > v.depth {
		return false
	}
	c := t.condition(min(v.conds, len(t.conds)))
	if len(idx) == 0 {
		t.assignAll(v, val, add, c, at)
		return true
	}
	sh, ok := constantsOf(v.sh)
	if !ok {
		return false
	}
	places, lens := t.placesOf(idx, sh)
	if places == nil {
		if v.cells == nil {
			return false
		}
		t.fail(syntax.NoIndex, at, "which entry of %s is assigned here the data do not decide", v.name)
	}
	t.openCells(v, sh, at)
	t.ownCells(v)
	v.cells.whole = nil
	inner := sh[len(idx):]
	entry := t.entriesOf(val, append(lens, inner...))
	k := 0
	for _, p := range places {
		n := 1
		for _, m := range inner {
			n *= m
		}
		for i := range n {
			x := entry(k)
			k++
			old := v.cells.x[p*n+i]
			if add {
				if old == nil {
					t.fail(syntax.NotFilled, at, "%s is added to before anything is assigned to it", v.name)
				}
				x = plus(old, x)
			}
			v.cells.x[p*n+i] = t.chosen(c, x, old, val.isInt() && v.t.base == intBase)
		}
	}
	return true
}

// someTurn reports whether an array of indices is among subscripts.
func someTurn(idx []sub) bool {
	return slices.ContainsFunc(idx, func(s sub) bool { return s.turn != nil })
}

// condition joins the conditions that hold since a number of them.
func (t *translator) condition(from int) node {
	return t.decided(and(slices.Clone(t.conds[from:])))
}

// chosen is the new node where a condition holds, and else the old one.
func (t *translator) chosen(c, x, old node, isInt bool) node {
	if isTrue(c) {
		return x
	}
	if isFalse(c) {
		return old
	}
	if old == nil {
		old = nan
		if isInt {
			old = unset(typ{intBase, 0})
		}
	}
	n := t.choose(c, x, old)
	if t.weight(n) > 8 && len(t.loops) == 0 && !isArray(x) {
		s := t.let(t.blk, "chosen", &value{n: n, t: typ{realBase, 0}, unk: true})
		t.auto[s] = true
		delete(t.shapes, s)
		n = ref{s}
	}
	if isInt {
		if _, ok := n.(whole); !ok {
			n = whole{t.atom(n, &sym{neg: true})}
		}
	}
	return n
}

// assignAll assigns the whole of a variable.
func (t *translator) assignAll(v *variable, val *value, add bool, c node, at source.Span) {
	if add {
		old := t.readNow(v, nil, at)
		sum := *val
		sum.n = plus(t.raw(old), t.raw(val))
		sum.unk = sum.unk || old.unk
		val = &sum
	}
	switch {
	case isFalse(c):
		return
	case !isTrue(c):
		var old node
		if v.cells != nil || v.base != nil || len(v.writes) > 0 {
			old = t.raw(t.readNow(v, nil, at))
		} else if v.t.rank() > 0 {
			old = t.filledWithNaN(v)
		}
		w := *val
		w.n, w.unk = t.chosen(c, t.raw(val), old, val.isIntScalar()), true
		val = &w
	}
	v.cells, v.writes = nil, nil
	v.base = t.share(v, t.folded(val))
	if v.base == val && val.t.rank() == 0 && !val.isInt() && t.weight(val.n) > 2 {
		s := t.let(t.blockFor(v), v.name, val)
		t.auto[s] = true
		w := *val
		w.n = ref{s}
		v.base = &w
	}
}

func (t *translator) filledWithNaN(v *variable) node {
	return t.eachOf(v.sh, func([]size.Poly) node { return nan })
}

// placesOf lists the entries that subscripts name, as positions along the axes that they stand
// for together; lens are the lengths of the slices among them. nil where data do not decide.
func (t *translator) placesOf(idx []sub, sh []int) (places, lens []int) {
	places = []int{0}
	for k, s := range idx {
		var at []int
		switch {
		case s.turn != nil:
			lo, ok1 := s.turn.lo.Number()
			hi, ok2 := s.turn.hi.Number()
			if !ok1 || !ok2 {
				return nil, nil
			}
			for i := lo; i < hi; i++ {
				q, _ := t.replacePoly(s.p, subst{s.turn.v: num(i)})
				x, ok := t.number(whole{q})
				if !ok {
					return nil, nil
				}
				at = append(at, int(x))
			}
			lens = append(lens, len(at))
		case s.slice:
			p, ok1 := s.p.Number()
			n, ok2 := s.n.Number()
			if !ok1 || !ok2 {
				return nil, nil
			}
			for i := range n {
				at = append(at, p+i)
			}
			lens = append(lens, max(n, 0))
		default:
			p, ok := s.p.Number()
			if !ok {
				return nil, nil
			}
			at = []int{p}
		}
		var next []int
		for _, p := range places {
			for _, i := range at {
				if i < 0 || i >= sh[k] {
					t.fail(syntax.NoIndex, t.here, "entry %d of an axis of %d is assigned", i+1, sh[k])
				}
				next = append(next, p*sh[k]+i)
			}
		}
		places = next
	}
	if places == nil {
		places = []int{}
	}
	return places, lens
}

// entriesOf gives the entries of a value of a shape in order.
func (t *translator) entriesOf(val *value, sh []int) func(k int) node {
	n := 1
	for _, m := range sh {
		n *= m
	}
	if val.t.rank() == 0 {
		one := t.folded(val)
		if t.weight(one.n) > 4 && !one.isInt() && len(t.loops) == 0 {
			s := t.let(t.blk, "x", one)
			t.auto[s] = true
			one = &value{n: ref{s}, t: one.t, unk: one.unk}
		}
		return func(int) node { return one.n }
	}
	if t.weight(val.n) > 4 && n > 1 && !isArray(val.n) && len(t.loops) == 0 {
		s := t.let(t.blk, "x", val)
		t.auto[s] = true
		if val.isInt() {
			t.ints[s] = intInfo{neg: true}
		}
		val = &value{n: ref{s}, t: val.t, sh: val.sh, unk: val.unk}
	}
	return func(k int) node {
		r := make([]size.Poly, len(sh))
		for i := len(sh) - 1; i >= 0; i-- {
			r[i] = size.Const(k % sh[i])
			k /= sh[i]
		}
		return t.folded(t.atAll(val, r)).n
	}
}

func isArray(n node) bool { _, ok := n.(array); return ok }

// openCells gives a variable cells, of what it has so far.
func (t *translator) openCells(v *variable, sh []int, at source.Span) {
	if v.cells != nil {
		return
	}
	n := 1
	for _, k := range sh {
		n *= k
	}
	c := &cells{x: make([]node, n), gen: t.bound.gen}
	if len(v.writes) > 0 && v.base == nil && t.writesAsCells(v, c, sh) {
		v.cells, v.writes = c, nil
		return
	}
	if v.base != nil || len(v.writes) > 0 {
		entry := t.entriesOf(t.materialise(v, at), sh)
		for k := range c.x {
			c.x[k] = entry(k)
		}
	}
	v.cells, v.writes, v.base = c, nil, nil
}

// writesAsCells puts assignments of known entries into cells, and reports whether all are.
func (t *translator) writesAsCells(v *variable, c *cells, sh []int) bool {
	for _, w := range v.writes {
		if w.add || len(w.binds) > 0 || len(w.conds) > 0 {
			return false
		}
		places, lens := t.placesOf(w.idx, sh)
		if places == nil {
			return false
		}
		inner := sh[len(w.idx):]
		n := 1
		for _, m := range inner {
			n *= m
		}
		entry := t.entriesOf(w.val, append(lens, inner...))
		for k, p := range places {
			for i := range n {
				c.x[p*n+i] = entry(k*n + i)
			}
		}
	}
	return true
}

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

// mostPicked bounds the axes along which an entry is chosen by an unknown index.
const mostPicked = 64

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
