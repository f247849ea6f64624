package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// rep is rep_vector(x, n), and zeros and ones.
func (c *calling) rep() *value {
	types := map[string]typ{"rep_vector": {vectorBase, 0}, "zeros_vector": {vectorBase, 0},
		"ones_vector": {vectorBase, 0}, "rep_row_vector": {rowBase, 0}, "zeros_row_vector": {rowBase, 0},
		"ones_row_vector": {rowBase, 0}, "rep_matrix": {matrixBase, 0}, "zeros_array": {realBase, 1},
		"ones_array": {realBase, 1}}
	x := intVal(size.Poly{})
	first := 0
	switch c.name[:3] {
	case "rep":
		x, first = c.want(0, -1), 1
	case "one":
		x = intVal(size.Const(1))
	}
	var sh []size.Poly
	for i := first; i < len(c.args); i++ {
		sh = append(sh, c.size(i))
	}
	if len(sh) == 0 {
		c.fail(syntax.WrongType, c.at, "%s takes sizes", c.name)
	}
	t, ok := types[c.name]
	if !ok {
		t = typ{x.t.base, x.t.arr + len(sh)}
	}
	full := append(append([]size.Poly{}, sh...), x.sh...)
	if c.name == "rep_matrix" && x.t.rank() == 1 {
		if x.t.base == vectorBase { // its columns are x
			n := c.eachOf([]size.Poly{x.sh[0], sh[0]}, func(r []size.Poly) node {
				return c.value(x, r[0]).n
			})
			return c.made(t, n, x.sh[0], sh[0])
		}
		return c.made(t, c.eachOf(sh, func([]size.Poly) node { return x.n }), full...)
	}
	if len(full) != t.rank() {
		c.fail(syntax.WrongType, c.at, "%s does not make %v of this", c.name, t)
	}
	switch {
	case t.base == intBase: // zeros and ones are real
	case isNum(x.n, 0):
		return c.made(t, zeros(full), full...)
	case isNum(x.n, 1):
		return c.made(t, call{fun: "ones", args: wholes(full)}, full...)
	}
	return c.made(t, c.eachOf(sh, func([]size.Poly) node { return c.raw(x) }), full...)
}

// flat is to_vector and its like: a matrix by columns, an array of arrays by rows.
func (c *calling) flat() *value {
	c.count(1)
	a := c.want(0, -1)
	t := map[string]typ{"to_vector": {vectorBase, 0}, "to_row_vector": {rowBase, 0},
		"to_array_1d": {realBase, 1}}[c.name]
	if c.name == "to_array_1d" && a.t.base == intBase {
		t.base = intBase
	}
	switch {
	case a.t.rank() == 1:
		return c.made(t, c.raw(a), a.sh...)
	case a.t.rank() == 0:
		return c.made(t, array{[]node{c.raw(a)}}, size.Const(1))
	}
	n := size.Const(1)
	for _, p := range a.sh {
		n = n.Mul(p)
	}
	x := c.raw(a)
	if a.t == (typ{matrixBase, 0}) {
		x = transposed(x)
	}
	return c.made(t, f1("flatten", x), n)
}

func (c *calling) toMatrix() *value {
	a := c.want(0, -1)
	t := typ{matrixBase, 0}
	if c.name == "to_array_2d" {
		t = typ{realBase, 2}
	}
	switch {
	case len(c.args) == 1 && a.t.rank() == 2:
		return c.made(t, c.raw(a), a.sh...)
	case len(c.args) == 1 && a.t.rank() == 1:
		if a.t.base == rowBase {
			return c.made(t, array{[]node{a.n}}, size.Const(1), a.sh[0])
		}
		return c.made(t, c.eachOf([]size.Poly{a.sh[0], size.Const(1)}, func(r []size.Poly) node {
			return c.raw(c.value(a, r[0]))
		}), a.sh[0], size.Const(1))
	}
	if len(c.args) > 4 || len(c.args) < 3 {
		c.count(3)
	}
	m, n := c.size(1), c.size(2)
	byColumns := true
	if len(c.args) == 4 {
		k, ok := c.whole(3).Number()
		if !ok {
			c.fail(syntax.WrongType, c.at, "whether to_matrix goes by columns is a number here")
		}
		byColumns = k != 0
	}
	x := c.raw(a)
	if a.t == (typ{matrixBase, 0}) {
		x = f1("flatten", transposed(x))
	} else if a.t.rank() == 2 {
		x = f1("flatten", x)
	}
	if byColumns {
		return c.made(t, transposed(f1("reshape", x, whole{n}, whole{m})), m, n)
	}
	return c.made(t, f1("reshape", x, whole{m}, whole{n}), m, n)
}

// join is append_row, append_col and append_array.
func (c *calling) join() *value {
	c.count(2)
	a, b := c.want(0, -1), c.want(1, -1)
	// numbers and vectors as rows or columns of what they are joined to
	if c.name == "append_array" {
		if a.t.arr == 0 || b.t.arr != a.t.arr {
			c.fail(syntax.WrongType, c.at, "append_array does not take %v and %v", a.t, b.t)
		}
		return c.made(a.t, f1("concat", c.raw(a), c.raw(b)),
			append([]size.Poly{a.sh[0].Add(b.sh[0])}, a.sh[1:]...)...)
	}
	along := vectorBase
	if c.name == "append_col" {
		along = rowBase
	}
	line := func(v *value) (node, size.Poly, bool) {
		switch {
		case v.t.rank() == 0:
			return array{[]node{c.raw(v)}}, size.Const(1), true
		case v.t == typ{along, 0}:
			return v.n, v.sh[0], true
		}
		return nil, size.Poly{}, false
	}
	x, n, ok := line(a)
	y, m, ok2 := line(b)
	if ok && ok2 {
		return c.made(typ{along, 0}, f1("concat", x, y), n.Add(m))
	}
	// matrices: as rows for append_row, as rows of the transpose for append_col
	rows := func(v *value) (node, size.Poly, size.Poly) {
		switch {
		case v.t == typ{matrixBase, 0} && along == vectorBase:
			return v.n, v.sh[0], v.sh[1]
		case v.t == typ{matrixBase, 0}:
			return transposed(v.n), v.sh[1], v.sh[0]
		case v.t.arr == 0 && v.t.rank() == 1:
			return array{[]node{v.n}}, size.Const(1), v.sh[0]
		}
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, a.t, b.t)
		return nil, size.Poly{}, size.Poly{}
	}
	x, n, w := rows(a)
	y, m, w2 := rows(b)
	y = c.reshaped(y, []size.Poly{m, w2}, []size.Poly{m, w})
	t := typ{matrixBase, 0}
	if along == rowBase {
		return c.made(t, transposed(f1("concat", x, y)), w, n.Add(m))
	}
	return c.made(t, f1("concat", x, y), n.Add(m), w)
}

// part is head, tail and segment.
func (c *calling) part() *value {
	a := c.want(0, -1)
	if a.t.rank() == 0 {
		c.want(0, 1)
	}
	var lo, hi size.Poly
	switch c.name {
	case "head":
		c.count(2)
		hi = c.whole(1)
	case "tail":
		c.count(2)
		lo, hi = a.sh[0].Sub(c.whole(1)), a.sh[0]
	default:
		c.count(3)
		lo = c.whole(1).Sub(size.Const(1))
		hi = lo.Add(c.whole(2))
	}
	return c.sliced(a, 0, lo, hi, whole{lo}, whole{hi})
}

// line is row, col and their parts.
func (c *calling) line() *value {
	a := c.want(0, 2)
	i := c.whole(1).Sub(size.Const(1))
	switch c.name {
	case "row":
		return c.value(a, i)
	case "col":
		n := c.subscripted(a.n, []node{slice{}, c.subscript(i, a.sh[1])})
		return c.made(typ{vectorBase, 0}, n, a.sh[0])
	case "sub_row":
		c.count(4)
		row := c.value(a, i)
		lo := c.whole(2).Sub(size.Const(1))
		hi := lo.Add(c.whole(3))
		return c.sliced(row, 0, lo, hi, whole{lo}, whole{hi})
	}
	c.count(4)
	j := c.whole(2).Sub(size.Const(1))
	col := c.made(typ{vectorBase, 0}, c.subscripted(a.n, []node{slice{}, c.subscript(j, a.sh[1])}),
		a.sh[0])
	return c.sliced(col, 0, i, i.Add(c.whole(3)), whole{i}, whole{i.Add(c.whole(3))})
}

func (c *calling) window() *value {
	c.count(5)
	a := c.want(0, 2)
	i, j := c.whole(1).Sub(size.Const(1)), c.whole(2).Sub(size.Const(1))
	m, n := c.size(3), c.size(4)
	x := c.sliced(a, 0, i, i.Add(m), whole{i}, whole{i.Add(m)})
	return c.sliced(x, 1, j, j.Add(n), whole{j}, whole{j.Add(n)})
}

func (c *calling) spaced() *value {
	c.count(3)
	n := c.size(0)
	lo, hi := c.raw(c.want(1, 0)), c.raw(c.want(2, 0))
	t := map[string]typ{"linspaced_vector": {vectorBase, 0}, "linspaced_row_vector": {rowBase, 0},
		"linspaced_array": {realBase, 1}}[c.name]
	return c.made(t, c.eachOf([]size.Poly{n}, func(r []size.Poly) node {
		return plus(lo, binary{"/", binary{"*", minus(hi, lo), whole{r[0]}},
			whole{n.Sub(size.Const(1))}})
	}), n)
}
