package modeltest

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// free are the entries of one value of a type whose Lebesgue measure is the
// base measure; with sum_to_zero all entries have the measure of the plane.
func free(support string, i, k int) bool {
	switch support {
	case "simplex":
		return i < k-1
	case "corr_chol":
		return i%k < i/k
	case "cov_chol":
		return i%k <= i/k
	}
	return true
}

// Params of every open type, alone, in families, and with ends that depend on
// other params: there and back through the compiled functions, the Jacobian of
// all of them together against differences.
func TestTypesOfParams(t *testing.T) {
	for _, text := range []string{
		"param a, b : real, c : positive, d[2] : unit",
		"param x : ordered[K], y[2] : ordered[K]",
		"param x : positive_ordered[K], y[2, K] : positive_ordered[3]",
		"param x : sum_to_zero[K], y[3] : sum_to_zero[K]",
		"param x : simplex[K], y[2, K] : simplex[3]",
		"param x : corr_chol[K]",
		"param x[2] : corr_chol[K], y : corr_chol[K]",
		"param x : cov_chol[K]",
		"param x[2, K] : cov_chol[2], y : cov_chol[1]",
		"param a : unit, b : interval(0, 1 - a), c[K] : interval(a, inf), d : interval(-inf, " +
			"c[0]), e[K] : interval(b - 1, d + a + 20)",
		"param x : simplex[3], y[K] : interval(-x[1], exp(x[0]))",
		"param a[K] : real, b[2, K] : interval(a, a + 1), c[K, 3] : interval(0, exp(a)), d[3] : " +
			"interval([1, 2, 3], inf)",
		"param L : corr_chol[3], r : interval(L[1, 0] - 1, L[2, 2])",
	} {
		for k := 1; k <= 4; k++ {
			t.Run(fmt.Sprintf("%s K=%d", text, k), func(t *testing.T) { checkTypes(t, text, k) })
		}
	}
}

func checkTypes(t *testing.T, text string, k int) {
	c, diags := driver.Compile(source.New("types.sg", "dim K\n"+text+"\n"), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	m, err := c.VM(bound(map[string]int{"K": k}, map[string]*data.Value{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, n := m.Evaluator(0), m.Dim()
	var keep []int
	width, plane := 0, 0.0
	for _, p := range c.Spec.Params {
		one, members := 1, 1
		for i, s := range p.Shape {
			length, _ := s.Eval(map[string]int{"K": k})
			if i < len(p.Points) {
				members *= length
			} else {
				one *= length
			}
		}
		side := one
		if p.Support == "corr_chol" || p.Support == "cov_chol" {
			side = int(math.Sqrt(float64(one)))
		}
		for range members {
			for i := range one {
				if free(p.Support, i, side) {
					keep = append(keep, width+i)
				}
			}
			width += one
		}
	}
	x, back := make([]float64, n), make([]float64, n)
	out, up, down := make([]float64, width), make([]float64, width), make([]float64, width)
	for i := range x {
		x[i] = 1.3 * math.Sin(float64(5+7*i))
	}
	e.Constrain(x, out)
	if err := e.Unconstrain(out, back); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if math.Abs(back[i]-x[i]) > 1e-9 {
			t.Errorf("coordinate %d = %v comes back as %v", i, x[i], back[i])
		}
	}
	// ½ log det JᵀJ by Gram–Schmidt on the columns
	const h = 1e-5
	columns := make([][]float64, n)
	for j := range x {
		v := x[j]
		x[j] = v + h
		e.Constrain(x, up)
		x[j] = v - h
		e.Constrain(x, down)
		x[j] = v
		for _, i := range keep {
			columns[j] = append(columns[j], (up[i]-down[i])/(2*h))
		}
	}
	for j, u := range columns {
		for _, w := range columns[:j] {
			dot, norm := 0.0, 0.0
			for i := range u {
				dot, norm = dot+u[i]*w[i], norm+w[i]*w[i]
			}
			for i := range u {
				u[i] -= dot / norm * w[i]
			}
		}
		norm := 0.0
		for _, v := range u {
			norm += v * v
		}
		plane += 0.5 * math.Log(norm)
	}
	if got := e.LogDensity(x, nil, 1, 1) - e.LogDensity(x, nil, 1, 0); math.Abs(got-plane) > 1e-6 {
		t.Errorf("log|J| = %v, differences give %v", got, plane)
	}
	checkGradient(t, m, x)
}
