package reference

import (
	"math"
	"sort"
)

// kernelLibrary are covariances of Gaussian processes, and functions of sequences.
func kernelLibrary() map[string]func([]any) any {
	return map[string]func([]any) any{
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
}

// kernelOf is a covariance of points by their distance, an amplitude alpha and a length rho.
func kernelOf(f func(d, alpha, rho float64) float64) func([]any) any {
	return func(a []any) any {
		x := a[0].(*list)
		y := x
		rest := a[1:]
		if l, ok := a[1].(*list); ok && depth(x) == depth(l) {
			y, rest = l, a[2:]
		}
		var out [][]float64
		for _, p := range x.elems {
			var row []float64
			for _, q := range y.elems {
				s := 0.0
				u, v, long := flat(p), flat(q), flat(rest[1])
				for i := range u {
					d := (u[i] - v[i]) / long[min(i, len(long)-1)]
					s += d * d
				}
				row = append(row, f(math.Sqrt(s), num(rest[0]), 1))
			}
			out = append(out, row)
		}
		return mat(out)
	}
}
