package reference

import (
	"math"
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// dae solves differential algebraic equations by the Radau IIA method of three stages, in steps of
// one length. The unknowns of a step are the slopes at its stages.
func (m *machine) dae(c *syntax.Call) any {
	f := c.Args[0].(*syntax.Name).Name
	y := flat(m.expr(c.Args[1]))
	now := num(m.expr(c.Args[3]))
	rest := c.Args[5:]
	if strings.HasSuffix(c.Fun, "_tol") {
		rest = rest[3:]
	}
	var extra []any
	for _, a := range rest {
		extra = append(extra, m.expr(a))
	}
	none := append([]any{now, vec('v', y), vec('v', make([]float64, len(y)))}, extra...)
	start := flat(m.user(f, none))
	free := make([]bool, len(y)) // of slopes
	for i := range free {
		free[i] = true
	}
	for j := range y {
		none[2] = vec('v', eye(len(y))[j])
		for i, r := range flat(m.user(f, none)) {
			free[i] = free[i] && r == start[i]
		}
	}
	for i := range free {
		if free[i] && math.Abs(start[i]) > 1e-6 {
			m.target = math.NaN() // Stan refuses the start
		}
	}
	r6 := math.Sqrt(6)
	at := []float64{(4 - r6) / 10, (4 + r6) / 10, 1}
	by := [][]float64{{(88 - 7*r6) / 360, (296 - 169*r6) / 1800, (-2 + 3*r6) / 225},
		{(296 + 169*r6) / 1800, (88 + 7*r6) / 360, (-2 - 3*r6) / 225},
		{(16 - r6) / 36, (16 + r6) / 36, 1.0 / 9}}
	n := len(y)
	slopes := make([]float64, 3*n)
	for i := range 3 {
		copy(slopes[i*n:], flat(m.expr(c.Args[2])))
	}
	stage := func(h float64, k []float64, i int) []float64 {
		z := append([]float64{}, y...)
		for j := range 3 {
			for l := range n {
				z[l] += h * by[i][j] * k[j*n+l]
			}
		}
		return z
	}
	out := &list{kind: 'a'}
	for _, end := range flat(m.expr(c.Args[4])) {
		const steps = 60
		h := (end - now) / steps
		for range steps {
			residual := func(k []float64) []float64 {
				var out []float64
				for i := range 3 {
					args := append([]any{now + at[i]*h, vec('v', stage(h, k, i)), vec('v', k[i*n:(i+1)*n])},
						extra...)
					out = append(out, flat(m.user(f, args))...)
				}
				return out
			}
			for range 6 {
				r := residual(slopes)
				jac := make([][]float64, 3*n) // by columns
				for j := range jac {
					k := append([]float64{}, slopes...)
					d := 1e-6 * math.Max(1, math.Abs(k[j]))
					k[j] += d
					jac[j] = residual(k)
					for i := range r {
						jac[j][i] = (jac[j][i] - r[i]) / d
					}
				}
				step, _ := gauss(transpose(jac), column(r))
				for i := range slopes {
					slopes[i] -= step[i][0]
				}
			}
			y = stage(h, slopes, 2)
			now += h
		}
		now = end
		out.elems = append(out.elems, vec('v', y))
	}
	return out
}
