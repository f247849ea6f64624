package lower_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// TestGuardedEntriesAreNotRead: a branch that is not taken adds nothing to the log density
// or its gradient, also where the entry that stands in for its index would add a NaN.
func TestGuardedEntriesAreNotRead(t *testing.T) {
	const values = `{"y": [2, 3, 5], "g": [-1, 1, 2]}`
	for _, c := range []struct {
		name, text string
		x          []float64
		density    float64
		gradient   []float64
	}{
		{name: "if", text: "for n in N { factor if g[n] < 0 then 7 else log(w[g[n]]) }",
			x: []float64{0, 2, 4}, density: 7 + math.Log(2) + math.Log(4),
			gradient: []float64{0, 0.5, 0.25}},
		{name: "branches the other way round",
			text: "for n in N { factor if g[n] >= 0 and true then log(w[g[n]]) else 7 }",
			x:    []float64{0, 2, 4}, density: 7 + math.Log(2) + math.Log(4),
			gradient: []float64{0, 0.5, 0.25}},
		{name: "within", text: "for n in N { factor if g[n] < 0 then 7 else (if n == 1 then 1 " +
			"else 2) * sqrt(w[g[n]]) }",
			x: []float64{0, 4, 16}, density: 7 + 2 + 8, gradient: []float64{0, 0.25, 0.25}},
		{name: "a function", text: "fn f(k : int, v : real[K]) -> real { log(v[k]) }\n" +
			"for n in N { factor if g[n] < 0 then 7 else f(g[n], w) }",
			x: []float64{0, 2, 4}, density: 7 + math.Log(2) + math.Log(4),
			gradient: []float64{0, 0.5, 0.25}},
		{name: "a lag", text: "for n in N { factor if n == 0 then 7 else log(w[n - 1]) }",
			x: []float64{1, 2, 0}, density: 7 + math.Log(1) + math.Log(2),
			gradient: []float64{1, 0.5, 0}},
		{name: "a lag of data",
			text: "for n in N { factor w[n + 0] * (if n == 0 then 7 else y[n - 1]) }",
			x:    []float64{1, 2, 3}, density: 7 + 4 + 9, gradient: []float64{7, 2, 3}},
		{name: "a slice",
			text: "for n in N { factor if n < 2 then 7 else sum(log(w[n - 1:n + 1])) }",
			x:    []float64{0, 2, 4}, density: 14 + math.Log(2) + math.Log(4),
			gradient: []float64{0, 0.5, 0.25}},
		{name: "a number", text: "factor if N > 5 then w[5] else w[1]^2",
			x: []float64{0, 2, 4}, density: 4, gradient: []float64{0, 4, 0}},
		{name: "and",
			text: "for n in N { factor if g[n] >= 0 and y[g[n]] > 4 then w[g[n]] else 7 }",
			x:    []float64{0, 2, 4}, density: 7 + 7 + 4, gradient: []float64{0, 0, 1}},
		{name: "or", text: "for n in N { factor if g[n] < 0 or y[g[n]] < 4 then 7 else w[g[n]] }",
			x: []float64{0, 2, 4}, density: 7 + 7 + 4, gradient: []float64{0, 0, 1}},
		{name: "a recurrence",
			text: "let h = scan n in N from k = 0.0 { if g[n] < 0 then k else k + w[g[n]] " +
				"}\nfactor h[N]",
			x: []float64{0, 2, 4}, density: 6, gradient: []float64{0, 1, 1}},
		{name: "a carried index",
			text: "let h = scan n in N from k = 0 { if k > 0 then k + g[k] - 2 else k + 1 " +
				"}\nfactor sum(if h[n] == 0 then 7 else w[h[n]] for n in N)",
			x: []float64{0, 2, 4}, density: 14 + 2, gradient: []float64{0, 1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "dim N\ndata y[N] : real\ndata g[N] : int\nparam w[3] : real\n" + c.text + "\n"
			m, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
			if m == nil {
				t.Fatalf("%s: %s", diags[0].Code, diags[0].Message)
			}
			path := filepath.Join(t.TempDir(), "d.json")
			if err := os.WriteFile(path, []byte(values), 0o666); err != nil {
				t.Fatal(err)
			}
			bound, _, errs := data.Bind(&m.Spec.Schema, []string{path}, nil, data.Options{})
			if len(errs) > 0 {
				t.Fatal(errs[0])
			}
			vm, err := m.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			gradient := make([]float64, 3)
			lp := vm.Evaluator(3).LogDensityGradient(c.x, nil, 1, 1, gradient)
			if !(math.Abs(lp-c.density) <= 1e-12) {
				t.Errorf("the log density is %v, want %v", lp, c.density)
			}
			for i, want := range c.gradient {
				if !(math.Abs(gradient[i]-want) <= 1e-12) {
					t.Errorf("entry %d of the gradient is %v, want %v", i, gradient[i], want)
				}
			}
		})
	}
}
