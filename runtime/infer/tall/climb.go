package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// An objective returns f(x) and writes its gradient.
type objective func(x, grad []float64) float64

const (
	climbMemory = 8 // pairs of steps and gradients that the inverse Hessian is made from
)

// climb goes from x towards a maximum of f by L-BFGS with a backtracking line search (Nocedal and
// Wright 2006, algorithms 7.4 and 3.1). It changes x and returns f there, and how many gradients it
// took. It ends when there returns true for the gradient and the gain of the last step, when no
// step increases f, or after most gradients; arrived reports the first of these.
func climb(
	f objective, x []float64, most int, there func(grad []float64, gain float64) bool,
) (value float64, gradients int, arrived bool) {
	n := len(x)
	g, next, other, step := make([]float64, n), make([]float64, n), make([]float64, n),
		make([]float64, n)
	var s, y [][]float64
	value = f(x, g)
	gain := math.Inf(1)
	for gradients = 1; ; {
		if !special.Finite(value) {
			return value, gradients, false
		}
		if there(g, gain) {
			return value, gradients, true
		}
		copy(step, g)
		twoLoops(step, s, y)
		slope := dot(step, g)
		if !(slope > 0) { // the memory is misleading: take the gradient
			s, y = nil, nil
			copy(step, g)
			slope = dot(g, g)
		}
		by := 1.0
		if len(s) == 0 {
			by = 1 / math.Max(math.Sqrt(dot(g, g)), 1)
		}
		gained := false
		before := value
		for ; by > 1e-12 && gradients < most; by /= 3 {
			for i := range next {
				next[i] = x[i] + float64(by*step[i])
			}
			up := f(next, other)
			gradients++
			if up > value+float64(1e-4*by*slope) && special.Finite(dot(other, other)) {
				value, gained = up, true
				break
			}
		}
		if !gained {
			return value, gradients, false
		}
		gain = value - before
		ds, dy := make([]float64, n), make([]float64, n)
		for i := range x {
			ds[i], dy[i] = next[i]-x[i], g[i]-other[i]
		}
		copy(x, next)
		copy(g, other)
		if dot(ds, dy) > 1e-12*dot(dy, dy) {
			s, y = append(s, ds), append(y, dy)
			if len(s) > climbMemory {
				s, y = s[1:], y[1:]
			}
		}
	}
}

// twoLoops multiplies q by the inverse Hessian that the pairs give.
func twoLoops(q []float64, s, y [][]float64) {
	if len(s) == 0 {
		return
	}
	a := make([]float64, len(s))
	for k := len(s) - 1; k >= 0; k-- {
		a[k] = dot(s[k], q) / dot(s[k], y[k])
		for i, v := range y[k] {
			q[i] -= float64(a[k] * v)
		}
	}
	last := len(s) - 1
	scale := dot(s[last], y[last]) / dot(y[last], y[last])
	for i := range q {
		q[i] *= scale
	}
	for k := range s {
		b := dot(y[k], q) / dot(s[k], y[k])
		for i, v := range s[k] {
			q[i] += float64((a[k] - b) * v)
		}
	}
}
