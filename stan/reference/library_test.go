package reference

import (
	"maps"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

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
	logDeterminant := func(a []any) any {
		_, d := gauss(rows(a[0]), eye(len(rows(a[0]))))
		return d
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
			if len(a) == 2 && depth(a[1]) == 2 {
				s := 0.0
				for _, l := range a[1].(*list).elems {
					s += num(library["log_mix"]([]any{a[0], l}))
				}
				return s
			}
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
		"log_determinant": logDeterminant, "log_determinant_spd": logDeterminant,
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
		"qr_thin_Q": func(a []any) any { q, _ := qr(rows(a[0])); return mat(q) },
		"qr_thin_R": func(a []any) any { _, r := qr(rows(a[0])); return mat(r) },
		"fma":       func(a []any) any { return m.op("+", m.op("*", a[0], a[1]), a[2]) },
		"inc_beta":  func(a []any) any { return mathext.RegIncBeta(num(a[0]), num(a[1]), num(a[2])) },
	}
	maps.Copy(library, kernelLibrary())
	maps.Copy(library, moreLibrary())
	maps.Copy(library, restLibrary())
}
