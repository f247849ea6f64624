package reference

import (
	"math"
	"strings"
)

// transform calls a transform of a constraint: in steps from one entry to the next, with the
// logarithm of the Jacobian as the sum of those of the steps.
func (m *machine) transform(name string, args []any) (any, bool) {
	for _, suffix := range []string{"_constrain", "_jacobian"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && constrained[base] != nil {
			v, j := constrained[base](args)
			if suffix == "_jacobian" {
				m.target += j
			}
			return v, true
		}
	}
	if base, ok := strings.CutSuffix(name, "_unconstrain"); ok && freed[base] != nil {
		return freed[base](args), true
	}
	return nil, false
}

// numberwise makes a transform of one number that of every entry.
func numberwise(f func(x []float64) (float64, float64)) func([]any) (any, float64) {
	return func(args []any) (any, float64) {
		more := make([]float64, len(args))
		for i := 1; i < len(args); i++ {
			more[i] = num(args[i])
		}
		total := 0.0
		out := each(func(y float64) float64 {
			v, j := f(append([]float64{y}, more[1:]...))
			total += j
			return v
		}, args[0])
		return out, total
	}
}

// stick breaks a stick into parts: its lengths, and the logarithm of the Jacobian.
func stick(y []float64) (x []float64, jac float64) {
	left := 1.0
	for k, v := range y {
		z := sigmoid(v - math.Log(float64(len(y)-k)))
		x = append(x, left*z)
		jac += math.Log(left * z * (1 - z))
		left -= left * z
	}
	return append(x, left), jac
}

// helmert is the matrix whose orthonormal columns sum to 0: the i-th has i equal entries, and one
// that makes up for them.
func helmert(n int) [][]float64 {
	out := make([][]float64, n+1)
	for r := range out {
		out[r] = make([]float64, n)
		for c := range n {
			long := math.Sqrt(float64((c + 1) * (c + 2)))
			switch {
			case r <= c:
				out[r][c] = 1 / long
			case r == c+1:
				out[r][c] = -float64(c+1) / long
			}
		}
	}
	return out
}

// factorOf fills a triangle with unit rows by partial correlations, in the order of place.
func factorOf(y []float64, n int, place func(i, j int) int) (l [][]float64, jac float64) {
	l = make([][]float64, n)
	for i := range l {
		l[i] = make([]float64, n)
		left := 1.0
		for j := range i {
			z := math.Tanh(y[place(i, j)])
			l[i][j] = z * math.Sqrt(left)
			jac += math.Log(1-z*z) + 0.5*math.Log(left)
			left -= l[i][j] * l[i][j]
		}
		l[i][i] = math.Sqrt(left)
	}
	return l, jac
}

// partials are the partial correlations of a factor in the order of place.
func partials(l [][]float64, place func(i, j int) int) any {
	n := len(l)
	out := make([]float64, n*(n-1)/2)
	for i := range l {
		left := 1.0
		for j := range i {
			out[place(i, j)] = math.Atanh(l[i][j] / math.Sqrt(left))
			left -= l[i][j] * l[i][j]
		}
	}
	return vec('v', out)
}

// byRow and byColumn count the places below a diagonal.
func byRow(i, j int) int { return i*(i-1)/2 + j }

func byColumn(n int) func(i, j int) int {
	return func(i, j int) int {
		k := 0
		for c := range j {
			k += n - 1 - c
		}
		return k + i - j - 1
	}
}

// trapezoid fills a triangle and the rows under it, with exponentials on the diagonal.
func trapezoid(y []float64, m, n int) (l [][]float64, jac float64) {
	k := 0
	l = make([][]float64, m)
	for i := range l {
		l[i] = make([]float64, n)
		for j := 0; j <= min(i, n-1); j++ {
			l[i][j] = y[k]
			if i == j {
				l[i][j] = math.Exp(y[k])
				jac += y[k]
			}
			k++
		}
	}
	return l, jac
}

func trapezoidFreed(l [][]float64) any {
	var out []float64
	for i := range l {
		for j := 0; j <= min(i, len(l[i])-1); j++ {
			if i == j {
				out = append(out, math.Log(l[i][j]))
			} else {
				out = append(out, l[i][j])
			}
		}
	}
	return vec('v', out)
}

var constrained map[string]func([]any) (any, float64)

var freed map[string]func([]any) any

func init() {
	sticks := func(list [][]float64) (out [][]float64, jac float64) {
		for _, y := range list {
			x, j := stick(y)
			out, jac = append(out, x), jac+j
		}
		return out, jac
	}
	constrained = map[string]func([]any) (any, float64){
		"lower_bound": numberwise(func(x []float64) (float64, float64) {
			return math.Exp(x[0]) + x[1], x[0]
		}),
		"upper_bound": numberwise(func(x []float64) (float64, float64) {
			return x[1] - math.Exp(x[0]), x[0]
		}),
		"lower_upper_bound": numberwise(func(x []float64) (float64, float64) {
			s := sigmoid(x[0])
			return x[1]*(1-s) + x[2]*s, math.Log((x[2] - x[1]) * s * (1 - s))
		}),
		"offset_multiplier": numberwise(func(x []float64) (float64, float64) {
			return x[1] + x[2]*x[0], math.Log(x[2])
		}),
		"ordered": func(a []any) (any, float64) {
			x, jac := flat(a[0]), 0.0
			for k := 1; k < len(x); k++ {
				jac += x[k]
				x[k] = x[k-1] + math.Exp(x[k])
			}
			return vec('v', x), jac
		},
		"positive_ordered": func(a []any) (any, float64) {
			x, jac, last := flat(a[0]), 0.0, 0.0
			for k := range x {
				jac += x[k]
				last += math.Exp(x[k])
				x[k] = last
			}
			return vec('v', x), jac
		},
		"simplex": func(a []any) (any, float64) {
			x, jac := stick(flat(a[0]))
			return vec('v', x), jac
		},
		"sum_to_zero": func(a []any) (any, float64) {
			if kindOf(a[0]) == 'm' {
				y := rows(a[0])
				l, r := helmert(len(y)), helmert(len(y[0]))
				return mat(product(product(l, y), transpose(r))), 0
			}
			y := flat(a[0])
			return vec('v', flat(mat(product(helmert(len(y)), column(y))))), 0
		},
		"unit_vector": func(a []any) (any, float64) {
			long := 0.0
			for _, v := range flat(a[0]) {
				long = math.Hypot(long, v)
			}
			return each(func(v float64) float64 { return v / long }, a[0]), -long * long / 2
		},
		"cholesky_factor_corr": func(a []any) (any, float64) {
			l, jac := factorOf(flat(a[0]), whole(a[1]), byRow)
			return mat(l), jac
		},
		"corr_matrix": func(a []any) (any, float64) {
			n := whole(a[1])
			l, jac := factorOf(flat(a[0]), n, byColumn(n))
			for k := range l {
				jac += float64(n-k-1) * math.Log(l[k][k])
			}
			return mat(squared(l)), jac
		},
		"cholesky_factor_cov": func(a []any) (any, float64) {
			l, jac := trapezoid(flat(a[0]), whole(a[1]), whole(a[2]))
			return mat(l), jac
		},
		"cov_matrix": func(a []any) (any, float64) {
			l, jac := trapezoid(flat(a[0]), whole(a[1]), whole(a[1]))
			return mat(squared(l)), jac + covJacobian(l) + float64(len(l))*math.Ln2
		},
		"stochastic_row": func(a []any) (any, float64) {
			x, jac := sticks(rows(a[0]))
			return mat(x), jac
		},
		"stochastic_column": func(a []any) (any, float64) {
			x, jac := sticks(transpose(rows(a[0])))
			return mat(transpose(x)), jac
		},
	}
	freed = freedTransforms()
}

func freedTransforms() map[string]func([]any) any {
	number := func(f func(x []float64) float64) func([]any) any {
		g := numberwise(func(x []float64) (float64, float64) { return f(x), 0 })
		return func(a []any) any { v, _ := g(a); return v }
	}
	unstick := func(x []float64) []float64 {
		var out []float64
		left := 1.0
		for k, v := range x[:len(x)-1] {
			z := v / left
			out = append(out, math.Log(z/(1-z))+math.Log(float64(len(x)-1-k)))
			left -= v
		}
		return out
	}
	steps := func(a []any) []float64 {
		x := flat(a[0])
		for k := len(x) - 1; k > 0; k-- {
			x[k] = math.Log(x[k] - x[k-1])
		}
		return x
	}
	return map[string]func([]any) any{
		"lower_bound": number(func(x []float64) float64 { return math.Log(x[0] - x[1]) }),
		"upper_bound": number(func(x []float64) float64 { return math.Log(x[1] - x[0]) }),
		"lower_upper_bound": number(func(x []float64) float64 {
			u := (x[0] - x[1]) / (x[2] - x[1])
			return math.Log(u / (1 - u))
		}),
		"offset_multiplier": number(func(x []float64) float64 { return (x[0] - x[1]) / x[2] }),
		"ordered":           func(a []any) any { return vec('v', steps(a)) },
		"positive_ordered": func(a []any) any {
			x := steps(a)
			x[0] = math.Log(x[0])
			return vec('v', x)
		},
		"simplex": func(a []any) any { return vec('v', unstick(flat(a[0]))) },
		"sum_to_zero": func(a []any) any {
			if kindOf(a[0]) == 'm' {
				x := rows(a[0])
				l, r := helmert(len(x)-1), helmert(len(x[0])-1)
				return mat(product(product(transpose(l), x), r))
			}
			x := flat(a[0])
			return vec('v', flat(mat(product(transpose(helmert(len(x)-1)), column(x)))))
		},
		"unit_vector":          func(a []any) any { return clone(a[0]) },
		"cholesky_factor_corr": func(a []any) any { return partials(rows(a[0]), byRow) },
		"corr_matrix": func(a []any) any {
			l := cholesky(rows(a[0]))
			return partials(l, byColumn(len(l)))
		},
		"cholesky_factor_cov": func(a []any) any { return trapezoidFreed(rows(a[0])) },
		"cov_matrix":          func(a []any) any { return trapezoidFreed(cholesky(rows(a[0]))) },
		"stochastic_row": func(a []any) any {
			var out [][]float64
			for _, x := range rows(a[0]) {
				out = append(out, unstick(x))
			}
			return mat(out)
		},
		"stochastic_column": func(a []any) any {
			var out [][]float64
			for _, x := range transpose(rows(a[0])) {
				out = append(out, unstick(x))
			}
			return mat(transpose(out))
		},
	}
}
