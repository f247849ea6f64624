package translate

import (
	"slices"

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
	window *window // of an array that a scan carries
	ignore bool    // assignments to it are done already, by a scan
	final  *value  // what its one assignment in a loop gives, by a scan that has computed it
	elems  []*variable
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
	for _, w := range s.writes {
		apart := false
		for k := 0; k < len(w) && k < len(r); k++ {
			lo, hi := t.span(w[k].Sub(r[k]))
			apart = apart || lo != nil && *lo > 0 || hi != nil && *hi < 0
		}
		if !apart {
			return false
		}
	}
	return true
}

// needCarry unwinds to a loop one of whose turns reads what another one assigned.
type needCarry struct {
	l *loop
	v *variable
	s source.Span
}

func (t *translator) newSym(base string) *sym {
	t.count++
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
		t.fail(syntax.WrongType, at, "%s is given or a parameter, and nothing can be assigned to it",
			v.name)
	}
	if v.ignore {
		return
	}
	if v.window != nil {
		t.assignWindow(v, idx, val, add, at)
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
	for _, s := range idx {
		if s.turn != nil {
			val = t.at(val, size.Dim(s.turn.v.key))
			binds = append(binds, *s.turn)
		}
	}
	if binds == nil {
		val = t.shareEntry(v, idx, val)
	}
	v.writes = append(slices.Clip(v.writes),
		&write{idx: idx, binds: binds, conds: conds, val: val, add: add, span: at})
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

// materialise makes one value of a variable and the entries assigned to it.
func (t *translator) materialise(v *variable, at source.Span) *value {
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

// chain is the value of v at a target from the writes up to k, or nil where nothing is assigned.
func (t *translator) chain(v *variable, r []size.Poly, k int, at source.Span) node {
	for i := len(t.loops) - 1; i >= 0; i-- {
		l := t.loops[i]
		if l.assigned[v] && !l.carried[v] && k+1 == l.start[v] && !t.misses(l, v, r) {
			panic(needCarry{l, v, at})
		}
	}
	if k < 0 {
		if v.base == nil {
			return nil
		}
		return t.atAll(v.base, r).n
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
	return out, true
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
	c := and(s.conds)
	if isTrue(c) { // every turn assigns the same entry: that of the last turn stays
		known := subst{}
		for _, b := range s.left {
			known[b.v] = whole{b.hi.Sub(size.Const(1))}
		}
		last := t.replace(s.val, known)
		val := t.atAll(&value{n: last, t: w.val.t, sh: s.sh}, s.rest).n
		before := t.chain(v, r, k-1, at)
		if before == nil {
			return val
		}
		var some []node
		for _, b := range s.left {
			some = append(some, t.compare(">", whole{b.hi}, whole{b.lo}))
		}
		return t.choose(and(some), val, before)
	}
	if len(s.left) != 1 || t.unknown(c) {
		t.fail(syntax.LoopCarried, w.span, "several turns of the loop assign the same entry of %s, and "+
			"which is the last is not known", v.name)
	}
	b := s.left[0]
	turn := size.Dim(b.v.key)
	// 1 and the last turn that assigns the entry, or 0
	from := comp{fun: "max", elem: t.choose(c, whole{turn.Add(size.Const(1))}, num(0)),
		binds: []bind{b}}
	var place size.Poly
	if axes := t.axesOf(c, b.v); len(axes) > 0 {
		binds := make([]bind, len(axes))
		subs := make([]node, len(axes))
		for i, a := range axes {
			binds[i] = bind{a, a.lo, a.hi}
			subs[i] = whole{size.Dim(a.key)}
		}
		root := t.tops()
		where := t.let(root, v.name+"_from", &value{n: comp{elem: from, binds: binds},
			t: typ{intBase, len(axes)}})
		t.ints[where] = intInfo{}
		place = t.atom(index{ref{where}, subs}, &sym{})
	} else {
		place = t.atom(from, &sym{})
	}
	known := subst{b.v: whole{place.Sub(size.Const(1))}}
	val := t.atAll(&value{n: t.replace(s.val, known), t: w.val.t, sh: s.sh}, s.rest).n
	return t.choose(binary{">", whole{place}, num(0)}, val, t.chain(v, r, k-1, at))
}

// axesOf are the indices of fresh axes in a condition.
func (t *translator) axesOf(c node, without *sym) []*sym {
	var out []*sym
	t.walk(c, func(x node) {
		if r, ok := x.(ref); ok && r.s.isIdx && r.s != without && !slices.Contains(out, r.s) &&
			r.s.lo.Equal(size.Poly{}) && !t.moves(r.s.hi) {
			out = append(out, r.s)
		}
	})
	return out
}
