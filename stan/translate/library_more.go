package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

func init() {
	for name, f := range map[string]func(*calling) *value{
		"is_nan": func(c *calling) *value {
			x := c.raw(c.want(0, 0))
			return &value{n: binary{"!=", x, x}, t: typ{intBase, 0}, unk: c.args[0].unk}
		},
		"ones_int_array": (*calling).rep, "zeros_int_array": (*calling).rep,
		"one_hot_array": (*calling).oneHot, "one_hot_int_array": (*calling).oneHot,
		"one_hot_row_vector": (*calling).oneHot, "one_hot_vector": (*calling).oneHot,
		"sort_desc": func(c *calling) *value {
			a := c.want(0, 1)
			return c.backwards(entrywise("sort")(&calling{c.translator, "sort_asc", []*value{a}, c.at}))
		},
		"reverse": func(c *calling) *value {
			c.count(1)
			return c.backwards(c.want(0, -1))
		},
		"rank": (*calling).rank, "sort_indices_asc": (*calling).order,
		"sort_indices_desc":   (*calling).order,
		"linspaced_int_array": (*calling).spacedInts,
		"determinant":         (*calling).determinant,
		"choose":              (*calling).choices,
		"qr_Q":                (*calling).squareFactor, "qr_R": (*calling).squareFactor,
		"csr_extract_w": (*calling).sparseParts, "csr_extract_v": (*calling).sparseParts,
		"csr_extract_u": (*calling).sparseParts,
		"mdivide_right": func(c *calling) *value { // b / A is (A' \ b')'
			c.count(2)
			b, a := c.turned(c.args[0]), c.turned(c.want(1, 2))
			return c.turned((&calling{c.translator, c.name, []*value{a, b}, c.at}).divide())
		},
	} {
		library[name] = f
	}
}

// oneHot is a container of zeros with a single one.
func (c *calling) oneHot() *value {
	c.count(2)
	n, k := c.size(0), c.whole(1)
	t := map[string]typ{"one_hot_vector": {vectorBase, 0}, "one_hot_row_vector": {rowBase, 0},
		"one_hot_array": {realBase, 1}, "one_hot_int_array": {intBase, 1}}[c.name]
	return c.made(t, c.eachOf([]size.Poly{n}, func(r []size.Poly) node {
		return c.choose(c.compare("==", whole{r[0].Add(size.Const(1))}, whole{k}), num(1), num(0))
	}), n)
}

// choices is a binomial coefficient; of whole numbers it is one.
func (c *calling) choices() *value {
	c.count(2)
	x, y := c.args[0], c.args[1]
	if !x.isIntScalar() || !y.isIntScalar() {
		return c.pair()
	}
	n, k := c.whole(0), c.whole(1)
	if few, ok := k.Number(); ok && few >= 0 && few <= 3 {
		ways := size.Const(1) // n (n - 1) … / k!
		for i := range few {
			ways = ways.Mul(n.Sub(size.Const(i))).Div(i + 1)
		}
		return intVal(ways)
	}
	return intVal(c.atom(pairs["choose"](whole{n}, whole{k}), &sym{}))
}

// backwards is a container with its entries in the opposite order.
func (c *calling) backwards(a *value) *value {
	if a.t.rank() == 0 {
		c.fail(syntax.WrongType, c.at, "%s takes a container", c.name)
	}
	return c.made(a.t, c.eachOf(a.sh[:1], func(r []size.Poly) node {
		return c.raw(c.value(a, a.sh[0].Sub(r[0]).Sub(size.Const(1))))
	}), a.sh...)
}

// rank is the number of entries that are below one.
func (c *calling) rank() *value {
	c.count(2)
	a := c.want(0, 1)
	one := c.raw(c.value(a, c.whole(1).Sub(size.Const(1))))
	n := c.eachOf(a.sh[:1], func(r []size.Poly) node {
		return c.choose(c.compare("<", c.raw(c.value(a, r[0])), one), num(1), num(0))
	}).(comp)
	n.fun = "sum"
	return intVal(c.atom(n, &sym{}))
}

// order are the indices of the entries in rising or falling order: the k-th is that of the entry
// before which k others come.
func (c *calling) order() *value {
	c.count(1)
	a := c.want(0, 1)
	if c.lazy(a) {
		c.fail(syntax.NoIndex, c.at, "%s of a slice whose length depends on data has no counterpart",
			c.name)
	}
	op := map[string]string{"sort_indices_asc": "<", "sort_indices_desc": ">"}[c.name]
	before := c.eachOf(a.sh, func(i []size.Poly) node {
		s := c.eachOf(a.sh, func(j []size.Poly) node {
			x, y := c.raw(c.value(a, j[0])), c.raw(c.value(a, i[0]))
			first := binary{"or", binary{op, x, y}, binary{"and", binary{"==", x, y},
				binary{"<", whole{j[0]}, whole{i[0]}}}}
			return cond{first, num(1), num(0)}
		}).(comp)
		s.fun = "sum"
		return s
	})
	s := c.let(c.blk, "before", &value{n: before, t: typ{intBase, 1}, sh: a.sh, unk: a.unk})
	c.auto[s] = true
	n := c.eachOf(a.sh, func(k []size.Poly) node {
		s := c.eachOf(a.sh, func(i []size.Poly) node {
			return cond{binary{"==", index{ref{s}, wholes(i)}, whole{k[0]}},
				whole{i[0].Add(size.Const(1))}, num(0)}
		}).(comp)
		s.fun = "sum"
		return s
	})
	out := &value{n: n, t: typ{intBase, 1}, sh: a.sh, unk: a.unk}
	h := c.let(c.blk, "order", out)
	c.auto[h] = true
	c.ints[h] = intInfo{neg: true}
	out.n = ref{h}
	return out
}

func (c *calling) spacedInts() *value {
	c.count(3)
	n := c.size(0)
	lo, ok1 := c.whole(1).Number()
	hi, ok2 := c.whole(2).Number()
	k, ok3 := n.Number()
	if !ok1 || !ok2 || !ok3 || k < 1 {
		c.fail(syntax.SizeUnknown, c.at, "linspaced_int_array of numbers that only the data know has a "+
			"counterpart where the data are given alone")
	}
	step := 0
	if k > 1 {
		step = (hi - lo) / (k - 1)
	}
	var out array
	for i := range k {
		out.elems = append(out.elems, num(lo+i*step))
	}
	return &value{n: out, t: typ{intBase, 1}, sh: []size.Poly{n}}
}

// mostExpanded is the size up to which the determinant of a general matrix is written out.
const mostExpanded = 4

// determinant is that of a positive definite matrix by its Cholesky factor, and of a small one by
// its minors.
func (c *calling) determinant() *value {
	c.count(1)
	a := c.want(0, 2)
	if c.isSpd(a.n) {
		return c.made(typ{realBase, 0}, f1("exp", f1("log_det", a.n)))
	}
	k, ok := a.sh[0].Number()
	if !ok || k > mostExpanded {
		return c.fromPrelude("determinant_by_pivots", a)
	}
	var minor func(rows, cols []int) node
	minor = func(rows, cols []int) node {
		if len(rows) == 0 {
			return num(1)
		}
		out := node(num(0))
		for j := range cols {
			rest := append(append([]int{}, cols[:j]...), cols[j+1:]...)
			x := times(c.atAll(a, []size.Poly{size.Const(rows[0]), size.Const(cols[j])}).n,
				minor(rows[1:], rest))
			if j%2 == 0 {
				out = plus(out, x)
			} else {
				out = minus(out, x)
			}
		}
		return out
	}
	all := []int{0, 1, 2, 3}[:k]
	return c.made(typ{realBase, 0}, minor(all, all))
}

// squareFactor is qr_Q or qr_R, which of a square matrix are the thin ones.
func (c *calling) squareFactor() *value {
	c.count(1)
	a := c.want(0, 2)
	if !a.sh[0].Equal(a.sh[1]) {
		return c.fromPrelude(c.name, a)
	}
	return c.made(a.t, f1("qr_thin_"+c.name[3:], a.n), a.sh...)
}

// sparseParts are the entries that are not 0 of a matrix of data, their columns, and where rows
// begin among them.
func (c *calling) sparseParts() *value {
	c.count(1)
	a := c.want(0, 2)
	var g *Given
	if c.bound != nil && !a.unk {
		g = (&evaluation{t: c.translator}).of(a.n)
	}
	if g == nil {
		c.fail(syntax.SizeUnknown, c.at, "%s needs a matrix of data, and the data", c.name)
	}
	out := map[string]*Given{"w": {}, "v": {}, "u": {X: []float64{1}}}
	for i := range g.Shape[0] {
		for j := range g.Shape[1] {
			if x := g.X[i*g.Shape[1]+j]; x != 0 {
				out["w"].X, out["v"].X = append(out["w"].X, x), append(out["v"].X, float64(j+1))
			}
		}
		out["u"].X = append(out["u"].X, float64(len(out["w"].X)+1))
	}
	part := c.name[len(c.name)-1:]
	p := out[part]
	p.Shape = []int{len(p.X)}
	t := typ{intBase, 1}
	if part == "w" {
		t = typ{vectorBase, 0}
	}
	return &value{n: literalOf(p, part != "w"), t: t, sh: []size.Poly{size.Const(len(p.X))}}
}
