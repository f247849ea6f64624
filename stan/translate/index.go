package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// index translates x[i, lo:hi].
func (t *translator) index(e *syntax.Index) *value {
	plain := !slices.ContainsFunc(e.Subs, func(s syntax.Sub) bool { return s.Range })
	if n, ok := e.X.(*syntax.Name); ok && plain {
		v := t.lookup(n.Name)
		if v == nil {
			t.unknownName(n)
		}
		if v.isBroken() {
			panic(stop{brokenDiag()})
		}
		if v.t.base != tupleBase && len(e.Subs) <= v.t.rank() {
			var r []size.Poly
			for _, s := range e.Subs {
				x := t.expr(s.X)
				if x.t.arr > 0 || !x.isInt() {
					plain = false
					break
				}
				r = append(r, t.intOf(x, s.X.Pos()).Sub(size.Const(1)))
			}
			if plain {
				return t.read(v, r, e.Pos())
			}
		}
		if v.window != nil && v.t.base != tupleBase {
			return t.slicedWindow(v, e.Subs, e.Pos())
		}
	} else if ok {
		if v := t.lookup(n.Name); v != nil && v.window != nil && v.t.base != tupleBase {
			return t.slicedWindow(v, e.Subs, e.Pos())
		}
	}
	if x := t.lastSlice(e); x != nil {
		return x
	}
	if x := t.partInLoop(e); x != nil {
		return x
	}
	x := t.thinFactor(e)
	if x == nil {
		m := t.remember()
		if d := try(func() { x = t.expr(e.X) }); d != nil {
			t.forget(m)
			n, ok := e.X.(*syntax.Name)
			if !ok {
				panic(stop{d})
			}
			if x = t.filledPart(t.lookup(n.Name), e.Subs, e.Pos()); x == nil {
				panic(stop{d})
			}
			return x
		}
	}
	return t.takeAll(x, e.Subs, e.Pos())
}

// entriesAt is a variable at subscripts.
func (t *translator) entriesAt(v *variable, subs []syntax.Sub, at source.Span) *value {
	var r []size.Poly
	for _, s := range subs {
		if s.Range {
			return t.takeAll(t.readAll(v, at), subs, at)
		}
		x := t.expr(s.X)
		if x.t.arr > 0 || !x.isInt() {
			return t.takeAll(t.readAll(v, at), subs, at)
		}
		r = append(r, t.intOf(x, s.X.Pos()).Sub(size.Const(1)))
	}
	return t.read(v, r, at)
}

// takeAll applies subscripts to a value, one axis after another.
func (t *translator) takeAll(x *value, subs []syntax.Sub, at source.Span) *value {
	if x.t.base == tupleBase {
		if len(subs) > x.t.arr {
			t.fail(syntax.WrongType, at, "a tuple has parts, such as t.1, and no entries")
		}
		out := &value{t: x.t, sh: x.sh}
		for _, p := range x.tup {
			out.tup = append(out.tup, t.takeAll(p, subs, at))
		}
		for _, s := range subs {
			if !s.Range && t.expr(s.X).t.arr == 0 {
				out.t.arr--
			}
		}
		out.sh = out.tup[0].sh[:min(out.t.arr, len(out.tup[0].sh))]
		return out
	}
	axis := 0
	for k := len(subs) - 1; k > 0 && len(subs) <= x.t.rank() && t.movingSlice(x, subs[:k]); k-- {
		if s := subs[k]; !s.Range && t.expr(s.X).isIntScalar() { // one entry first
			x, _ = t.take(x, k, s)
			subs = slices.Delete(slices.Clone(subs), k, k+1)
		}
	}
	for _, s := range subs {
		if axis >= x.t.rank() {
			t.fail(syntax.WrongType, s.Span, "there are more subscripts than axes: this is %v", x.t)
		}
		x, axis = t.take(x, axis, s)
	}
	return x
}

// movingSlice reports whether a subscript is a slice whose length depends on data or on an index.
func (t *translator) movingSlice(x *value, subs []syntax.Sub) bool {
	for k, s := range subs {
		if !s.Range || s.Lo == nil && s.Hi == nil {
			continue
		}
		lo, hi := size.Const(1), x.sh[k]
		if s.Lo != nil {
			lo = t.intOf(t.expr(s.Lo), s.Lo.Pos())
		}
		if s.Hi != nil {
			hi = t.intOf(t.expr(s.Hi), s.Hi.Pos())
		}
		if t.moves(hi.Sub(lo)) {
			return true
		}
	}
	return false
}

// lastSlice is a slice of a variable of which the last assignment was this very slice, so that it
// can be read before the rest of the variable is assigned; nil for anything else.
func (t *translator) lastSlice(e *syntax.Index) *value {
	n, ok := e.X.(*syntax.Name)
	if !ok || len(e.Subs) != 1 || !e.Subs[0].Range || e.Subs[0].Lo == nil || e.Subs[0].Hi == nil {
		return nil
	}
	v := t.lookup(n.Name)
	if v == nil || v.t.base == tupleBase || v.isBroken() || v.window != nil || v.cells != nil ||
		v.base != nil || len(v.writes) == 0 || len(t.spies) > 0 {
		return nil
	}
	w := v.writes[len(v.writes)-1]
	if w.add || len(w.binds) > 0 || !t.holding(w.conds) || len(w.idx) != 1 || !w.idx[0].slice {
		return nil
	}
	lo := t.intOf(t.expr(e.Subs[0].Lo), e.Subs[0].Lo.Pos()).Sub(size.Const(1))
	hi := t.intOf(t.expr(e.Subs[0].Hi), e.Subs[0].Hi.Pos())
	if !lo.Equal(w.idx[0].p) || !hi.Sub(lo).Equal(w.idx[0].n) {
		return nil
	}
	return w.val
}

// partInLoop is a slice, at an entry of another axis, of a variable that an open loop assigns:
// other turns may assign entries that the slice has not. nil for anything else.
func (t *translator) partInLoop(e *syntax.Index) *value {
	n, ok := e.X.(*syntax.Name)
	if !ok || !slices.ContainsFunc(e.Subs, func(s syntax.Sub) bool { return !s.Range }) {
		return nil
	}
	v := t.lookup(n.Name)
	if v == nil || v.t.base == tupleBase || v.isBroken() || !t.assignedInside(v) {
		return nil
	}
	return t.filledPart(v, e.Subs, e.Pos())
}

// filledPart is a part of a variable whose other entries are not assigned yet, read entry by entry;
// nil for anything else.
func (t *translator) filledPart(v *variable, subs []syntax.Sub, at source.Span) *value {
	if v == nil || v.t.base == tupleBase || v.t.base == intBase || v.window != nil || v.cells != nil ||
		(v.base != nil || len(v.writes) == 0) && !t.assignedInside(v) || len(subs) > v.t.rank() {
		return nil
	}
	tt := v.t
	var from, sh []size.Poly // of the axes that stay: where they begin, and their lengths
	place := make([]size.Poly, v.t.rank())
	axes := []int{}
	for k := range v.t.rank() {
		lo, hi := size.Poly{}, v.sh[k]
		if k < len(subs) && !subs[k].Range {
			x := t.expr(subs[k].X)
			if !x.isIntScalar() {
				return nil
			}
			place[k] = t.intOf(x, subs[k].X.Pos()).Sub(size.Const(1))
			tt = without(tt, len(axes))
			continue
		}
		if k < len(subs) && subs[k].Lo != nil {
			lo = t.intOf(t.expr(subs[k].Lo), subs[k].Lo.Pos()).Sub(size.Const(1))
		}
		if k < len(subs) && subs[k].Hi != nil {
			hi = t.intOf(t.expr(subs[k].Hi), subs[k].Hi.Pos())
		}
		if t.moves(hi.Sub(lo)) {
			if len(axes) > 0 {
				return nil
			}
			t.noteMost(hi.Sub(lo), v.sh[k])
		}
		axes, from, sh = append(axes, k), append(from, lo), append(sh, hi.Sub(lo))
	}
	x := t.eachOf(sh, func(r []size.Poly) node {
		idx := slices.Clone(place)
		for i, k := range axes {
			idx[k] = from[i].Add(r[i])
		}
		return t.raw(t.read(v, idx, at))
	})
	return &value{n: x, t: tt, sh: sh, unk: t.unknown(x)}
}

// slicesOf takes subscripts, slices among them, of a variable that has no name in the program.
func (t *translator) slicesOf(v *variable, subs []syntax.Sub, at source.Span) (out *value) {
	if v.window != nil {
		return t.slicedWindow(v, subs, at)
	}
	m := t.remember()
	if d := try(func() { out = t.takeAll(t.readAll(v, at), subs, at) }); d != nil {
		t.forget(m)
		if out = t.filledPart(v, subs, at); out == nil {
			panic(stop{d})
		}
	}
	return out
}

// thinFactor is the thin factor in qr_Q(x)[, 1:K] and qr_R(x)[1:K, ], which stand for its columns
// or rows where x has K columns or more; nil for anything else.
func (t *translator) thinFactor(e *syntax.Index) *value {
	c, ok := e.X.(*syntax.Call)
	if !ok || len(c.Args) != 1 || t.funcs[c.Fun] != nil {
		return nil
	}
	axis, ok := map[string]int{"qr_Q": 1, "qr_R": 0}[c.Fun]
	if !ok || axis >= len(e.Subs) || !e.Subs[axis].Range || e.Subs[axis].Hi == nil {
		return nil
	}
	m := t.remember()
	x := t.expr(c.Args[0])
	hi := t.intOf(t.expr(e.Subs[axis].Hi), e.Subs[axis].Hi.Pos())
	t.forget(m)
	if x.t.base != matrixBase || x.t.arr > 0 || !t.atLeast(x.sh[1], hi) {
		return nil
	}
	return t.call(&syntax.Call{Span: c.Span, Fun: strings.Replace(c.Fun, "qr_", "qr_thin_", 1),
		Args: c.Args})
}

// take applies one subscript to an axis of a value, and says which axis the next one is for.
func (t *translator) take(x *value, axis int, s syntax.Sub) (*value, int) {
	out := &value{unk: x.unk}
	at := func(n node) node {
		subs := make([]node, axis+1)
		for i := range axis {
			subs[i] = slice{}
		}
		subs[axis] = n
		return t.subscripted(x.n, subs)
	}
	if s.Range {
		if s.Lo == nil && s.Hi == nil {
			return x, axis + 1
		}
		lo, hi := size.Poly{}, x.sh[axis]
		var a, b node
		if s.Lo != nil {
			lo = t.intOf(t.expr(s.Lo), s.Lo.Pos()).Sub(size.Const(1))
			a = whole{lo}
		}
		if s.Hi != nil {
			hi = t.intOf(t.expr(s.Hi), s.Hi.Pos())
			b = whole{hi}
		}
		return t.sliced(x, axis, lo, hi, a, b), axis + 1
	}
	i := t.expr(s.X)
	if !i.isInt() || i.t.arr > 1 {
		t.fail(syntax.WrongType, s.Span, "a subscript is a whole number, and this is %v", i.t)
	}
	out.unk = out.unk || i.unk
	if i.t.arr == 1 {
		out.t = x.t
		out.sh = slices.Clone(x.sh)
		out.sh[axis] = i.sh[0]
		out.n = at(t.subscriptArray(i, x.sh[axis]))
		return out, axis + 1
	}
	p := t.intOf(i, s.X.Pos()).Sub(size.Const(1))
	if axis == 0 {
		return t.at(x, p), 0
	}
	out.t = without(x.t, axis)
	out.sh = slices.Delete(slices.Clone(x.sh), axis, axis+1)
	out.n = at(t.subscript(p, x.sh[axis]))
	if t.lazy(x) {
		t.fail(syntax.NoIndex, s.Span, "a subscript behind a slice whose length depends on data has no "+
			"counterpart")
	}
	return out, axis
}

func (t *translator) subscriptArray(i *value, axis size.Poly) node {
	n := t.zeroBased(i)
	if r, ok := n.(ref); ok {
		if info := t.ints[r.s]; info.typed != nil && !info.typed.Equal(axis) {
			return binary{"+", n, number{"0"}}
		}
	}
	return n
}

// subscripted applies subscripts, slices among them.
func (t *translator) subscripted(n node, subs []node) node {
	if out := t.picks(n, subs); out != nil {
		return out
	}
	k := 0
	for k < len(subs) && isPlain(subs[k]) {
		k++
	}
	n = t.indexed(n, subs[:k])
	if k == len(subs) {
		return n
	}
	if x, ok := n.(index); ok && !slices.ContainsFunc(x.subs,
		func(s node) bool { return !isPlain(s) }) {
		return index{x.x, append(slices.Clone(x.subs), subs[k:]...)}
	}
	return index{n, subs[k:]}
}

// sliced is the entries from lo to hi, hi not among them, of an axis.
func (t *translator) sliced(x *value, axis int, lo, hi size.Poly, a, b node) *value {
	out := &value{t: x.t, unk: x.unk, sh: slices.Clone(x.sh)}
	out.sh[axis] = hi.Sub(lo)
	if lo.Equal(size.Poly{}) && hi.Equal(x.sh[axis]) {
		return x
	}
	if n, ok := out.sh[axis].Number(); ok && n <= 0 {
		out.sh[axis] = size.Poly{}
		out.n = zeros(out.sh)
		return out
	}
	if t.lazy(x) || t.moves(out.sh[axis]) {
		if axis > 0 {
			t.fail(syntax.NoIndex, t.here, "a slice whose length depends on data or on an index has no "+
				"counterpart behind the first axis")
		}
		t.noteMost(out.sh[0], x.sh[0])
		k := t.newIndex("i", size.Poly{}, out.sh[0])
		out.n = comp{elem: t.at(x, lo.Add(size.Dim(k.key))).n,
			binds: []bind{{k, size.Poly{}, out.sh[0]}}}
		return out
	}
	if lo.Equal(size.Poly{}) {
		a = nil
	}
	if hi.Equal(x.sh[axis]) {
		b = nil
	}
	subs := make([]node, axis+1)
	for i := range axis {
		subs[i] = slice{}
	}
	subs[axis] = slice{a, b}
	out.n = t.subscripted(x.n, subs)
	return out
}
