package modeltest

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// The ends of each support, in ascending order, and of the types of arguments.
var ends = map[string][]float64{
	"real":     {-1e300, -1e100, -1e10, -1e4, -1e-10, 0, 1e-10, 1e4, 1e10, 1e100, 1e300},
	"positive": {1e-300, 1e-100, 1e-10, 1e-4, 1e4, 1e10, 1e100, 1e300},
	"unit":     {1e-300, 1e-100, 1e-10, 1e-4, 1 - 1e-4, 1 - 1e-10, 1 - 0x1p-53},
	"count":    {0, 1, 100, 1e4, 1e6, 1e9},
	"int":      {-1e9, -1e4, -1, 0, 1, 1e4, 1e9},
	"bool":     {0, 1},
}

var argumentEnds = map[string][]float64{
	"real":     {-1e8, -1e4, 0, 1e4, 1e8},
	"positive": {1e-8, 1e-4, 1e4, 1e8},
	"unit":     {1e-12, 1e-4, 1 - 1e-4, 1 - 1e-12},
	"count":    {0, 1, 100, 1e6},
	"int":      {-1e6, 0, 1e6},
}

// ends walks the lines to the ends of the value, and of each argument at a value in the middle: a
// log density is finite or -∞, a distribution function rises from 0 to 1 and its logarithms are not
// above 0; and where the value is finite so is its gradient, except for that of a cdf that rounds
// to 0 or 1 (densities are made of the logarithms) and beyond 1e±100, where squares leave the
// range.
func (w *walk) ends(t *testing.T, args []number, middle float64) {
	on := support(w.d)
	for _, method := range []string{"logpdf", "cdf", "logcdf", "logccdf"} {
		if !w.has(method) {
			continue
		}
		p := &point{method: method, args: append([]number{num(middle)}, args...)}
		c := w.compiled(t, p.program(w.d, false))
		if c == nil {
			return
		}
		at := func(q *point) (v float64) {
			m, state := q.bind(t, c, nil, 1)
			v = value(t, method, q.args, m, state)
			w.count["ends"]++
			return v
		}
		last := math.NaN()
		xs := ends[on]
		if on == "index" {
			xs = []float64{0, float64(p.categories(w.d) - 1)}
		}
		for _, x := range xs {
			q := *p
			q.args = append([]number{num(x)}, args...)
			v := at(&q)
			if rising := method == "cdf" || method == "logcdf"; rising && v < last-1e-15 ||
				method == "logccdf" && v > last+1e-15 {
				t.Errorf("%s(%v) of %v is %v, after %v", method, x, args, v, last)
			}
			last = v
		}
		for i, a := range args {
			for _, e := range argumentEnds[w.d.Params[i].Type.Name.Name] {
				if a.list != nil {
					continue
				}
				q := *p
				q.args = append([]number{num(middle)}, args...)
				q.args[i+1] = num(e)
				if w.d.Name.Name == "uniform" && q.args[1].v[0] >= q.args[2].v[0] ||
					w.d.Name.Name == "discrete_range" && q.args[1].v[0] > q.args[2].v[0] ||
					w.d.Name.Name == "hypergeometric" &&
						q.args[1].v[0] > q.args[2].v[0]+q.args[3].v[0] {
					continue // no such law
				}
				at(&q)
			}
		}
	}
}

// value is a line at its arguments, which is held to be no NaN.
func value(t *testing.T, method string, args []number, m *model.Model, state []float64) float64 {
	t.Helper()
	e := m.Evaluator(0)
	v := e.LogDensity(state, nil, 1, 0)
	switch {
	case v != v || math.IsInf(v, 1), method != "logpdf" && method != "cdf" && v > 0,
		method == "cdf" && !(v >= 0 && v <= 1):
		t.Errorf("%s at %v is %v", method, args, v)
		return v
	}
	grad := make([]float64, len(state))
	e.Gradient(state, nil, 1, 0, grad)
	for i, g := range grad {
		if x := math.Abs(args[0].v[0]); method != "cdf" && (x == 0 || x > 1e-101 && x < 1e101) &&
			!math.IsInf(v, -1) && math.IsNaN(g) {
			t.Errorf("%s at %v is %v, and its derivative %d is %v", method, args, v, i, g)
		}
	}
	return v
}

// support is the type that a distribution is on; in its interior nonnegative is positive.
func support(d *ast.Dist) string {
	if d.On.Name.Name == "nonnegative" {
		return "positive"
	}
	return d.On.Name.Name
}
