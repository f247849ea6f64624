package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A variable of the Stan program: its value so far, and the entries that were assigned since.
type variable struct {
	name   string
	t      typ
	sh     []size.Poly
	base   *value // nil while nothing is assigned
	writes []*write
	blk    *block // where its lets are written
	depth  int    // how many loops were open where it was declared
	conds  int    // how many conditions held there
	kept   bool   // its lets keep its name
	track  bool
	doc    string
	span   source.Span
	fixed  bool    // data and parameters, which nothing assigns
	cells  *cells  // its entries, where loops assign them turn by turn
	window *window // of an array that a scan carries
	ignore bool    // assignments to it are done already, by a scan
	final  *value  // what its one assignment in a loop gives, by a scan that has computed it
	elems  []*variable
	turn   bool   // it is the entry that a turn of a scan fills
	on     []node // of such an entry: the conditions under which it is on its axis
}

// A write assigns a value to an entry, a slice or the whole of a variable.
type write struct {
	idx   []sub
	binds []bind // indices of loops around it, which are closed
	conds []node
	val   *value
	add   bool // the value is added
	span  source.Span
}

// A sub is a subscript on the left side: one index, or a slice from p on with n entries, or the
// entries that an array of indices names.
type sub struct {
	p     size.Poly
	slice bool
	n     size.Poly
	turn  *bind // of an array of indices: the place in it, on which p depends
}

// A loop is one that is being translated.
type loop struct {
	v        *sym // nil in the body of a function
	lo, hi   size.Poly
	assigned map[*variable]bool // variables of outside that its body assigns
	start    map[*variable]int  // how many writes there were when the turn began
	carried  map[*variable]bool
	body     func(*sym)
	of       *loop              // whose scan it is the body of
	seen     map[*variable]*spy // what its turns assign, as far as it was asked
}

// misses reports whether no turn of a loop assigns what v has at r.
func (t *translator) misses(l *loop, v *variable, r []size.Poly) bool {
	if len(r) == 0 || l.body == nil || v.t.rank() == 0 {
		return false
	}
	if l.seen[v] == nil {
		l.seen[v] = t.look(v, t.newIndex("turn", l.lo, l.hi), l.body)
	}
	s := l.seen[v]
	if s.bad {
		return false
	}
	for _, x := range s.writes {
		apart := false
		w := x.idx
		for k := 0; k < len(w) && k < len(r); k++ {
			if w[k].Equal(several) {
				continue
			}
			lo, hi := t.span(w[k].Sub(r[k]))
			apart = apart || lo != nil && *lo > 0 || hi != nil && *hi < 0 || t.ownPlace(l, s, w[k], r[k])
		}
		if !apart {
			return false
		}
	}
	return true
}

// ownPlace reports whether what the turns assign along an axis is another place in each turn, and a
// read is at that of its own turn.
func (t *translator) ownPlace(l *loop, s *spy, set, read size.Poly) bool {
	if l.v == nil || !t.linear(set, s.turn) {
		return false
	}
	here, changed := t.replacePoly(set, subst{s.turn: whole{size.Dim(l.v.key)}})
	return changed && here.Equal(read)
}

// needCarry unwinds to a loop one of whose turns reads what another one assigned.
type needCarry struct {
	l *loop
	v *variable
	s source.Span
}

func (t *translator) newSym(base string) *sym {
	t.count++
	base = strings.ReplaceAll(base, " ", "") // names that only the import makes have a blank
	s := &sym{key: base + "#" + itoa(t.count), base: base}
	t.syms[s.key] = s
	return s
}

func (t *translator) newIndex(base string, lo, hi size.Poly) *sym {
	s := t.newSym(base)
	s.isIdx, s.local, s.lo, s.hi = true, true, lo, hi
	s.unk = t.polyUnk(lo) || t.polyUnk(hi)
	return s
}

// assign records an assignment.
func (t *translator) assign(v *variable, idx []sub, val *value, add bool, at source.Span) {
	if v.fixed {
		t.failNote("declare a variable of another name for the value",
			syntax.WrongType, at, "%s is data, a parameter, the index of a loop or a variable of an "+
				"earlier block, and nothing can be assigned to it", v.name)
	}
	if v.ignore {
		return
	}
	if t.noteWrite(v, idx) {
		return
	}
	v, idx = t.inTurn(v, idx, at)
	if t.assignNow(v, idx, val, add, at) {
		return
	}
	if v.final != nil {
		val = v.final
	}
	var conds []node
	if v.conds < len(t.conds) {
		conds = slices.Clone(t.conds[v.conds:])
	}
	if val.isInt() && v.t.base != intBase {
		w := *val
		w.t = typ{v.t.base, val.t.arr}
		val = &w
	}
	whole := len(idx) == 0 && len(conds) == 0 && !add
	if whole && !t.assignedInside(v) {
		v.base, v.writes = t.share(v, val), nil
		return
	}
	var binds []bind
	before := 0
	for _, s := range idx {
		if s.slice {
			before++
		}
		if s.turn != nil {
			val = t.along(val, before, size.Dim(s.turn.v.key))
			binds = append(binds, *s.turn)
		}
	}
	if binds == nil {
		val = t.shareEntry(v, idx, val)
	}
	v.write(&write{idx: idx, binds: binds, conds: conds, val: val, add: add, span: at})
}

func (v *variable) write(w *write) { v.writes = append(slices.Clip(v.writes), w) }

// along is the entry p of a value along its axis k.
func (t *translator) along(v *value, k int, p size.Poly) *value {
	if k == 0 {
		return t.at(v, p)
	}
	subs := make([]node, k, k+1)
	for i := range subs {
		subs[i] = slice{}
	}
	sh := slices.Delete(slices.Clone(v.sh), k, k+1)
	return &value{n: t.indexed(t.raw(v), append(subs, t.subscript(p, v.sh[k]))), t: without(v.t, k),
		sh: sh, unk: v.unk || t.polyUnk(p)}
}

// assignedInside reports whether an open loop of which v is outside assigns it.
func (t *translator) assignedInside(v *variable) bool {
	return slices.ContainsFunc(t.loops, func(l *loop) bool { return l.assigned[v] })
}

// share names a value that is assigned to a whole variable.
func (t *translator) share(v *variable, val *value) *value {
	if t.weight(val.n) <= 1 || !v.kept && t.weight(val.n) <= 3 || v.t.base == intBase &&
		v.t.arr == 0 ||
		v.t.base == tupleBase || len(t.conds) > v.conds {
		return val
	}
	val = t.guarded(t.conds[:min(v.conds, len(t.conds))], val)
	s := t.let(t.blockFor(v), v.name, val)
	out := *val
	out.n = ref{s}
	return &out
}

// shareEntry names the value of an entry, so that reading it does not repeat it.
func (t *translator) shareEntry(v *variable, idx []sub, val *value) *value {
	if t.weight(val.n) <= 4 || len(t.conds) > 0 || t.blk == nil || val.t.base == tupleBase ||
		val.isInt() {
		return val
	}
	name := v.name
	if len(idx) == 1 {
		if n, ok := idx[0].p.Number(); ok && !idx[0].slice {
			name += "_" + itoa(n+1)
		}
	}
	s := t.let(t.blk, name, val)
	t.auto[s] = true
	out := *val
	out.n = ref{s}
	return &out
}

// blockFor is the block in which a let of v may be written now.
func (t *translator) blockFor(v *variable) *block {
	if len(t.loops) > v.depth || v.blk == nil {
		return t.blk
	}
	return v.blk
}

// read is the value of v at some of its first indices.
func (t *translator) read(v *variable, r []size.Poly, at source.Span) *value {
	if v.isBroken() {
		panic(stop{&diag.Diagnostic{}})
	}
	if v.window != nil {
		return t.readWindow(v, r, at)
	}
	if len(t.spies) > 0 && v.t.base != intBase {
		return t.glance(v, r, at)
	}
	return t.readNow(v, r, at)
}

func isZero(p size.Poly) bool { n, ok := p.Number(); return ok && n == 0 }

// glance is read while a loop is only looked at: what cannot be read yet is any value of its type.
func (t *translator) glance(v *variable, r []size.Poly, at source.Span) (out *value) {
	m := t.remember()
	defer func() {
		if x := recover(); x != nil {
			switch x.(type) {
			case stop, needCarry:
			default:
				panic(x)
			}
			t.forget(m)
			out = anyOf(v, r)
		}
	}()
	return t.readNow(v, r, at)
}

// anyOf is a value of the type of an entry, for a look.
func anyOf(v *variable, r []size.Poly) *value {
	tt := v.t
	for range r {
		tt = tt.elem()
	}
	return &value{n: zeros(v.sh[len(r):]), t: tt, sh: v.sh[len(r):], unk: true}
}

// readNow is read of a variable that no scan carries here.
func (t *translator) readNow(v *variable, r []size.Poly, at source.Span) *value {
	if v.cells != nil {
		return t.readCells(v, r, at)
	}
	if len(v.writes) == 0 {
		if v.base == nil && slices.ContainsFunc(v.sh, isZero) {
			return &value{n: zeros(v.sh), t: v.t, sh: v.sh} // nothing is in it
		}
		if v.base == nil {
			t.fail(syntax.NotFilled, at, "%s is read before anything is assigned to it", v.name)
		}
		t.hazard(v, r, at)
		return t.atAll(v.base, r)
	}
	if w := v.writes[len(v.writes)-1]; t.exact(w, r) {
		t.earlierTurns(v, r, len(v.writes)-1, at)
		return t.atAll(w.val, r[len(w.idx):])
	}
	if !t.assignedInside(v) && len(t.loops) >= v.depth {
		var whole *value
		d := try(func() { whole = t.materialise(v, at) })
		if d == nil {
			return t.atAll(whole, r)
		}
		if len(r) == 0 {
			panic(stop{d})
		}
	}
	return t.build(v, r, at)
}

// exact reports whether a write sets the entry at r, and nothing decides whether it does.
func (t *translator) exact(w *write, r []size.Poly) bool {
	if w.add || len(w.binds) > 0 || len(w.idx) > len(r) || len(w.conds) > 0 &&
		!t.holding(w.conds) {
		return false
	}
	for i, s := range w.idx {
		if s.slice || !s.p.Equal(r[i]) {
			return false
		}
	}
	return true
}

// holding reports whether conditions are among those that hold here.
func (t *translator) holding(conds []node) bool {
	for _, c := range conds {
		if !slices.ContainsFunc(t.conds, func(d node) bool { return t.same(c, d) }) {
			return false
		}
	}
	return true
}

func (t *translator) atAll(v *value, r []size.Poly) *value {
	for _, p := range r {
		v = t.at(v, p)
	}
	return v
}

// hazard unwinds where an open loop assigns v in turns that this one does not see.
func (t *translator) hazard(v *variable, r []size.Poly, at source.Span) {
	for i := len(t.loops) - 1; i >= 0; i-- {
		if l := t.loops[i]; l.assigned[v] && !l.carried[v] && !t.misses(l, v, r) {
			panic(needCarry{l, v, at})
		}
	}
}
