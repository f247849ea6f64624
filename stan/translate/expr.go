package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// expr translates an expression.
func (t *translator) expr(e syntax.Expr) *value {
	switch e := e.(type) {
	case *syntax.Int:
		n, ok := atoi(e.Text)
		if !ok {
			t.fail(syntax.NotStan, e.Pos(), "this whole number is too large")
		}
		return intVal(size.Const(n))
	case *syntax.Real:
		return realVal(number{decimal(e.Text)}, false)
	case *syntax.Name:
		v := t.lookup(e.Name)
		if v == nil {
			t.unknownName(e)
		}
		return t.readAll(v, e.Pos())
	case *syntax.Unary:
		return t.unary(e)
	case *syntax.Binary:
		return t.binary(e)
	case *syntax.Cond:
		c := t.truthOf(t.expr(e.Cond), e.Cond.Pos())
		switch {
		case isTrue(c):
			return t.expr(e.Then)
		case isFalse(c):
			return t.expr(e.Else)
		}
		a, b := t.expr(e.Then), t.expr(e.Else)
		out := *a
		if a.isInt() && !b.isInt() {
			out.t = typ{b.t.base, a.t.arr}
		}
		if a.t.rank() != b.t.rank() || a.t.base == tupleBase {
			t.fail(syntax.WrongType, e.Pos(), "one branch is %v and the other %v", a.t, b.t)
		}
		out.n = t.choose(c, t.raw(a), t.reshaped(t.raw(b), b.sh, a.sh))
		out.unk = a.unk || b.unk || t.unknown(c)
		if out.isIntScalar() {
			if _, ok := out.n.(whole); !ok {
				out.n = whole{t.atom(out.n, &sym{neg: true})}
			}
		}
		return &out
	case *syntax.Index:
		return t.index(e)
	case *syntax.Array:
		return t.arrayLit(e)
	case *syntax.Tuple:
		out := &value{t: typ{tupleBase, 0}}
		for _, x := range e.Elems {
			out.tup = append(out.tup, t.expr(x))
		}
		return out
	case *syntax.Field:
		v := t.expr(e.X)
		if v.t.base != tupleBase || e.N < 1 || e.N > len(v.tup) {
			t.fail(syntax.WrongType, e.Pos(), "there is no part %d of it", e.N)
		}
		return v.tup[e.N-1]
	case *syntax.Call:
		return t.call(e)
	}
	t.fail(syntax.NotStan, e.Pos(), "a value is expected here")
	return nil
}

func atoi(s string) (int, bool) {
	n := 0
	for _, c := range s {
		if n > 1<<40 {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n <= 1<<31
}

// decimal writes a number of Stan with digits on both sides of its point.
func decimal(s string) string {
	s = strings.ToLower(s)
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	m, e, has := strings.Cut(s, "e")
	if strings.HasSuffix(m, ".") {
		m += "0"
	}
	if has {
		return m + "e" + strings.TrimPrefix(e, "+")
	}
	return m
}

func (t *translator) unknownName(e *syntax.Name) {
	d := t.diagnostic(syntax.UnknownName, e.Pos(), "%s is not declared before it is used", e.Name)
	var names []string
	for _, m := range t.scope {
		for n := range m {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	if near := spelling.Nearest(e.Name, names); near != "" {
		d.Suggest(e.Pos(), near)
	}
	panic(stop{d})
}

// readAll is the whole value of a variable.
func (t *translator) readAll(v *variable, at source.Span) *value {
	if v.base != nil && v.base.fn != "" {
		t.fail(syntax.WrongType, at, "%s is a function, and no value", v.name)
	}
	if v.t.base == tupleBase {
		if v.base != nil {
			return v.base
		}
		out := &value{t: v.t}
		for _, p := range v.elems {
			out.tup = append(out.tup, t.readAll(p, at))
		}
		return out
	}
	return t.read(v, nil, at)
}

// raw is the node of a value as a number: arrays of indices that count from 0 get 1 added.
func (t *translator) raw(v *value) node {
	if v.t.base != intBase || v.t.arr == 0 {
		if r, ok := v.n.(ref); ok && (r.s == trueSym || r.s == falseSym) {
			return num(map[bool]int{true: 1, false: 0}[r.s == trueSym])
		}
		return v.n
	}
	if s := t.rootOf(v.n); s != nil && t.ints[s].shift != 0 {
		return binary{"+", v.n, num(t.ints[s].shift)}
	}
	return v.n
}

// zeroBased is an array of whole numbers as indices that count from 0.
func (t *translator) zeroBased(v *value) node {
	if s := t.rootOf(v.n); s != nil && t.ints[s].shift == 1 {
		return v.n
	}
	return binary{"-", t.raw(v), num(1)}
}

func (t *translator) unary(e *syntax.Unary) *value {
	x := t.expr(e.X)
	if x.t.base == tupleBase {
		t.fail(syntax.WrongType, e.Pos(), "%s takes numbers", e.Op)
	}
	switch e.Op {
	case "+":
		return x
	case "-":
		out := *x
		out.n = neg(t.raw(x))
		return &out
	case "!":
		return &value{n: not(t.truthOf(x, e.X.Pos())), t: typ{intBase, 0}, unk: x.unk}
	}
	switch x.t { // '
	case typ{vectorBase, 0}:
		return &value{n: x.n, t: typ{rowBase, 0}, sh: x.sh, unk: x.unk}
	case typ{rowBase, 0}:
		return &value{n: x.n, t: typ{vectorBase, 0}, sh: x.sh, unk: x.unk}
	case typ{matrixBase, 0}:
		return &value{n: transposed(x.n), t: x.t, sh: []size.Poly{x.sh[1], x.sh[0]}, unk: x.unk}
	}
	t.fail(syntax.WrongType, e.Pos(), "%v cannot be transposed", x.t)
	return nil
}

func transposed(n node) node {
	if c, ok := n.(call); ok && c.fun == "transpose" {
		return c.args[0]
	}
	return call{fun: "transpose", args: []node{n}}
}

func (t *translator) binary(e *syntax.Binary) *value {
	switch e.Op {
	case "&&", "||":
		x := t.truthOf(t.expr(e.X), e.X.Pos())
		if e.Op == "&&" && isFalse(x) || e.Op == "||" && isTrue(x) {
			return &value{n: x, t: typ{intBase, 0}}
		}
		y := t.truthOf(t.expr(e.Y), e.Y.Pos())
		out := &value{t: typ{intBase, 0}, unk: t.unknown(x) || t.unknown(y)}
		switch {
		case e.Op == "&&":
			out.n = and([]node{x, y})
		case isFalse(x):
			out.n = y
		case isFalse(y):
			out.n = x
		case isTrue(y):
			out.n = y
		default:
			out.n = binary{"or", x, y}
		}
		return out
	case "==", "!=", "<", "<=", ">", ">=":
		x, y := t.expr(e.X), t.expr(e.Y)
		if !x.scalar() || !y.scalar() {
			t.fail(syntax.WrongType, e.Pos(), "numbers are compared, and these are %v and %v", x.t, y.t)
		}
		return &value{n: t.compare(e.Op, t.raw(x), t.raw(y)), t: typ{intBase, 0}, unk: x.unk || y.unk}
	}
	return t.arith(e.Op, t.expr(e.X), t.expr(e.Y), e.Pos())
}

// arith is an arithmetic operation on values.
func (t *translator) arith(op string, x, y *value, at source.Span) *value {
	wrong := func() {
		t.fail(syntax.WrongType, at, "%s does not take %v and %v", op, x.t, y.t)
	}
	if x.t.base == tupleBase || y.t.base == tupleBase || x.t.arr > 0 || y.t.arr > 0 {
		wrong()
	}
	if x.scalar() && y.scalar() {
		return t.scalarOp(op, x, y, at)
	}
	bare := strings.TrimPrefix(op, ".")
	switch {
	case x.scalar() || y.scalar():
		if bare == "*" || bare == "/" || bare == "^" || op == "+" || op == "-" {
			if bare == "/" && y.t.base == matrixBase && op == "/" {
				wrong()
			}
			return t.elementwise(bare, x, y)
		}
	case op == "+" || op == "-" || op[0] == '.':
		if x.t != y.t {
			wrong()
		}
		return t.elementwise(bare, x, y)
	case op == "*":
		return t.product(x, y, wrong)
	case op == "\\":
		if x.t == (typ{matrixBase, 0}) && y.t == (typ{vectorBase, 0}) {
			return (&calling{t, "mdivide_left", []*value{x, y}, at}).divide()
		}
		t.fail(syntax.UnknownCall, at, "A \\ B has no counterpart for a matrix B").
			Note("inverse(A) * B has one")
	case op == "/":
		t.fail(syntax.UnknownCall, at, "b / A has no counterpart for a general matrix A").
			Note("mdivide_right_spd(b, A) and mdivide_right_tri_low(b, L) have one")
	}
	wrong()
	return nil
}

// arrange is an operation on nodes, simplified.
func arrange(op string, x, y node) node {
	switch op {
	case "+":
		return plus(x, y)
	case "-":
		return minus(x, y)
	case "*":
		return times(x, y)
	}
	return binary{op, x, y}
}

func (t *translator) elementwise(op string, x, y *value) *value {
	big := x
	if x.scalar() {
		big = y
	}
	out := &value{t: big.t, sh: big.sh, unk: x.unk || y.unk}
	a, b := t.raw(x), t.raw(y)
	if t.lazy(big) {
		n := t.eachOf(big.sh, func(r []size.Poly) node {
			p, q := a, b
			if !x.scalar() {
				p = t.atAll(x, r).n
			}
			if !y.scalar() {
				q = t.atAll(y, r).n
			}
			return arrange(op, p, q)
		})
		out.n = n
		return out
	}
	if !x.scalar() && !y.scalar() {
		b = t.reshaped(b, y.sh, x.sh)
	}
	out.n = arrange(op, a, b)
	return out
}

// lazy reports whether the length of a value is known to an index or to data alone: it is then
// written entry by entry where it is read.
func (t *translator) lazy(v *value) bool {
	return slices.ContainsFunc(v.sh, t.moves)
}

// eachOf is a comprehension over a shape.
func (t *translator) eachOf(sh []size.Poly, f func(r []size.Poly) node) node {
	var binds []bind
	var r []size.Poly
	for k, p := range sh {
		s := t.newIndex(axisName(k, len(sh)), size.Poly{}, p)
		binds = append(binds, bind{s, size.Poly{}, p})
		r = append(r, size.Dim(s.key))
	}
	n := f(r)
	return comp{elem: n, binds: binds}
}

func (t *translator) scalarOp(op string, x, y *value, at source.Span) *value {
	a, b := t.raw(x), t.raw(y)
	out := &value{t: typ{realBase, 0}, unk: x.unk || y.unk}
	if x.isInt() && y.isInt() {
		out.t = typ{intBase, 0}
		p, q := whole{t.intOf(&value{n: a, t: out.t}, at)}, whole{t.intOf(&value{n: b, t: out.t}, at)}
		nonneg := t.atLeast(p.p, size.Poly{}) && t.atLeast(q.p, size.Poly{})
		switch op {
		case "+", "-", "*", ".*":
			out.n = arrange(strings.TrimPrefix(op, "."), p, q)
			return out
		case "%/%", "/":
			out.n = whole{t.atom(t.quotient(p, q, nonneg), &sym{neg: !nonneg})}
			if m, ok := q.p.Number(); ok && m == 1 {
				out.n = p
			}
			return out
		case "%":
			n := node(binary{"%", p, q})
			if !nonneg {
				n = binary{"-", p, binary{"*", q, t.quotient(p, q, false)}}
			}
			out.n = whole{t.atom(n, &sym{neg: !nonneg})}
			return out
		case "^", ".^":
			out.t = typ{realBase, 0}
			out.n = binary{"^", p, q}
			return out
		}
	}
	switch op {
	case "+", "-", "*", ".*", "/", "./", "^", ".^":
		out.n = arrange(strings.TrimPrefix(op, "."), a, b)
		return out
	}
	t.fail(syntax.WrongType, at, "%s does not take %v and %v", op, x.t, y.t)
	return nil
}

// quotient is a whole quotient, rounded towards 0.
func (t *translator) quotient(p, q node, nonneg bool) node {
	d := binary{"/", p, q}
	floor := call{fun: "floor", args: []node{d}}
	if nonneg {
		return floor
	}
	return cond{binary{">=", d, num(0)}, floor, call{fun: "ceil", args: []node{d}}}
}

// product is x * y of vectors and matrices.
func (t *translator) product(x, y *value, wrong func()) *value {
	type pair struct{ a, b base }
	out := &value{unk: x.unk || y.unk}
	a, b := x, y
	switch (pair{x.t.base, y.t.base}) {
	case pair{rowBase, vectorBase}:
		out.t = typ{realBase, 0}
	case pair{vectorBase, rowBase}:
		out.t, out.sh = typ{matrixBase, 0}, []size.Poly{x.sh[0], y.sh[0]}
		out.n = call{fun: "outer", args: []node{x.n, y.n}}
		return out
	case pair{matrixBase, vectorBase}:
		out.t, out.sh = typ{vectorBase, 0}, x.sh[:1]
	case pair{rowBase, matrixBase}:
		out.t, out.sh = typ{rowBase, 0}, y.sh[1:]
	case pair{matrixBase, matrixBase}:
		out.t, out.sh = typ{matrixBase, 0}, []size.Poly{x.sh[0], y.sh[1]}
	default:
		wrong()
	}
	if t.lazy(a) || t.lazy(b) {
		if out.t.base == realBase {
			return &value{n: t.lazySum(t.elementwise("*", x, &value{n: y.n, t: x.t, sh: y.sh, unk: y.unk})),
				t: out.t, unk: out.unk}
		}
		t.fail(syntax.NoIndex, t.here, "a product with a slice whose length depends on data or on an "+
			"index has no counterpart")
	}
	inner := x.sh[len(x.sh)-1]
	bn := b.n
	if !inner.Equal(b.sh[0]) {
		bn = t.reshaped(b.n, b.sh, append([]size.Poly{inner}, b.sh[1:]...))
	}
	out.n = binary{"@", a.n, bn}
	return out
}

// lazySum sums a value that is written entry by entry.
func (t *translator) lazySum(v *value) node {
	if c, ok := v.n.(comp); ok && c.fun == "" && len(c.binds) == len(v.sh) {
		c.fun = "sum"
		return t.masked(c, num(0))
	}
	n := t.eachOf(v.sh, func(r []size.Poly) node { return t.atAll(v, r).n }).(comp)
	n.fun = "sum"
	return t.masked(n, num(0))
}

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
	}
	x := t.expr(e.X)
	if x.t.base == tupleBase {
		t.fail(syntax.WrongType, e.Pos(), "a tuple has parts, such as t.1, and no entries")
	}
	axis := 0
	for _, s := range e.Subs {
		if axis >= x.t.rank() {
			t.fail(syntax.WrongType, s.Span, "there are more subscripts than axes: this is %v", x.t)
		}
		x, axis = t.take(x, axis, s)
	}
	return x
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

// arrayLit is {a, b} or [a, b].
func (t *translator) arrayLit(e *syntax.Array) *value {
	if len(e.Elems) == 0 {
		t.fail(syntax.SizeUnknown, e.Pos(), "an array without entries has no type here")
	}
	var elems []*value
	out := &value{}
	for _, x := range e.Elems {
		v := t.expr(x)
		elems = append(elems, v)
		out.unk = out.unk || v.unk
	}
	first := elems[0]
	b := first.t.base
	var nodes []node
	for i, v := range elems {
		if v.t.rank() != first.t.rank() || v.t.base == tupleBase {
			t.fail(syntax.WrongType, e.Elems[i].Pos(), "entries of one array are of one type")
		}
		if b == intBase && !v.isInt() {
			b = v.t.base
		}
		n := t.raw(v)
		if i > 0 {
			n = t.reshaped(n, v.sh, first.sh)
		}
		nodes = append(nodes, n)
	}
	out.n = array{nodes}
	out.sh = append([]size.Poly{size.Const(len(nodes))}, first.sh...)
	switch {
	case !e.Row:
		out.t = typ{b, first.t.arr + 1}
	case first.t.rank() == 0:
		out.t = typ{rowBase, 0}
	case first.t == typ{rowBase, 0}:
		out.t = typ{matrixBase, 0}
	default:
		t.fail(syntax.WrongType, e.Pos(), "a matrix is made of row vectors, and this is %v", first.t)
	}
	return out
}
