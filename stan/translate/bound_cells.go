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
	if b == nil || v.turn || b.open == 0 && v.cells == nil && !someTurn(idx) ||
		t.assignedInside(v) || len(t.loops) > v.depth {
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
			old = t.raw(t.elsewhere(v, at))
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

// elsewhere is the value of a variable whether the conditions here hold or not: it stays where they
// fail. Where nothing is assigned it is no number.
func (t *translator) elsewhere(v *variable, at source.Span) *value {
	conds, partial := t.conds, t.partial
	defer func() { t.conds, t.partial = conds, partial }()
	t.conds, t.partial = conds[:min(v.conds, len(conds))], v
	return t.readNow(v, nil, at)
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

// mostPicked bounds the axes along which an entry is chosen by an unknown index.
const mostPicked = 64
