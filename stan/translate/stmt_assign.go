package translate

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// assignStmt translates a = b and a += b.
func (t *translator) assignStmt(s *syntax.Assign) {
	if tup, ok := s.Left.(*syntax.Tuple); ok {
		val := t.expr(s.Value)
		t.assignParts(tup, val, s.Pos())
		return
	}
	v, idx, tt, sh := t.place(s.Left)
	if v.t.base == tupleBase {
		if s.Op != "" {
			t.fail(syntax.WrongType, s.Pos(), "%s= takes numbers, and this is a tuple", s.Op)
		}
		t.assignTuple(v, idx, t.expr(s.Value), s.Pos())
		return
	}
	if s.Op != "" && t.spyOf(v) != nil {
		t.expr(s.Value)
		t.noteWrite(v, idx)
		return
	}
	if !v.ignore {
		v, idx = t.inTurn(v, idx, s.Pos())
	}
	if s.Op == "" {
		if e, sign := t.accumulates(s, v); e != nil {
			t.assign(v, idx, t.signed(t.fit(t.expr(e), tt, sh, s.Pos()), sign), true, s.Pos())
			return
		}
		t.assign(v, idx, t.fit(t.expr(s.Value), tt, sh, s.Value.Pos()), false, s.Pos())
		return
	}
	if (s.Op == "+" || s.Op == "-") && t.sums(v) {
		val := t.expr(s.Value)
		if val.scalar() && tt.rank() > 0 {
			val = &value{n: val.n, t: tt, sh: sh, unk: val.unk}
		}
		t.assign(v, idx, t.signed(t.fit(val, tt, sh, s.Pos()), s.Op == "-"), true, s.Pos())
		return
	}
	both := t.expr(&syntax.Binary{Span: s.Span, Op: s.Op, X: s.Left, Y: s.Value})
	t.assign(v, idx, t.fit(both, tt, sh, s.Pos()), false, s.Pos())
}

// assignParts assigns the parts of a tuple to places, such as (a, (b[1], c)) = f(x).
func (t *translator) assignParts(left *syntax.Tuple, val *value, at source.Span) {
	if val.t.base != tupleBase || len(val.tup) != len(left.Elems) {
		t.fail(syntax.WrongType, at, "a tuple of %d parts is expected on the right", len(left.Elems))
	}
	for i, e := range left.Elems {
		if inner, is := e.(*syntax.Tuple); is {
			t.assignParts(inner, val.tup[i], at)
			continue
		}
		v, idx, tt, sh := t.place(e)
		if v.t.base == tupleBase {
			t.assignTuple(v, idx, val.tup[i], at)
			continue
		}
		t.assign(v, idx, t.fit(val.tup[i], tt, sh, at), false, at)
	}
}

// assignTuple assigns a tuple to a variable, a part at a time.
func (t *translator) assignTuple(v *variable, idx []sub, val *value, at source.Span) {
	if val.t.base != tupleBase || len(val.tup) != len(v.elems) {
		what := val.t.String()
		if val.t.base == tupleBase {
			what = fmt.Sprintf("one of %d", len(val.tup))
		}
		t.fail(syntax.WrongType, at, "%s is a tuple of %d parts, and the value is %s", v.name,
			len(v.elems), what)
	}
	for i, p := range v.elems {
		if p.t.base == tupleBase {
			t.assignTuple(p, idx, val.tup[i], at)
		} else {
			tt, sh := t.behind(p, idx, at)
			t.assign(p, idx, t.fit(val.tup[i], tt, sh, at), false, at)
		}
	}
}

// behind is the type and shape of a variable at subscripts of its first axes.
func (t *translator) behind(v *variable, idx []sub, at source.Span) (typ, []size.Poly) {
	tt := v.t
	for _, s := range idx {
		if s.slice || s.turn != nil {
			t.fail(syntax.NoIndex, at, "a slice of an array of tuples cannot be assigned")
		}
		tt = tt.elem()
	}
	return tt, v.sh[len(idx):]
}

// sums reports whether a += may be a term of a sum over the turns of a loop: whether an open loop
// assigns the variable, and no entry of it that this turn knows.
func (t *translator) sums(v *variable) bool {
	if v.final != nil || v.window != nil || !t.assignedInside(v) || len(t.spies) > 0 {
		return false
	}
	l := t.loops[len(t.loops)-1]
	for _, w := range v.writes[min(l.start[v], len(v.writes)):] {
		if !w.add {
			return false // x[n] += after x[n] = in one turn: what turns before added is lost
		}
	}
	return true
}

// accumulates finds e in x = x + e, where x is a sum over the turns of a loop.
func (t *translator) accumulates(s *syntax.Assign, v *variable) (e syntax.Expr, minus bool) {
	b, ok := s.Value.(*syntax.Binary)
	if !ok || b.Op != "+" && b.Op != "-" {
		return nil, false
	}
	if !t.sums(v) {
		return nil, false
	}
	left := syntax.Text(s.Left)
	switch {
	case syntax.Text(b.X) == left:
		return b.Y, b.Op == "-"
	case syntax.Text(b.Y) == left && b.Op == "+":
		return b.X, false
	}
	return nil, false
}

func (t *translator) signed(v *value, minus bool) *value {
	if !minus {
		return v
	}
	out := *v
	out.n = neg(v.n)
	return &out
}

// place finds what the left side of an assignment names: a variable, subscripts, and the type and
// shape of the place.
func (t *translator) place(e syntax.Expr) (*variable, []sub, typ, []size.Poly) {
	switch e := e.(type) {
	case *syntax.Name:
		v := t.lookup(e.Name)
		if v == nil {
			t.unknownName(e)
		}
		if v.isBroken() {
			panic(stop{&diag.Diagnostic{}})
		}
		return v, nil, v.t, v.sh
	case *syntax.Field:
		v, idx, _, _ := t.place(e.X)
		if v.t.base != tupleBase || e.N < 1 || e.N > len(v.elems) {
			t.fail(syntax.WrongType, e.Pos(), "there is no part %d of it", e.N)
		}
		p := v.elems[e.N-1]
		if p.t.base == tupleBase {
			return p, idx, typ{tupleBase, p.t.arr - len(idx)}, p.sh[len(idx):]
		}
		tt, sh := t.behind(p, idx, e.Pos())
		return p, idx, tt, sh
	case *syntax.Index:
		v, idx, tt, sh := t.place(e.X)
		for _, s := range e.Subs {
			if slices.ContainsFunc(idx, func(s sub) bool { return s.slice }) &&
				len(idx) >= v.t.rank() {
				break
			}
			k := len(idx)
			if k >= v.t.rank() {
				t.fail(syntax.WrongType, s.Span, "%s has %d axes", v.name, v.t.rank())
			}
			at := kept(idx)
			next, n := t.leftSub(s, v.sh[k])
			idx = append(idx, next)
			if next.slice || next.turn != nil {
				sh = slices.Clone(sh)
				sh[at] = n
				continue
			}
			tt = without(tt, at)
			sh = slices.Delete(slices.Clone(sh), at, at+1)
		}
		return v, idx, tt, sh
	}
	t.fail(syntax.NotStan, e.Pos(), "a variable is expected on the left side")
	return nil, nil, typ{}, nil
}

func kept(idx []sub) int {
	n := 0
	for _, s := range idx {
		if s.slice || s.turn != nil {
			n++
		}
	}
	return n
}

// without is a type less its axis k.
func without(t typ, k int) typ {
	if k < t.arr {
		return typ{t.base, t.arr - 1}
	}
	switch t.base {
	case matrixBase:
		if k == t.arr {
			return typ{rowBase, t.arr}
		}
		return typ{vectorBase, t.arr}
	}
	return typ{realBase, t.arr}
}

// leftSub translates a subscript of the left side; n is the length of a slice.
func (t *translator) leftSub(s syntax.Sub, axis size.Poly) (sub, size.Poly) {
	if s.Range {
		lo, hi := size.Poly{}, axis
		if s.Lo != nil {
			lo = t.intOf(t.expr(s.Lo), s.Lo.Pos()).Sub(size.Const(1))
		}
		if s.Hi != nil {
			hi = t.intOf(t.expr(s.Hi), s.Hi.Pos())
		}
		n := hi.Sub(lo)
		if t.moves(n) {
			t.failNote("assign its entries in a loop",
				syntax.NoIndex, s.Span, "the length of this slice depends on entries of data or on an "+
					"index")
		}
		return sub{p: lo, slice: true, n: n}, n
	}
	x := t.expr(s.X)
	if x.t.arr == 1 && x.t.base == intBase { // v[ids] = x
		k := t.newIndex("n", size.Poly{}, x.sh[0])
		one := t.intOf(t.at(x, size.Dim(k.key)), s.X.Pos())
		return sub{p: one.Sub(size.Const(1)), turn: &bind{k, k.lo, k.hi}}, x.sh[0]
	}
	return sub{p: t.intOf(x, s.X.Pos()).Sub(size.Const(1))}, size.Poly{}
}
