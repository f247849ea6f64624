package reference

import (
	"maps"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

var unary = map[string]func(float64) float64{
	"exp": math.Exp, "log": math.Log, "sqrt": math.Sqrt, "fabs": math.Abs, "log1p": math.Log1p,
	"expm1": math.Expm1, "lgamma": lg, "digamma": mathext.Digamma, "inv_logit": sigmoid,
	"log_inv_logit": func(x float64) float64 { return -log1pExp(-x) },
	"log1m":         func(x float64) float64 { return math.Log1p(-x) },
	"log1m_exp":     func(x float64) float64 { return math.Log(-math.Expm1(x)) },
	"log1p_exp":     log1pExp, "logit": func(x float64) float64 { return math.Log(x / (1 - x)) },
	"tanh": math.Tanh, "sinh": math.Sinh, "cosh": math.Cosh, "sin": math.Sin, "cos": math.Cos,
	"tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "floor": math.Floor,
	"ceil": math.Ceil, "round": math.Round, "trunc": math.Trunc, "erf": math.Erf, "erfc": math.Erfc,
	"Phi": phi, "inv_Phi": func(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) },
	"Phi_approx":      func(x float64) float64 { return sigmoid(0.07056*x*x*x + 1.5976*x) },
	"square":          func(x float64) float64 { return x * x },
	"inv":             func(x float64) float64 { return 1 / x },
	"inv_sqrt":        func(x float64) float64 { return 1 / math.Sqrt(x) },
	"inv_square":      func(x float64) float64 { return 1 / (x * x) },
	"inv_cloglog":     func(x float64) float64 { return -math.Expm1(-math.Exp(x)) },
	"cloglog":         func(x float64) float64 { return math.Log(-math.Log1p(-x)) },
	"log1m_inv_logit": func(x float64) float64 { return -log1pExp(x) },
	"log2":            math.Log2, "log10": math.Log10, "exp2": math.Exp2, "cbrt": math.Cbrt,
	"tgamma": math.Gamma, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
}

var pair = map[string]func(a, b float64) float64{
	"pow": math.Pow, "fmax": math.Max, "fmin": math.Min, "atan2": math.Atan2, "lbeta": lbeta,
	"beta":    func(a, b float64) float64 { return math.Exp(lbeta(a, b)) },
	"lchoose": lchoose, "binomial_coefficient_log": lchoose, "hypot": math.Hypot, "fmod": math.Mod,
	"fdim":                  math.Dim,
	"multiply_log":          func(a, b float64) float64 { return a * math.Log(b) },
	"lmultiply":             func(a, b float64) float64 { return a * math.Log(b) },
	"log_diff_exp":          func(a, b float64) float64 { return a + math.Log(-math.Expm1(b-a)) },
	"log_falling_factorial": func(x, n float64) float64 { return lg(x+1) - lg(x-n+1) },
	"log_rising_factorial":  func(x, n float64) float64 { return lg(x+n) - lg(x) },
	"gamma_p":               mathext.GammaIncReg,
	"gamma_q":               mathext.GammaIncRegComp,
	"elt_multiply":          func(a, b float64) float64 { return a * b },
	"elt_divide":            func(a, b float64) float64 { return a / b },
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func ints(v any) bool {
	l, ok := v.(*list)
	if !ok {
		_, is := v.(int)
		return is
	}
	return len(l.elems) > 0 && ints(l.elems[0])
}

// reduced gives an int for ints.
func reduced(f func([]float64) float64) func([]any) any {
	return func(a []any) any {
		x := []float64{}
		all := true
		for _, v := range a {
			x = append(x, flat(v)...)
			all = all && ints(v)
		}
		if all {
			return int(f(x))
		}
		return f(x)
	}
}

func filled(kind byte, value float64) func([]any) any {
	return func(a []any) any {
		x := make([]float64, whole(a[0]))
		for i := range x {
			x[i] = value
		}
		return vec(kind, x)
	}
}

func sub(l *list, lo, n int) *list { return &list{l.kind, l.elems[lo : lo+n]} }

func kernelOf(f func(d, alpha, rho float64) float64) func([]any) any {
	return func(a []any) any {
		x := a[0].(*list)
		y := x
		rest := a[1:]
		if l, ok := a[1].(*list); ok {
			y, rest = l, a[2:]
		}
		var out [][]float64
		for _, p := range x.elems {
			var row []float64
			for _, q := range y.elems {
				s := 0.0
				u, v := flat(p), flat(q)
				for i := range u {
					s += (u[i] - v[i]) * (u[i] - v[i])
				}
				row = append(row, f(math.Sqrt(s), num(rest[0]), num(rest[1])))
			}
			out = append(out, row)
		}
		return mat(out)
	}
}

// byColumns are the entries of a matrix column by column, and those of anything else in order.
func byColumns(v any) []float64 {
	if kindOf(v) == 'm' {
		return flat(mat(transpose(rows(v))))
	}
	return flat(v)
}

var library map[string]func([]any) any

func init() {
	m := &machine{}
	mean := func(x []float64) float64 { return sum(x) / float64(len(x)) }
	variance := func(x []float64) float64 {
		s, mu := 0.0, mean(x)
		for _, v := range x {
			s += (v - mu) * (v - mu)
		}
		return s / float64(len(x)-1)
	}
	dot := func(x, y []float64) float64 {
		s := 0.0
		for i := range x {
			s += x[i] * y[i]
		}
		return s
	}
	diff := func(a []any) []float64 {
		return flat(both(func(p, q float64) float64 { return p - q }, a[0], a[1]))
	}
	join := func(a, b any, col bool) any {
		line := func(v any) ([]float64, bool) {
			k := kindOf(v)
			return flat(v), k == 0 || k == 'v' && !col || k == 'r' && col
		}
		x, ok := line(a)
		y, ok2 := line(b)
		if ok && ok2 {
			return vec(map[bool]byte{true: 'r', false: 'v'}[col], append(append([]float64{}, x...), y...))
		}
		as := func(v any) [][]float64 {
			switch kindOf(v) {
			case 'm':
				return rows(v)
			case 'v':
				return column(flat(v))
			}
			return [][]float64{flat(v)}
		}
		p, q := as(a), as(b)
		if col {
			p, q = transpose(p), transpose(q)
		}
		p = append(append([][]float64{}, p...), q...)
		if col {
			p = transpose(p)
		}
		return mat(p)
	}
	diagMul := func(v []float64, a [][]float64, left, right bool) any {
		var out [][]float64
		for i := range a {
			var row []float64
			for j := range a[i] {
				x := a[i][j]
				if left {
					x *= v[i]
				}
				if right {
					x *= v[j]
				}
				row = append(row, x)
			}
			out = append(out, row)
		}
		return mat(out)
	}
	like := func(v any, x [][]float64) any {
		if k := kindOf(v); k != 'm' {
			return vec(k, flat(mat(x)))
		}
		return mat(x)
	}
	solveLeft := func(a []any) any {
		b := a[1]
		if kindOf(b) == 'm' {
			x, _ := gauss(rows(a[0]), rows(b))
			return mat(x)
		}
		x, _ := gauss(rows(a[0]), column(flat(b)))
		return like(b, x)
	}
	solveRight := func(a []any) any {
		b := [][]float64{flat(a[0])}
		if kindOf(a[0]) == 'm' {
			b = rows(a[0])
		}
		x, _ := gauss(transpose(rows(a[1])), transpose(b))
		return like(a[0], transpose(x))
	}
	var rep func(x any, dims []any) any
	rep = func(x any, dims []any) any {
		if len(dims) == 0 {
			return clone(x)
		}
		out := &list{kind: 'a'}
		for range whole(dims[0]) {
			out.elems = append(out.elems, rep(x, dims[1:]))
		}
		return out
	}
	library = map[string]func([]any) any{
		"pi": func([]any) any { return math.Pi }, "e": func([]any) any { return math.E },
		"sqrt2":             func([]any) any { return math.Sqrt2 },
		"negative_infinity": func([]any) any { return math.Inf(-1) },
		"positive_infinity": func([]any) any { return math.Inf(1) },
		"machine_precision": func([]any) any { return 2.220446049250313e-16 },
		"abs": func(a []any) any {
			if n, ok := a[0].(int); ok {
				return max(n, -n)
			}
			return each(math.Abs, a[0])
		},
		"int_step": func(a []any) any { return truth(num(a[0]) > 0) },
		"step":     func(a []any) any { return float64(truth(num(a[0]) >= 0)) },
		"to_int":   func(a []any) any { return int(num(a[0])) },
		"choose":   func(a []any) any { return int(math.Round(math.Exp(lchoose(num(a[0]), num(a[1]))))) },
		"min": reduced(func(x []float64) float64 {
			m := math.Inf(1)
			for _, v := range x {
				m = math.Min(m, v)
			}
			return m
		}),
		"max": reduced(func(x []float64) float64 {
			m := math.Inf(-1)
			for _, v := range x {
				m = math.Max(m, v)
			}
			return m
		}),
		"sum": reduced(sum),
		"prod": reduced(func(x []float64) float64 {
			p := 1.0
			for _, v := range x {
				p *= v
			}
			return p
		}),
		"mean":        func(a []any) any { return mean(flat(a[0])) },
		"variance":    func(a []any) any { return variance(flat(a[0])) },
		"sd":          func(a []any) any { return math.Sqrt(variance(flat(a[0]))) },
		"log_sum_exp": func(a []any) any { return logSumExp(append(flat(a[0]), flatRest(a[1:])...)) },
		"log_mix": func(a []any) any {
			if len(a) == 2 {
				return logSumExp(flat(both(func(p, l float64) float64 { return math.Log(p) + l }, a[0], a[1])))
			}
			p := num(a[0])
			return logSumExp([]float64{math.Log(p) + num(a[1]), math.Log1p(-p) + num(a[2])})
		},
		"size": func(a []any) any {
			if l, ok := a[0].(*list); ok && l.kind != 'm' {
				return len(l.elems)
			}
			return len(flat(a[0]))
		},
		"num_elements": func(a []any) any { return len(flat(a[0])) },
		"rows": func(a []any) any {
			if kindOf(a[0]) == 'r' {
				return 1
			}
			return len(a[0].(*list).elems)
		},
		"cols": func(a []any) any {
			switch kindOf(a[0]) {
			case 'r':
				return len(flat(a[0]))
			case 'v':
				return 1
			}
			return len(rows(a[0])[0])
		},
		"dot_product":      func(a []any) any { return dot(flat(a[0]), flat(a[1])) },
		"dot_self":         func(a []any) any { return dot(flat(a[0]), flat(a[0])) },
		"distance":         func(a []any) any { d := diff(a); return math.Sqrt(dot(d, d)) },
		"squared_distance": func(a []any) any { d := diff(a); return dot(d, d) },
		"norm2":            func(a []any) any { return math.Sqrt(dot(flat(a[0]), flat(a[0]))) },
		"norm1":            func(a []any) any { return sum(flat(each(math.Abs, a[0]))) },
		"softmax": func(a []any) any {
			return each(math.Exp, vec(kindOf(a[0]), logSoftmax(flat(a[0]))))
		},
		"log_softmax": func(a []any) any { return vec(kindOf(a[0]), logSoftmax(flat(a[0]))) },
		"cumulative_sum": func(a []any) any {
			x := flat(a[0])
			for i := 1; i < len(x); i++ {
				x[i] += x[i-1]
			}
			return vec(kindOf(a[0]), x)
		},
		"sort_asc": func(a []any) any {
			x := flat(a[0])
			sort.Float64s(x)
			return vec(kindOf(a[0]), x)
		},
		"rep_vector":     func(a []any) any { return vec('v', flat(rep(num(a[0]), a[1:]))) },
		"rep_row_vector": func(a []any) any { return vec('r', flat(rep(num(a[0]), a[1:]))) },
		"rep_array":      func(a []any) any { return rep(a[0], a[1:]) },
		"rep_matrix": func(a []any) any {
			switch kindOf(a[0]) {
			case 'v':
				x := make([][]float64, whole(a[1]))
				for i := range x {
					x[i] = flat(a[0])
				}
				return mat(transpose(x))
			case 'r':
				x := make([][]float64, whole(a[1]))
				for i := range x {
					x[i] = flat(a[0])
				}
				return mat(x)
			}
			return mat(rows(rep(num(a[0]), a[1:])))
		},
		"zeros_vector": filled('v', 0), "ones_vector": filled('v', 1), "zeros_row_vector": filled('r', 0),
		"ones_row_vector": filled('r', 1),
		"identity_matrix": func(a []any) any { return mat(eye(whole(a[0]))) },
		"to_vector":       func(a []any) any { return vec('v', byColumns(a[0])) },
		"to_row_vector":   func(a []any) any { return vec('r', byColumns(a[0])) },
		"to_array_1d":     func(a []any) any { return vec('a', byColumns(a[0])) },
		"to_array_2d": func(a []any) any {
			out := &list{kind: 'a'}
			for _, r := range rows(a[0]) {
				out.elems = append(out.elems, vec('a', r))
			}
			return out
		},
		"to_matrix": func(a []any) any {
			if len(a) == 1 {
				if kindOf(a[0]) == 'v' {
					return mat(column(flat(a[0])))
				}
				if kindOf(a[0]) == 'r' {
					return mat([][]float64{flat(a[0])})
				}
				return mat(rows(a[0]))
			}
			x, r, c := byColumns(a[0]), whole(a[1]), whole(a[2])
			out := make([][]float64, r)
			for i := range out {
				for j := range c {
					k := j*r + i
					if len(a) > 3 && whole(a[3]) == 0 {
						k = i*c + j
					}
					out[i] = append(out[i], x[k])
				}
			}
			return mat(out)
		},
		"append_row": func(a []any) any { return join(a[0], a[1], false) },
		"append_col": func(a []any) any { return join(a[0], a[1], true) },
		"append_array": func(a []any) any {
			return &list{'a', append(append([]any{}, a[0].(*list).elems...), a[1].(*list).elems...)}
		},
		"head": func(a []any) any { return sub(a[0].(*list), 0, whole(a[1])) },
		"tail": func(a []any) any {
			l := a[0].(*list)
			return sub(l, len(l.elems)-whole(a[1]), whole(a[1]))
		},
		"segment": func(a []any) any { return sub(a[0].(*list), whole(a[1])-1, whole(a[2])) },
		"row":     func(a []any) any { return a[0].(*list).elems[whole(a[1])-1] },
		"col":     func(a []any) any { return vec('v', transpose(rows(a[0]))[whole(a[1])-1]) },
		"sub_row": func(a []any) any {
			return sub(a[0].(*list).elems[whole(a[1])-1].(*list), whole(a[2])-1, whole(a[3]))
		},
		"sub_col": func(a []any) any {
			return sub(vec('v', transpose(rows(a[0]))[whole(a[2])-1]), whole(a[1])-1, whole(a[3]))
		},
		"block": func(a []any) any {
			out := &list{kind: 'm'}
			for i := range whole(a[3]) {
				r := a[0].(*list).elems[whole(a[1])-1+i].(*list)
				out.elems = append(out.elems, sub(r, whole(a[2])-1, whole(a[4])))
			}
			return out
		},
		"diagonal": func(a []any) any {
			var x []float64
			for i, r := range rows(a[0]) {
				x = append(x, r[i])
			}
			return vec('v', x)
		},
		"diag_matrix": func(a []any) any {
			return diagMul(flat(a[0]), eye(len(flat(a[0]))), true, false)
		},
		"add_diag": func(a []any) any {
			x := rows(a[0])
			d := flat(a[1])
			for i := range x {
				x[i][i] += d[min(i, len(d)-1)]
			}
			return mat(x)
		},
		"linspaced_vector": func(a []any) any {
			n := whole(a[0])
			x := make([]float64, n)
			for i := range x {
				x[i] = num(a[1]) + float64(i)*(num(a[2])-num(a[1]))/float64(n-1)
			}
			return vec('v', x)
		},
		"one_hot_vector": func(a []any) any {
			x := make([]float64, whole(a[0]))
			x[whole(a[1])-1] = 1
			return vec('v', x)
		},
		"reverse": func(a []any) any {
			l := a[0].(*list)
			out := &list{kind: l.kind}
			for i := range l.elems {
				out.elems = append(out.elems, l.elems[len(l.elems)-1-i])
			}
			return out
		},
		"diag_pre_multiply":  func(a []any) any { return diagMul(flat(a[0]), rows(a[1]), true, false) },
		"diag_post_multiply": func(a []any) any { return diagMul(flat(a[1]), rows(a[0]), false, true) },
		"quad_form_diag":     func(a []any) any { return diagMul(flat(a[1]), rows(a[0]), true, true) },
		"quad_form": func(a []any) any {
			if kindOf(a[1]) == 'm' {
				b := rows(a[1])
				return mat(product(transpose(b), product(rows(a[0]), b)))
			}
			b := column(flat(a[1]))
			return product(transpose(b), product(rows(a[0]), b))[0][0]
		},
		"multiply_lower_tri_self_transpose": func(a []any) any { return mat(squared(rows(a[0]))) },
		"tcrossprod":                        func(a []any) any { return mat(squared(rows(a[0]))) },
		"crossprod": func(a []any) any {
			return mat(product(transpose(rows(a[0])), rows(a[0])))
		},
		"cholesky_decompose": func(a []any) any { return mat(cholesky(rows(a[0]))) },
		"inverse_spd": func(a []any) any {
			x, _ := gauss(rows(a[0]),
				eye(len(rows(a[0]))))
			return mat(x)
		},
		"inverse": func(a []any) any {
			x, _ := gauss(rows(a[0]),
				eye(len(rows(a[0]))))
			return mat(x)
		},
		"log_determinant": func(a []any) any {
			_, d := gauss(rows(a[0]),
				eye(len(rows(a[0]))))
			return d
		},
		"log_determinant_spd": func(a []any) any {
			_, d := gauss(rows(a[0]), eye(len(rows(a[0]))))
			return d
		},
		"trace": func(a []any) any {
			s := 0.0
			for i, r := range rows(a[0]) {
				s += r[i]
			}
			return s
		},
		"mdivide_left_tri_low": solveLeft, "mdivide_left_spd": solveLeft, "mdivide_left": solveLeft,
		"mdivide_right_tri_low": solveRight, "mdivide_right_spd": solveRight,
		"rows_dot_product": func(a []any) any {
			var x []float64
			for i, r := range rows(a[0]) {
				x = append(x, dot(r, rows(a[1])[i]))
			}
			return vec('v', x)
		},
		"columns_dot_product": func(a []any) any {
			var x []float64
			for i, r := range transpose(rows(a[0])) {
				x = append(x, dot(r, transpose(rows(a[1]))[i]))
			}
			return vec('r', x)
		},
		"gp_exp_quad_cov": kernelOf(func(d, a,
			r float64) float64 {
			return a * a * math.Exp(-0.5*d*d/(r*r))
		}),
		"cov_exp_quad": kernelOf(func(d, a,
			r float64) float64 {
			return a * a * math.Exp(-0.5*d*d/(r*r))
		}),
		"gp_matern32_cov": kernelOf(func(d, a, r float64) float64 {
			z := math.Sqrt(3) * d / r
			return a * a * (1 + z) * math.Exp(-z)
		}),
		"gp_matern52_cov": kernelOf(func(d, a, r float64) float64 {
			z := math.Sqrt(5) * d / r
			return a * a * (1 + z + z*z/3) * math.Exp(-z)
		}),
		"gp_exponential_cov": kernelOf(func(d, a, r float64) float64 { return a * a * math.Exp(-d/r) }),
		"quantile": func(a []any) any {
			x := flat(a[0])
			sort.Float64s(x)
			h := num(a[1]) * float64(len(x)-1)
			i := int(h)
			if i+1 >= len(x) {
				return x[len(x)-1]
			}
			return x[i] + (h-float64(i))*(x[i+1]-x[i])
		},
		"dims": func(a []any) any {
			out, v := &list{kind: 'a'}, a[0]
			for depth(v) > 0 {
				out.elems = append(out.elems, len(v.(*list).elems))
				v = v.(*list).elems[0]
			}
			return out
		},
		"qr_thin_Q": func(a []any) any { q, _ := qr(rows(a[0])); return mat(q) },
		"qr_thin_R": func(a []any) any { _, r := qr(rows(a[0])); return mat(r) },
		"fma":       func(a []any) any { return m.op("+", m.op("*", a[0], a[1]), a[2]) },
		"inc_beta":  func(a []any) any { return mathext.RegIncBeta(num(a[0]), num(a[1]), num(a[2])) },
		"hmm_marginal": func(a []any) any {
			w, g := rows(a[0]), rows(a[1])
			f := flat(a[2])
			for k := range f {
				f[k] = math.Log(f[k]) + w[k][0]
			}
			for t := 1; t < len(w[0]); t++ {
				next := make([]float64, len(f))
				for k := range f {
					var x []float64
					for j := range f {
						x = append(x, f[j]+math.Log(g[j][k]))
					}
					next[k] = logSumExp(x) + w[k][t]
				}
				f = next
			}
			return logSumExp(f)
		},
	}
	maps.Copy(library, moreLibrary())
}

func flatRest(a []any) []float64 {
	var out []float64
	for _, v := range a {
		out = append(out, flat(v)...)
	}
	return out
}

// qr is the thin decomposition by Gram and Schmidt, with a positive diagonal of R.
func qr(a [][]float64) (q, r [][]float64) {
	c := transpose(a)
	r = make([][]float64, len(c))
	for i := range r {
		r[i] = make([]float64, len(c))
	}
	for j := range c {
		for i := range j {
			for k := range c[j] {
				r[i][j] += c[i][k] * c[j][k]
			}
			for k := range c[j] {
				c[j][k] -= r[i][j] * c[i][k]
			}
		}
		s := 0.0
		for _, x := range c[j] {
			s += x * x
		}
		r[j][j] = math.Sqrt(s)
		for k := range c[j] {
			c[j][k] /= r[j][j]
		}
	}
	return transpose(c), r
}
