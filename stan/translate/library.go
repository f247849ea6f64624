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
		"transpose": func(c *calling) *value {
			c.count(1)
			return c.turned(c.args[0])
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
		"linspaced_array":   (*calling).spaced,
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
			x, p := c.want(0, 1), c.want(1, -1)
			if p.t.rank() == 1 {
				return c.made(typ{realBase, 1}, c.eachOf(p.sh, func(r []size.Poly) node {
					return f1("quantile", c.raw(x), c.raw(c.value(p, r[0])))
				}), p.sh...)
			}
			return c.made(typ{realBase, 0}, f1("quantile", c.raw(x), c.raw(c.want(1, 0))))
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
		"elt_multiply": operator(".*"), "elt_divide": operator("./"), "add": operator("+"),
		"subtract": operator("-"), "multiply": operator("*"), "divide": operator("/"),
		"minus": func(c *calling) *value {
			c.count(1)
			return c.arith("*", realVal(num(-1), false), c.args[0], c.at)
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

// operator is a function that is written as an operator.
func operator(op string) func(*calling) *value {
	return func(c *calling) *value {
		c.count(2)
		return c.arith(op, c.args[0], c.args[1], c.at)
	}
}

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
