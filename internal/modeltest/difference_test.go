package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// checkDifference: the gradient with a control variate is that of single rows at
// two states, weighted, and the priors' at the first.
func checkDifference(t *testing.T, m *model.Model, x []float64) {
	t.Helper()
	n := m.Rows()
	if n == 0 {
		if _, ok := target.DifferenceOf(m.Evaluator(0)); ok {
			t.Error("there is a difference without rows")
		}
		return
	}
	d, ok := target.DifferenceOf(m.Evaluator(2))
	if !ok {
		t.Fatal("the model has rows and no Difference")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{0, 1, 3 * n} { // more than the capacity, and rows again
		var rows []int
		var weights []float64
		for range size {
			rows, weights = append(rows, r.IntN(n)), append(weights, 2*r.NormFloat64())
		}
		anchor := slices.Clone(x)
		for i := range anchor {
			anchor[i] += 0.1 * r.NormFloat64()
		}
		for _, jacobian := range []float64{1, 0} {
			got := make([]float64, len(x))
			d.Difference(x, anchor, rows, weights, jacobian, got)
			sameDifference(t, m, x, anchor, rows, weights, jacobian, got, 1e-10)
		}
		same := make([]float64, len(x))
		d.Difference(x, x, rows, weights, 1, same)
		sameDifference(t, m, x, x, nil, nil, 1, same, 1e-10)
	}
}

// checkDerived: the function difference reads the columns that other functions have
// derived of the data; copies along other axes would take as much memory again.
func checkDerived(t *testing.T, c *driver.Compiled) {
	t.Helper()
	read := map[string]bool{}
	for _, p := range c.Programs {
		for _, b := range p.Buffers {
			if p.ID.Kind != fn.Difference && b.Where == plan.Data {
				read[b.Name] = true
			}
		}
	}
	for _, d := range c.Spec.Derived {
		if !read[d.Name] {
			t.Errorf("%s, of shape %v, is computed for the function difference alone",
				d.Name, d.Shape)
		}
	}
}

// sameDifference holds a difference against gradients of single rows. Errors are
// relative to the sum of what is added and subtracted.
func sameDifference(
	t *testing.T, m *model.Model, x, anchor []float64, rows []int, weights []float64,
	jacobian float64, got []float64, tol float64,
) {
	t.Helper()
	e, k := m.Evaluator(1), len(x)
	prior, at, none := make([]float64, k), make([]float64, k), make([]float64, k)
	e.Gradient(x, []int{}, 1, jacobian, prior)
	want, size := slices.Clone(prior), make([]float64, k)
	for i, v := range prior {
		size[i] = 1 + math.Abs(v)
	}
	for j, r := range rows {
		for s, state := range [][]float64{x, anchor} {
			sign := float64(1 - 2*s)
			e.Gradient(state, []int{r}, 1, 0, at)
			e.Gradient(state, []int{}, 1, 0, none)
			for i := range want {
				want[i] += sign * weights[j] * (at[i] - none[i])
				size[i] += math.Abs(weights[j]) * (math.Abs(at[i]) + math.Abs(none[i]))
			}
		}
	}
	for i := range want {
		if math.IsNaN(want[i]) || math.IsInf(size[i], 0) {
			continue // the gradient itself is none there
		}
		if !(math.Abs(got[i]-want[i]) <= tol*size[i]) {
			t.Errorf("%d rows, jacobian %v: difference[%d] = %v, by single rows %v", len(rows),
				jacobian, i, got[i], want[i])
		}
	}
}
