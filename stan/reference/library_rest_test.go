package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// restLibrary are further functions, and those of several names.
func restLibrary() map[string]func([]any) any {
	op := func(sign string) func([]any) any {
		return func(a []any) any { return (&machine{}).op(sign, a[0], a[1]) }
	}
	test := func(f func(x float64) bool) func([]any) any {
		return func(a []any) any { return truth(f(num(a[0]))) }
	}
	out := map[string]func([]any) any{
		"not_a_number":     func([]any) any { return math.NaN() },
		"is_nan":           test(math.IsNaN),
		"is_inf":           test(func(x float64) bool { return math.IsInf(x, 0) }),
		"logical_negation": test(func(x float64) bool { return x == 0 }),
		"add":              op("+"), "subtract": op("-"), "multiply": op("*"), "divide": op("/"),
		"minus": func(a []any) any { return each(func(x float64) float64 { return -x }, a[0]) },
		"qr_thin": func(a []any) any {
			q, r := qr(rows(a[0]))
			return &list{'t', []any{mat(q), mat(r)}}
		},
		"svd_V": func(a []any) any {
			_, v := jacobi(product(transpose(rows(a[0])), rows(a[0])))
			for i := range v {
				slices.Reverse(v[i])
			}
			return mat(v)
		},
		"svd_U": func(a []any) any {
			u := transpose(product(rows(a[0]), rows(library["svd_V"](a))))
			for k := range u {
				long := 0.0
				for _, x := range u[k] {
					long = math.Hypot(long, x)
				}
				for i := range u[k] {
					u[k][i] /= long
				}
			}
			return mat(transpose(u))
		},
		"csr_extract_w": func(a []any) any { return library["csr_extract"](a).(*list).elems[0] },
		"csr_extract_v": func(a []any) any { return library["csr_extract"](a).(*list).elems[1] },
		"csr_extract_u": func(a []any) any { return library["csr_extract"](a).(*list).elems[2] },
		"csr_extract": func(a []any) any {
			w, v, u := &list{kind: 'v'}, &list{kind: 'a'}, &list{'a', []any{1}}
			for _, row := range rows(a[0]) {
				for j, x := range row {
					if x != 0 {
						w.elems, v.elems = append(w.elems, x), append(v.elems, j+1)
					}
				}
				u.elems = append(u.elems, len(w.elems)+1)
			}
			return &list{'t', []any{w, v, u}}
		},
		"inv_inc_beta": func(a []any) any {
			return mathext.InvRegIncBeta(num(a[0]), num(a[1]), num(a[2]))
		},
		"trace_quad_form": func(a []any) any { return library["trace"]([]any{library["quad_form"](a)}) },
		"rows_dot_self":   func(a []any) any { return library["rows_dot_product"]([]any{a[0], a[0]}) },
		"columns_dot_self": func(a []any) any {
			return library["columns_dot_product"]([]any{a[0], a[0]})
		},
		"ones_int_array": func(a []any) any {
			out := &list{kind: 'a'}
			for range whole(a[0]) {
				out.elems = append(out.elems, 1)
			}
			return out
		},
		"linspaced_array": func(a []any) any {
			return &list{'a', library["linspaced_vector"](a).(*list).elems}
		},
		"linspaced_row_vector": func(a []any) any {
			return &list{'r', library["linspaced_vector"](a).(*list).elems}
		},
		"one_hot_row_vector": func(a []any) any {
			return &list{'r', library["one_hot_vector"](a).(*list).elems}
		},
		"one_hot_array": func(a []any) any {
			return &list{'a', library["one_hot_vector"](a).(*list).elems}
		},
		"ones_array": filled('a', 1), "zeros_array": filled('a', 0),
		"uniform_simplex": func(a []any) any {
			n := whole(a[0])
			return filled('v', 1/float64(n))(a)
		},
		"multi_gp_cholesky_lpdf": func(a []any) any {
			s := 0.0
			l, w := rows(a[1]), flat(a[2])
			for i, y := range rows(a[0]) {
				c := each(func(x float64) float64 { return x / w[i] }, mat(squared(l)))
				s += density("multi_normal", []any{vec('v', y), filled('v', 0)([]any{len(y)}), c})
			}
			return s
		},
		"multi_student_t_cholesky_lpdf": func(a []any) any {
			return density("multi_student_t", []any{a[0], a[1], a[2], mat(squared(lower(rows(a[3]))))})
		},
		"binomial_logit_glm_lpmf": func(a []any) any {
			m := &machine{}
			eta := m.op("+", m.op("*", a[2], a[4]), a[3])
			return density("binomial_logit", []any{a[0], a[1], eta})
		},
		"matrix_normal_prec_lpdf": func(a []any) any { // that of the entries, by columns
			s, d := rows(a[2]), rows(a[3])
			n, k := len(s), len(d)
			both := make([][]float64, n*k)
			for i := range both {
				for j := range both {
					both[i] = append(both[i], s[i%n][j%n]*d[i/n][j/n])
				}
			}
			return density("multi_normal_prec", []any{vec('v', byColumns(a[0])), vec('v', byColumns(a[1])),
				mat(both)})
		},
		"lkj_cov_lpdf": func(a []any) any {
			s, mu, sd := rows(a[0]), flat(a[1]), flat(a[2])
			c := make([][]float64, len(s))
			out := 0.0
			for i := range s {
				out += density("lognormal", []any{math.Sqrt(s[i][i]), mu[i], sd[i]})
				for j := range s {
					c[i] = append(c[i], s[i][j]/math.Sqrt(s[i][i]*s[j][j]))
				}
			}
			return out + density("lkj_corr", []any{mat(c), a[3]})
		},
		"hmm_hidden_state_prob": func(a []any) any { // over all paths
			w, g, rho := rows(a[0]), rows(a[1]), flat(a[2])
			k, n := len(w), len(w[0])
			out, total := make([][]float64, k), 0.0
			for i := range out {
				out[i] = make([]float64, n)
			}
			path := make([]int, n)
			for c := range int(math.Pow(float64(k), float64(n))) {
				for t := range path {
					path[t], c = c%k, c/k
				}
				p := rho[path[0]]
				for t, z := range path {
					p *= math.Exp(w[z][t])
					if t > 0 {
						p *= g[path[t-1]][z]
					}
				}
				total += p
				for t, z := range path {
					out[z][t] += p
				}
			}
			return each(func(x float64) float64 { return x / total }, mat(out))
		},
		"poisson_binomial_cdf": func(a []any) any { // over all outcomes
			theta, s := flat(a[1]), 0.0
			for k := range 1 << len(theta) {
				n, p := 0, 1.0
				for i, q := range theta {
					if k>>i&1 == 1 {
						n, p = n+1, p*q
					} else {
						p *= 1 - q
					}
				}
				if n <= whole(a[0]) {
					s += p
				}
			}
			return s
		},
		"poisson_binomial_lpmf": func(a []any) any {
			p := num(library["poisson_binomial_cdf"](a))
			if n := whole(a[0]); n > 0 {
				p -= num(library["poisson_binomial_cdf"]([]any{n - 1, a[1]}))
			}
			return math.Log(p)
		},
		"poisson_binomial_lccdf": func(a []any) any {
			return math.Log1p(-num(library["poisson_binomial_cdf"](a)))
		},
		"gp_dot_prod_cov": func(a []any) any {
			x := rows(a[0])
			out := product(x, transpose(x))
			return each(func(v float64) float64 { return v + num(a[1])*num(a[1]) }, mat(out))
		},
		"gp_periodic_cov": func(a []any) any {
			x := a[0].(*list)
			var out [][]float64
			for _, p := range x.elems {
				var row []float64
				for _, q := range x.elems {
					s := math.Sin(math.Pi * math.Abs(num(p)-num(q)) / num(a[3]))
					row = append(row, num(a[1])*num(a[1])*math.Exp(-2*s*s/(num(a[2])*num(a[2]))))
				}
				out = append(out, row)
			}
			return mat(out)
		},
		"eigenvalues_sym": func(a []any) any { d, _ := jacobi(rows(a[0])); return vec('v', d) },
		"eigenvectors_sym": func(a []any) any {
			_, v := jacobi(rows(a[0]))
			return mat(v)
		},
	}
	out["mdivide_right"] = func(a []any) any {
		return library["transpose"]([]any{library["mdivide_left"]([]any{
			library["transpose"]([]any{a[1]}), library["transpose"]([]any{a[0]})})})
	}
	out["std_normal_qf"] = func(a []any) any { return each(unary["inv_Phi"], a[0]) }
	return out
}

// jacobi are the eigenvalues of a symmetric matrix in rising order and its eigenvectors, by
// Jacobi's rotations; of each vector the first entry of at least half the largest is positive.
func jacobi(a [][]float64) (d []float64, v [][]float64) {
	n := len(a)
	v = eye(n)
	for range 60 {
		for p := range n {
			for q := p + 1; q < n; q++ {
				if a[p][q] == 0 {
					continue
				}
				t := 0.5 * math.Atan2(2*a[p][q], a[q][q]-a[p][p])
				c, s := math.Cos(t), math.Sin(t)
				r := eye(n)
				r[p][p], r[q][q], r[p][q], r[q][p] = c, c, s, -s
				a, v = product(transpose(r), product(a, r)), product(v, r)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		for j := range n {
			if a[j][j] < a[i][i] || a[j][j] == a[i][i] && j < i {
				order[i]++
			}
		}
	}
	d = make([]float64, n)
	out := make([][]float64, n)
	for i := range n {
		d[order[i]] = a[i][i]
		column := transpose(v)[i]
		most := 0.0
		for _, x := range column {
			most = math.Max(most, math.Abs(x))
		}
		sign := 0.0
		for _, x := range column {
			if sign == 0 && math.Abs(x) >= most/2 {
				sign = math.Copysign(1, x)
			}
		}
		for k := range column {
			column[k] *= sign
		}
		out[order[i]] = column
	}
	return d, transpose(out)
}

func init() {
	unary["trigamma"] = func(x float64) float64 { return mathext.Zeta(2, x) }
	unary["inv_erfc"] = math.Erfcinv
	pair["falling_factorial"] = func(x, n float64) float64 {
		p := 1.0
		for k := range int(n) {
			p *= x - float64(k)
		}
		return p
	}
	pair["ldexp"] = func(x, n float64) float64 { return math.Ldexp(x, int(n)) }
	pair["lmgamma"] = func(n, x float64) float64 {
		s := n * (n - 1) / 4 * math.Log(math.Pi)
		for k := 0.0; k < n; k++ {
			s += lg(x - k/2)
		}
		return s
	}
	pair["modified_bessel_first_kind"] = func(n, x float64) float64 {
		s, term := 0.0, math.Pow(x/2, n)/math.Gamma(n+1)
		for k := 1.0; k < 200; k++ {
			s += term
			term *= x * x / 4 / (k * (k + n))
		}
		return s
	}
	pair["owens_t"] = func(h, a float64) float64 {
		return between(func(x float64) float64 {
			return math.Exp(-h*h*(1+x*x)/2) / (2 * math.Pi * (1 + x*x))
		}, 0, a)
	}
	unary["lambert_w0"] = func(x float64) float64 { // by halving
		lo, hi := -1.0, math.Max(1, math.Log1p(math.Abs(x)))+1
		for range 200 {
			if m := (lo + hi) / 2; m*math.Exp(m) > x {
				hi = m
			} else {
				lo = m
			}
		}
		return lo
	}
	pair["rising_factorial"] = func(x, n float64) float64 { return math.Exp(lg(x+n) - lg(x)) }
	pair["log_inv_logit_diff"] = func(x, y float64) float64 {
		return math.Log(sigmoid(x) - sigmoid(y))
	}
	pair["binary_log_loss"] = func(y, p float64) float64 {
		return -y*math.Log(p) - (1-y)*math.Log1p(-p)
	}
}
