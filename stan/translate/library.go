package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// library are the functions of containers, and those with a shape of their own.
var library map[string]func(*calling) *value

func init() {
	library = map[string]func(*calling) *value{
		"abs": (*calling).abs, "int_step": func(c *calling) *value {
			x := c.want(0, 0)
			return &value{n: c.compare(">", c.raw(x), num(0)), t: typ{intBase, 0}, unk: x.unk}
		},
		"to_int": func(c *calling) *value {
			x := c.want(0, 0)
			return intVal(c.atom(formulas["trunc"](c.raw(x)), &sym{neg: true}))
		},
		"min": (*calling).extreme, "max": (*calling).extreme,
		"sum": (*calling).total, "prod": (*calling).reduce, "mean": (*calling).reduce,
		"sd": (*calling).reduce, "variance": (*calling).reduce,
		"log_sum_exp": (*calling).logSumExp, "log_mix": (*calling).logMix,
		"size": (*calling).extent, "num_elements": (*calling).extent, "rows": (*calling).extent,
		"cols":        (*calling).extent,
		"dot_product": (*calling).dot, "dot_self": (*calling).dot,
		"distance": (*calling).distance, "squared_distance": (*calling).distance,
		"norm2": (*calling).norm, "norm1": (*calling).norm,
		"softmax": entrywise("softmax"), "log_softmax": entrywise("log_softmax"),
		"cumulative_sum": entrywise("cumsum"), "sort_asc": entrywise("sort"),
		"cholesky_decompose": entrywise("cholesky"),
		"inverse_spd":        entrywise("inverse_spd"),
		"inverse":            (*calling).inverse, "mdivide_left": (*calling).divide,
		"eigenvectors_sym": entrywise("eigenvectors_sym"),
		"eigenvalues_sym": func(c *calling) *value {
			a := c.want(0, 2)
			return c.made(typ{vectorBase, 0}, f1("eigenvalues_sym", a.n), a.sh[0])
		},
		"log_determinant_spd": func(c *calling) *value {
			return c.made(typ{realBase, 0}, f1("log_det", c.want(0, 2).n))
		},
		"log_determinant": func(c *calling) *value { // of any matrix, by the diagonal of its R
			a := c.want(0, 2)
			if c.isSpd(a.n) {
				return c.made(typ{realBase, 0}, f1("log_det", a.n))
			}
			k := c.newIndex("k", size.Poly{}, a.sh[0])
			at := whole{size.Dim(k.key)}
			r := c.let(c.blk, "R", &value{n: f1("qr_thin_R", a.n), t: a.t, sh: a.sh, unk: a.unk})
			return c.made(typ{realBase, 0}, comp{fun: "sum", elem: f1("log", index{ref{r}, []node{at, at}}),
				binds: []bind{{k, k.lo, k.hi}}})
		},
		"trace": func(c *calling) *value {
			return c.made(typ{realBase, 0}, f1("trace", c.want(0, 2).n))
		},
		"qr_thin_Q": func(c *calling) *value {
			a := c.want(0, 2)
			return c.made(a.t, f1("qr_thin_Q", a.n), a.sh...)
		},
		"qr_thin_R": func(c *calling) *value {
			a := c.want(0, 2)
			return c.made(a.t, f1("qr_thin_R", a.n), a.sh[1], a.sh[1])
		},
		"rep_vector": (*calling).rep, "rep_row_vector": (*calling).rep, "rep_array": (*calling).rep,
		"rep_matrix": (*calling).rep, "zeros_vector": (*calling).rep, "ones_vector": (*calling).rep,
		"zeros_row_vector": (*calling).rep, "ones_row_vector": (*calling).rep,
		"zeros_array": (*calling).rep, "ones_array": (*calling).rep,
		"to_vector": (*calling).flat, "to_row_vector": (*calling).flat, "to_array_1d": (*calling).flat,
		"to_matrix": (*calling).toMatrix, "to_array_2d": (*calling).toMatrix,
		"append_row": (*calling).join, "append_col": (*calling).join, "append_array": (*calling).join,
		"head": (*calling).part, "tail": (*calling).part, "segment": (*calling).part,
		"row": (*calling).line, "col": (*calling).line, "sub_row": (*calling).line,
		"sub_col": (*calling).line, "block": (*calling).window,
		"diagonal": func(c *calling) *value {
			a := c.want(0, 2)
			return c.made(typ{vectorBase, 0}, c.eachOf(a.sh[:1], func(r []size.Poly) node {
				return c.indexed(a.n, wholes([]size.Poly{r[0], r[0]}))
			}), a.sh[0])
		},
		"diag_matrix": func(c *calling) *value {
			a := c.want(0, 1)
			return c.made(typ{matrixBase, 0}, f1("diag", c.raw(a)), a.sh[0], a.sh[0])
		},
		"add_diag": func(c *calling) *value {
			a, b := c.want(0, 2), c.want(1, -1)
			d := f1("identity", whole{a.sh[0]})
			if b.t.rank() == 0 {
				return c.made(a.t, plus(a.n, times(c.raw(b), d)), a.sh...)
			}
			return c.made(a.t, plus(a.n, f1("diag", c.raw(b))), a.sh...)
		},
		"identity_matrix": func(c *calling) *value {
			n := c.size(0)
			return c.made(typ{matrixBase, 0}, f1("identity", whole{n}), n, n)
		},
		"linspaced_vector": (*calling).spaced, "linspaced_row_vector": (*calling).spaced,
		"linspaced_array": (*calling).spaced, "linspaced_int_array": (*calling).spaced,
		"one_hot_vector": func(c *calling) *value {
			n, k := c.size(0), c.whole(1)
			return c.made(typ{vectorBase, 0}, c.eachOf([]size.Poly{n}, func(r []size.Poly) node {
				return c.choose(c.compare("==", whole{r[0].Add(size.Const(1))}, whole{k}), num(1), num(0))
			}), n)
		},
		"reverse": func(c *calling) *value {
			a := c.want(0, -1)
			if a.t.rank() == 0 {
				c.want(0, 1)
			}
			return c.made(a.t, c.eachOf(a.sh[:1], func(r []size.Poly) node {
				return c.raw(c.value(a, a.sh[0].Sub(r[0]).Sub(size.Const(1))))
			}), a.sh...)
		},
		"diag_pre_multiply": (*calling).scaled, "diag_post_multiply": (*calling).scaled,
		"quad_form_diag": (*calling).scaled,
		"quad_form":      (*calling).quad, "quad_form_sym": (*calling).quad,
		"multiply_lower_tri_self_transpose": (*calling).cross, "tcrossprod": (*calling).cross,
		"crossprod": (*calling).cross, "trace_quad_form": (*calling).traceQuad,
		"mdivide_left_tri_low": (*calling).solve, "mdivide_left_spd": (*calling).solve,
		"mdivide_right_tri_low": (*calling).solve, "mdivide_right_spd": (*calling).solve,
		"columns_dot_product": (*calling).dots, "rows_dot_product": (*calling).dots,
		"columns_dot_self": (*calling).dots, "rows_dot_self": (*calling).dots,
		"cov_exp_quad": (*calling).kernel, "gp_exp_quad_cov": (*calling).kernel,
		"gp_matern32_cov": (*calling).kernel, "gp_matern52_cov": (*calling).kernel,
		"gp_exponential_cov": (*calling).kernel, "gp_periodic_cov": (*calling).kernel,
		"dims": func(c *calling) *value {
			a := c.want(0, -1)
			n := array{wholes(a.sh)}
			return &value{n: n, t: typ{intBase, 1}, sh: []size.Poly{size.Const(len(a.sh))}}
		},
		"quantile": func(c *calling) *value {
			return c.made(typ{realBase, 0}, f1("quantile", c.raw(c.want(0, 1)), c.raw(c.want(1, 0))))
		},
		"fma": func(c *calling) *value {
			c.count(3)
			return c.arith("+", c.arith("*", c.args[0], c.args[1], c.at), c.args[2], c.at)
		},
		"inc_beta": func(c *calling) *value {
			c.count(3)
			return c.made(typ{realBase, 0}, f1("exp", f1("log_beta_inc_logit", c.raw(c.want(0, 0)),
				c.raw(c.want(1, 0)), f1("logit", c.raw(c.want(2, 0))))))
		},
		"elt_multiply": func(c *calling) *value {
			c.count(2)
			return c.arith(".*", c.args[0], c.args[1], c.at)
		},
		"elt_divide": func(c *calling) *value {
			c.count(2)
			return c.arith("./", c.args[0], c.args[1], c.at)
		},
		"is_inf": func(c *calling) *value {
			x := c.want(0, 0)
			return &value{n: binary{"==", f1("abs", c.raw(x)), ref{infSym}}, t: typ{intBase, 0}, unk: x.unk}
		},
		"hmm_marginal": (*calling).hmm,
	}
}

// made is a value of a call, unknown where an argument is.
func (c *calling) made(t typ, n node, sh ...size.Poly) *value {
	return &value{n: n, t: t, sh: sh, unk: c.unknown(n)}
}

// value is an entry along the first axis.
func (c *calling) value(a *value, p size.Poly) *value { return c.translator.at(a, p) }

// entrywise is a function that keeps the shape of its array.
func entrywise(name string) func(*calling) *value {
	return func(c *calling) *value {
		c.count(1)
		a := c.want(0, -1)
		if a.t.rank() == 0 || c.lazy(a) {
			c.fail(syntax.WrongType, c.at, "%s does not take %v here", c.name, a.t)
		}
		return c.made(floats(a.t), f1(name, c.raw(a)), a.sh...)
	}
}

func (c *calling) abs() *value {
	c.count(1)
	a := c.args[0]
	out := c.made(a.t, f1("abs", c.raw(a)), a.sh...)
	if out.isIntScalar() {
		out.n = whole{c.atom(out.n, &sym{})}
	}
	return out
}

func (c *calling) extreme() *value {
	if len(c.args) == 2 {
		x, y := c.want(0, 0), c.want(1, 0)
		out := c.made(x.t, f1(c.name, c.raw(x), c.raw(y)))
		if !y.isInt() {
			out.t = y.t
		}
		if out.isInt() {
			out.n = whole{c.atom(out.n, &sym{neg: true})}
		}
		return out
	}
	return c.reduce()
}

func (c *calling) reduce() *value {
	a := c.want(0, -1)
	c.count(1)
	if a.t.rank() == 0 {
		return a
	}
	out := &value{t: typ{realBase, 0}, unk: a.unk}
	switch {
	case c.lazy(a):
		out.n = c.lazyReduce(a)
	default:
		out.n = f1(c.name, c.raw(a))
	}
	if a.t.base == intBase && c.name != "mean" && c.name != "sd" && c.name != "variance" {
		out.t = typ{intBase, 0}
		out.n = whole{c.atom(out.n, &sym{neg: true})}
	}
	return out
}

// lazyReduce reduces a slice whose length data or an index give.
func (c *calling) lazyReduce(a *value) node {
	zero := map[string]node{"sum": num(0), "prod": num(1), "log_sum_exp": unary{"-", ref{infSym}},
		"max": unary{"-", ref{infSym}}, "min": ref{infSym}}[c.name]
	if c.name == "mean" {
		n := size.Const(1)
		for _, p := range a.sh {
			n = n.Mul(p)
		}
		return binary{"/", c.lazySum(a), whole{n}}
	}
	if zero == nil {
		c.fail(syntax.NoIndex, c.at, "%s of a slice whose length depends on data or on an index has no "+
			"counterpart", c.name)
	}
	n := c.eachOf(a.sh, func(r []size.Poly) node { return c.atAll(a, r).n }).(comp)
	n.fun = c.name
	return c.masked(n, zero)
}

func (c *calling) total() *value {
	c.count(1)
	a := c.want(0, -1)
	if a.t.rank() == 0 {
		return a
	}
	if x, ok := a.n.(comp); ok && x.fun == "" && len(x.binds) == a.t.rank() && a.t.base != intBase {
		return &value{n: c.sum(a), t: typ{realBase, 0}, unk: a.unk}
	}
	return c.reduce()
}

func (c *calling) logSumExp() *value {
	if len(c.args) == 2 {
		x, y := c.want(0, 0), c.want(1, 0)
		return c.made(typ{realBase, 0}, f1("log_sum_exp", array{[]node{c.raw(x), c.raw(y)}}))
	}
	v := c.reduce()
	if x, ok := c.args[0].n.(comp); ok && x.fun == "" && len(x.binds) == c.args[0].t.rank() {
		x.fun = "log_sum_exp"
		v.n = c.masked(x, unary{"-", ref{infSym}})
	}
	return v
}

func (c *calling) logMix() *value {
	if len(c.args) == 2 {
		p, l := c.want(0, 1), c.want(1, 1)
		return c.made(typ{realBase, 0}, f1("log_sum_exp", binary{"+", f1("log", p.n),
			c.reshaped(l.n, l.sh, p.sh)}))
	}
	c.count(3)
	p, a, b := c.raw(c.want(0, 0)), c.raw(c.want(1, 0)), c.raw(c.want(2, 0))
	return c.made(typ{realBase, 0}, f1("log_sum_exp", array{[]node{plus(f1("log", p), a),
		plus(f1("log1m", p), b)}}))
}

func (c *calling) extent() *value {
	c.count(1)
	a := c.want(0, -1)
	switch {
	case a.t.rank() == 0:
		return intVal(size.Const(1))
	case c.name == "size" && a.t.arr > 0:
		return intVal(a.sh[0])
	case c.name == "rows":
		if a.t.base == rowBase && a.t.arr == 0 {
			return intVal(size.Const(1))
		}
		return intVal(a.sh[0])
	case c.name == "cols":
		if a.t.base == vectorBase && a.t.arr == 0 {
			return intVal(size.Const(1))
		}
		return intVal(a.sh[len(a.sh)-1])
	}
	n := size.Const(1)
	for _, p := range a.sh {
		n = n.Mul(p)
	}
	return intVal(n)
}

func (c *calling) dot() *value {
	x := c.want(0, 1)
	y := x
	if c.name == "dot_product" {
		c.count(2)
		y = c.want(1, 1)
	}
	a := &value{n: c.raw(x), t: typ{rowBase, 0}, sh: x.sh, unk: x.unk}
	b := &value{n: c.raw(y), t: typ{vectorBase, 0}, sh: y.sh, unk: y.unk}
	return c.arith("*", a, b, c.at)
}

func (c *calling) distance() *value {
	c.count(2)
	x, y := c.want(0, -1), c.want(1, -1)
	if x.t.rank() != y.t.rank() || x.t.rank() > 1 {
		c.want(0, 1)
		c.want(1, 1)
	}
	d := minus(c.raw(x), c.reshaped(c.raw(y), y.sh, x.sh))
	if x.t.rank() == 0 {
		if c.name == "distance" {
			return c.made(typ{realBase, 0}, f1("abs", d))
		}
		return c.made(typ{realBase, 0}, f1("square", d))
	}
	if c.name == "distance" {
		return c.made(typ{realBase, 0}, f1("norm", d))
	}
	return c.made(typ{realBase, 0}, f1("sum", f1("square", d)))
}

func (c *calling) norm() *value {
	c.count(1)
	x := c.want(0, 1)
	if c.name == "norm1" {
		return c.made(typ{realBase, 0}, f1("sum", f1("abs", c.raw(x))))
	}
	return c.made(typ{realBase, 0}, f1("norm", c.raw(x)))
}

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
	if c.name == "linspaced_int_array" {
		c.fail(syntax.UnknownCall, c.at, "linspaced_int_array has no counterpart")
	}
	return c.made(t, c.eachOf([]size.Poly{n}, func(r []size.Poly) node {
		return plus(lo, binary{"/", binary{"*", minus(hi, lo), whole{r[0]}},
			whole{n.Sub(size.Const(1))}})
	}), n)
}

// scaled multiplies the rows and columns of a matrix by the entries of a vector.
func (c *calling) scaled() *value {
	c.count(2)
	m, v := c.args[0], c.args[1]
	if c.name == "diag_pre_multiply" {
		v, m = m, v
	}
	if m.t != (typ{matrixBase, 0}) || v.t.rank() != 1 {
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, c.args[0].t, c.args[1].t)
	}
	n := c.eachOf(m.sh, func(r []size.Poly) node {
		x := c.atAll(m, r).n
		if c.name != "diag_pre_multiply" {
			x = times(x, c.value(v, r[1]).n)
		}
		if c.name != "diag_post_multiply" {
			x = times(c.value(v, r[0]).n, x)
		}
		return x
	})
	return c.made(m.t, n, m.sh...)
}

// quad is B' A B, or b' A b.
func (c *calling) quad() *value {
	c.count(2)
	a, b := c.want(0, 2), c.want(1, -1)
	if b.t.rank() == 1 {
		x := c.reshaped(b.n, b.sh, a.sh[:1])
		return c.made(typ{realBase, 0}, binary{"@", binary{"@", x, a.n}, x})
	}
	c.want(1, 2)
	return c.made(a.t, binary{"@", transposed(b.n), binary{"@", a.n, b.n}}, b.sh[1], b.sh[1])
}

func (c *calling) traceQuad() *value {
	q := c.quad()
	if q.t.rank() == 0 {
		return q
	}
	return c.made(typ{realBase, 0}, f1("trace", q.n))
}

func (c *calling) cross() *value {
	c.count(1)
	a := c.want(0, 2)
	if c.name == "crossprod" {
		return c.made(a.t, binary{"@", transposed(a.n), a.n}, a.sh[1], a.sh[1])
	}
	return c.made(a.t, binary{"@", a.n, transposed(a.n)}, a.sh[0], a.sh[0])
}

// solve is A \ b and b / A for triangular and positive definite A.
func (c *calling) solve() *value {
	c.count(2)
	fun := map[string]string{"mdivide_left_tri_low": "triangular_solve",
		"mdivide_left_spd":      "solve_spd",
		"mdivide_right_tri_low": "triangular_solve_t", "mdivide_right_spd": "solve_spd"}[c.name]
	left := c.name[:12] == "mdivide_left"
	m, b := c.args[0], c.args[1]
	if !left {
		m, b = b, m
	}
	if m.t != (typ{matrixBase, 0}) || b.t.arr > 0 || b.t.rank() == 0 {
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, c.args[0].t, c.args[1].t)
	}
	if b.t.rank() == 1 {
		return c.made(b.t, f1(fun, m.n, c.reshaped(b.n, b.sh, m.sh[:1])), b.sh...)
	}
	// a matrix, column by column on the left, row by row on the right
	if left {
		n := c.eachOf(b.sh[1:], func(r []size.Poly) node {
			return f1(fun, m.n, c.subscripted(b.n, []node{slice{}, whole{r[0]}}))
		})
		return c.made(b.t, transposed(n), b.sh...)
	}
	n := c.eachOf(b.sh[:1], func(r []size.Poly) node { return f1(fun, m.n, c.value(b, r[0]).n) })
	return c.made(b.t, n, b.sh...)
}

// factors are Q and R of a square matrix, named.
func (c *calling) factors(a *value) (q, r node) {
	if a.t != (typ{matrixBase, 0}) {
		c.fail(syntax.WrongType, c.at, "%s takes a matrix, and not %v", c.name, a.t)
	}
	n := c.reshaped(a.n, a.sh, []size.Poly{a.sh[0], a.sh[0]})
	sh := []size.Poly{a.sh[0], a.sh[0]}
	name := func(fun, as string) node {
		s := c.let(c.blk, as, &value{n: f1(fun, n), t: a.t, sh: sh, unk: a.unk})
		c.auto[s] = true
		return ref{s}
	}
	return name("qr_thin_Q", "Q"), name("qr_thin_R", "R")
}

// inverse is that of a square matrix: by its Cholesky factor where its form says that it has one,
// else R⁻¹ Q' by columns.
func (c *calling) inverse() *value {
	c.count(1)
	a := c.want(0, 2)
	if c.isSpd(a.n) {
		return c.made(a.t, f1("inverse_spd", a.n), a.sh...)
	}
	q, r := c.factors(a)
	n := c.eachOf(a.sh[:1], func(i []size.Poly) node {
		return f1("triangular_solve_t", transposed(r), c.indexed(q, wholes(i)))
	})
	return c.made(a.t, transposed(n), a.sh...)
}

// divide is A \\ b for a square matrix and a vector.
func (c *calling) divide() *value {
	c.count(2)
	a, b := c.want(0, 2), c.want(1, 1)
	q, r := c.factors(a)
	x := binary{"@", transposed(q), c.reshaped(b.n, b.sh, a.sh[:1])}
	return c.made(b.t, f1("triangular_solve_t", transposed(r), x), b.sh...)
}

func (c *calling) dots() *value {
	a := c.want(0, 2)
	b := a
	if len(c.args) == 2 {
		b = c.want(1, 2)
	}
	axis, t := 0, typ{vectorBase, 0}
	if c.name[:7] == "columns" {
		axis, t = 1, typ{rowBase, 0}
	}
	n := c.eachOf(a.sh[axis:axis+1], func(r []size.Poly) node {
		subs := []node{whole{r[0]}}
		if axis == 1 {
			subs = []node{slice{}, whole{r[0]}}
		}
		x, y := c.subscripted(a.n, subs), c.subscripted(c.reshaped(b.n, b.sh, a.sh), subs)
		return binary{"@", x, y}
	})
	return c.made(t, n, a.sh[axis])
}

// kernel is a covariance function of a Gaussian process.
func (c *calling) kernel() *value {
	fun := map[string]string{"cov_exp_quad": "gp_exp_quad", "gp_exp_quad_cov": "gp_exp_quad",
		"gp_matern32_cov": "gp_matern32", "gp_matern52_cov": "gp_matern52",
		"gp_exponential_cov": "gp_exponential", "gp_periodic_cov": "gp_periodic"}[c.name]
	more := 2
	if c.name == "gp_periodic_cov" {
		more = 3
	}
	points := len(c.args) - more
	if points < 1 || points > 2 {
		c.count(1 + more)
	}
	var args []node
	var sh []size.Poly
	for _, a := range c.args[:points] {
		if a.t.rank() < 1 || a.t.rank() > 2 || a.t.arr == 0 {
			c.fail(syntax.WrongType, c.at, "%s takes arrays of numbers or of vectors", c.name)
		}
		args, sh = append(args, c.raw(a)), append(sh, a.sh[0])
	}
	if points == 1 {
		sh = append(sh, sh[0])
	}
	for _, a := range c.args[points:] {
		args = append(args, c.raw(a))
	}
	return c.made(typ{matrixBase, 0}, f1(fun, args...), sh...)
}

// isSpd reports whether a matrix is positive definite by its form.
func (c *calling) isSpd(n node) bool {
	switch n := n.(type) {
	case binary:
		x, ok := n.y.(call)
		return n.op == "@" && ok && x.fun == "transpose" && c.same(x.args[0], n.x)
	case ref:
		for _, p := range c.params {
			if p.chol && p.matrix != nil && c.same(p.matrix.base.n, n) {
				return true
			}
		}
	case call:
		return n.fun == "inverse_spd" || n.fun == "identity"
	}
	return false
}

// hmm is the marginal likelihood of a hidden Markov model: log_omega[k, t], Gamma[j, k], rho[k].
func (c *calling) hmm() *value {
	c.count(3)
	w, g, r := c.want(0, 2), c.want(1, 2), c.want(2, 1)
	k, n := w.sh[0], w.sh[1]
	t := c.translator
	s := t.newSym("forward")
	s.local, s.unk = true, true
	t.shapes[s] = []size.Poly{k}
	v := t.newIndex("t", size.Const(1), n)
	to, from := t.newIndex("k", size.Poly{}, k), t.newIndex("j", size.Poly{}, k)
	emit := func(p size.Poly) node { return c.subscripted(w.n, []node{slice{}, whole{p}}) }
	elem := binary{"+", comp{fun: "log_sum_exp", elem: binary{"+",
		index{ref{s}, []node{whole{size.Dim(from.key)}}},
		f1("log", c.indexed(g.n, wholes([]size.Poly{size.Dim(from.key), size.Dim(to.key)})))},
		binds: []bind{{from, from.lo, from.hi}}},
		c.indexed(w.n, wholes([]size.Poly{size.Dim(to.key), size.Dim(v.key)}))}
	sc := &scan{v: v, lo: size.Const(1), hi: n, body: &block{},
		carries: []carry{{s, plus(f1("log", r.n), emit(size.Poly{}))}},
		next:    []node{comp{elem: elem, binds: []bind{{to, to.lo, to.hi}}}}}
	all := t.let(t.blk, "forward", &value{n: sc, t: typ{vectorBase, 1}, sh: []size.Poly{n, k},
		unk: true})
	return c.made(typ{realBase, 0}, f1("log_sum_exp", index{ref{all},
		[]node{whole{n.Sub(size.Const(1))}}}))
}
