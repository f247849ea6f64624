package translate

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A base is the kind of a Stan value without the arrays around it.
type base int

const (
	intBase base = iota
	realBase
	vectorBase
	rowBase
	matrixBase
	tupleBase
	voidBase
)

var baseRank = [...]int{0, 0, 1, 1, 2, 0, 0}
var baseNames = [...]string{"int", "real", "vector", "row_vector", "matrix", "tuple", "void"}

// A typ is the type of a Stan value: arr axes of arrays around a base.
type typ struct {
	base base
	arr  int
}

func (t typ) rank() int { return t.arr + baseRank[t.base] }

func (t typ) String() string {
	if t.arr > 0 {
		return fmt.Sprintf("an array of %d axes of %s", t.arr, baseNames[t.base])
	}
	if t.base == intBase {
		return "an int"
	}
	return "a " + baseNames[t.base]
}

// elem is the type of an entry along the first axis.
func (t typ) elem() typ {
	switch {
	case t.arr > 0:
		return typ{t.base, t.arr - 1}
	case t.base == matrixBase:
		return typ{rowBase, 0}
	}
	return typ{realBase, 0}
}

// A value is a translated Stan value: its node, Stan type and shape.
type value struct {
	n   node
	t   typ
	sh  []size.Poly
	unk bool // it depends on unknowns
	tup []*value
	fn  string // the name of a function of the program, as an argument
}

func (v *value) scalar() bool { return v.t.rank() == 0 && v.t.base != tupleBase }
func (v *value) isInt() bool  { return v.t.base == intBase }

// stop unwinds a translation that has met what it cannot translate.
type stop struct{ d *diag.Diagnostic }

func (t *translator) fail(
	code diag.Code, at source.Span, format string, args ...any,
) {
	panic(stop{t.diagnostic(code, at, format, args...)})
}

// failNote is fail with a note, which says how the same is written.
func (t *translator) failNote(
	note string, code diag.Code, at source.Span, format string, args ...any,
) {
	d := t.diagnostic(code, at, format, args...)
	d.Note(note)
	panic(stop{d})
}

func (t *translator) diagnostic(
	code diag.Code, at source.Span, format string, args ...any,
) *diag.Diagnostic {
	if t.callAt != nil && t.aside > 0 {
		at = *t.callAt
	} else if t.callAt != nil { // inside a function that is expanded: both places
		d := &diag.Diagnostic{Code: code, File: t.prog.Source, Span: at,
			Message: fmt.Sprintf(format, args...)}
		return d.NoteAt(t.prog.Source, *t.callAt, "the function is called here")
	}
	return &diag.Diagnostic{Code: code, File: t.prog.Source, Span: at,
		Message: fmt.Sprintf(format, args...)}
}

// try runs f, and returns what stopped it.
func try(f func()) (d *diag.Diagnostic) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			d = s.d
		}
	}()
	f()
	return nil
}

func intVal(p size.Poly) *value { return &value{n: whole{p}, t: typ{intBase, 0}} }

func realVal(n node, unk bool) *value { return &value{n: n, t: typ{realBase, 0}, unk: unk} }

// intOf is a whole number as a polynomial.
func (t *translator) intOf(v *value, at source.Span) size.Poly {
	if !v.isInt() || v.t.arr != 0 {
		t.fail(syntax.WrongType, at, "a whole number is expected here, and this is %v", v.t)
	}
	if w, ok := v.n.(whole); ok {
		return w.p
	}
	return t.atom(v.n, nil)
}

// sizeOf is a size: a polynomial in sizes of the data.
func (t *translator) sizeOf(e syntax.Expr) size.Poly {
	v := t.expr(e)
	p := t.intOf(v, e.Pos())
	if t.moves(p) {
		t.failNote("give the size as data of its own",
			syntax.SizeUnknown, e.Pos(), "this size depends on entries of arrays or on an index, "+
				"and is not made of sizes of the data")
	}
	return p
}

// at takes one index, counted from 0, from the first axis of a value.
func (t *translator) at(v *value, p size.Poly) *value {
	if len(v.sh) == 0 {
		t.fail(syntax.WrongType, t.here, "%v has no entries", v.t)
	}
	if v.t.base == tupleBase {
		out := &value{t: typ{tupleBase, v.t.arr - 1}, sh: v.sh[1:]}
		for _, part := range v.tup {
			out.tup = append(out.tup, t.at(part, p))
		}
		return out
	}
	if picked := t.picked(v, p); picked != nil {
		return picked
	}
	sub := t.subscript(p, v.sh[0])
	out := &value{t: v.t.elem(), sh: v.sh[1:], unk: v.unk || t.polyUnk(p)}
	out.n = t.indexed(v.n, []node{sub})
	if out.t.base == intBase && out.t.arr == 0 {
		out.n = t.entry(v, out.n)
	}
	return out
}

func (t *translator) polyUnk(p size.Poly) bool { return t.unknown(whole{p}) }

// entry makes a whole number of an entry of an array of whole numbers.
func (t *translator) entry(v *value, n node) node {
	if w, ok := n.(whole); ok {
		return w
	}
	s := t.rootOf(v.n)
	if s == nil {
		return whole{t.atom(n, &sym{neg: true})}
	}
	info := t.ints[s]
	p := t.atom(n, &sym{typed: info.typed, top: info.top, neg: info.neg})
	return whole{p.Add(size.Const(info.shift))}
}

// rootOf finds the array of data that a node is a part of.
func (t *translator) rootOf(n node) *sym {
	switch n := n.(type) {
	case ref:
		if _, ok := t.ints[n.s]; ok {
			return n.s
		}
	case index:
		return t.rootOf(n.x)
	}
	return nil
}

// subscript writes an index for an axis. An index of another size has + 0, so that it is checked
// with the data and not by its name.
func (t *translator) subscript(p, axis size.Poly) node {
	t.noteReading(p, axis)
	n := node(whole{p})
	name, ok := p.Name()
	if !ok {
		return n
	}
	s := t.syms[name]
	if s == nil {
		return n
	}
	fits := func(hi size.Poly) bool {
		if hi.Equal(axis) {
			return true
		}
		d, ok := axis.Sub(hi).Number()
		return ok && d >= 0
	}
	hi := s.hi
	if a, one := hi.Name(); s.isIdx && one && t.syms[a] != nil && t.syms[a].top != nil {
		hi = t.syms[a].top.Sub(size.Const(1)) // the range ends before an index
	}
	if s.isIdx && !fits(hi) || s.atom != nil && s.typed != nil && !fits(*s.typed) {
		return binary{"+", n, number{"0"}}
	}
	return n
}

// indexed applies subscripts to a node, and takes entries of comprehensions and arrays apart.
func (t *translator) indexed(n node, subs []node) node {
	if len(subs) == 0 {
		return n
	}
	if out := t.picks(n, subs); out != nil {
		return out
	}
	switch x := n.(type) {
	case comp:
		if x.fun == "" && isPlain(subs[0]) && x.binds[0].lo.Equal(size.Poly{}) {
			sub := subst{x.binds[0].v: unplus(subs[0])}
			rest := x
			rest.binds = append([]bind{}, x.binds[1:]...)
			if len(rest.binds) == 0 {
				return t.indexed(t.replace(x.elem, sub), subs[1:])
			}
			return t.indexed(t.replace(rest, sub), subs[1:])
		}
	case array:
		if w, ok := subs[0].(whole); ok {
			if k, ok := w.p.Number(); ok && k >= 0 && k < len(x.elems) {
				return t.indexed(x.elems[k], subs[1:])
			}
		}
	case call:
		if (x.fun == "zeros" || x.fun == "ones") && isPlain(subs[0]) {
			if len(x.args) == 1 {
				return map[string]node{"zeros": num(0), "ones": num(1)}[x.fun]
			}
			return t.indexed(call{fun: x.fun, args: x.args[1:]}, subs[1:])
		}
	case index:
		if whole := !slices.ContainsFunc(x.subs, func(s node) bool { return !isPlain(s) }); whole {
			return index{x.x, append(slices.Clone(x.subs), subs...)}
		}
		if k := slices.IndexFunc(x.subs, func(s node) bool { return !isPlain(s) }); k >= 0 {
			if _, ok := x.subs[k].(slice); !ok && isPlain(subs[0]) { // x[ids][n] is x[ids[n]]
				next := slices.Clone(x.subs)
				next[k] = t.entryOf(x.subs[k], subs[0])
				return t.indexed(index{x.x, next}, subs[1:])
			}
			if r, ok := x.subs[k].(slice); ok && isPlain(subs[0]) { // x[lo:hi][i] is x[lo + i]
				lo := node(num(0))
				if r.lo != nil {
					lo = r.lo
				}
				next := slices.Clone(x.subs)
				next[k] = addWhole(lo, unplus(subs[0]))
				if r.lo == nil && r.hi == nil {
					next[k] = subs[0]
				}
				return t.indexed(index{x.x, next}, subs[1:])
			}
		}
	case cond:
		if isPlain(subs[0]) && x.b != nil {
			return cond{x.c, t.indexed(x.a, subs), t.indexed(x.b, subs)}
		}
	}
	return index{n, subs}
}

// entryOf is one entry of an array of indices that count from 0.
func (t *translator) entryOf(ids, i node) node {
	if b, ok := ids.(binary); ok && (b.op == "+" || b.op == "-") && isNumber(b.y) {
		x := t.entryOf(b.x, i)
		if isNum(b.y, 0) {
			return binary{"+", x, b.y}
		}
		if b.op == "+" {
			return plus(x, b.y)
		}
		return minus(x, b.y)
	}
	n := t.indexed(ids, []node{i})
	if w, ok := n.(whole); ok {
		return w
	}
	like := &sym{neg: true}
	if s := t.rootOf(ids); s != nil {
		info := t.ints[s]
		like = &sym{typed: info.typed, top: info.top, neg: info.neg}
	}
	return whole{t.atom(n, like)}
}

func isNumber(n node) bool {
	switch n := n.(type) {
	case whole:
		_, ok := n.p.Number()
		return ok
	case number:
		return true
	}
	return false
}

func addWhole(a, b node) node {
	x, ok := a.(whole)
	y, ok2 := b.(whole)
	if ok && ok2 {
		return whole{x.p.Add(y.p)}
	}
	return binary{"+", a, b}
}

// isPlain reports whether a subscript is one index.
func isPlain(n node) bool {
	switch n := n.(type) {
	case whole:
		return true
	case binary:
		_, ok := n.x.(whole)
		return ok && n.op == "+" && isNum(n.y, 0)
	}
	return false
}

// unplus takes the + 0 off an index.
func unplus(n node) node {
	if b, ok := n.(binary); ok && b.op == "+" && isNum(b.y, 0) {
		return b.x
	}
	return n
}

// unknown reports whether a node depends on unknowns.
func (t *translator) unknown(n node) bool {
	found := false
	t.walk(n, func(x node) {
		if r, ok := x.(ref); ok && r.s.unk {
			found = true
		}
	})
	return found
}
