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
		var a, b *value
		t.under1(c, func() { a = t.expr(e.Then) })
		t.under1(not(c), func() { b = t.expr(e.Else) })
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
		if part, subs := t.partEntry(e); part != nil {
			return t.entriesAt(part, subs, e.Pos())
		}
		v := t.expr(e.X)
		if _, broken := v.n.(brokenNode); broken {
			panic(stop{brokenDiag()})
		}
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
		out := &value{t: v.t, sh: v.sh}
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
	return (&calling{t, "'", nil, e.Pos()}).turned(x)
}

// turned is the transpose of a vector or a matrix.
func (c *calling) turned(x *value) *value {
	switch x.t {
	case typ{vectorBase, 0}:
		return &value{n: x.n, t: typ{rowBase, 0}, sh: x.sh, unk: x.unk}
	case typ{rowBase, 0}:
		return &value{n: x.n, t: typ{vectorBase, 0}, sh: x.sh, unk: x.unk}
	case typ{matrixBase, 0}:
		return &value{n: transposed(x.n), t: x.t, sh: []size.Poly{x.sh[1], x.sh[0]}, unk: x.unk}
	}
	c.fail(syntax.WrongType, c.at, "%v cannot be transposed", x.t)
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
		first, y := x, node(nil) // where Y is computed
		if e.Op == "||" {
			first = not(x)
		}
		t.under1(first, func() { y = t.truthOf(t.expr(e.Y), e.Y.Pos()) })
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
	if first.t.base == tupleBase {
		return t.tupleArray(e, first)
	}
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

// tupleArray is an array of tuples: a tuple of arrays.
func (t *translator) tupleArray(e *syntax.Array, first *value) *value {
	out := &value{t: typ{tupleBase, first.t.arr + 1},
		sh: append([]size.Poly{size.Const(len(e.Elems))}, first.sh...)}
	for k := range first.tup {
		part := &syntax.Array{Span: e.Span}
		for _, x := range e.Elems {
			part.Elems = append(part.Elems, &syntax.Field{Span: e.Span, X: x, N: k + 1})
		}
		out.tup = append(out.tup, t.arrayLit(part))
	}
	return out
}

// partEntry finds x.k in x[i].k, where x is a variable that is an array of tuples.
func (t *translator) partEntry(e *syntax.Field) (*variable, []syntax.Sub) {
	x, ok := e.X.(*syntax.Index)
	if !ok {
		return nil, nil
	}
	n, ok := x.X.(*syntax.Name)
	if !ok {
		return nil, nil
	}
	v := t.lookup(n.Name)
	if v == nil || v.t.base != tupleBase || len(x.Subs) != v.t.arr || e.N < 1 || e.N > len(v.elems) ||
		v.elems[e.N-1].t.base == tupleBase {
		return nil, nil
	}
	return v.elems[e.N-1], x.Subs
}
