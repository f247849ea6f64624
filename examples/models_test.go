package examples_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestLayout: every model is as `sgppl fmt` prints it, and has no diagnostic,
// not even a note.
func TestLayout(t *testing.T) {
	for _, r := range recipes {
		src := read(t, r.model)
		file, m := driver.Check(src, driver.Options{})
		for _, d := range m.Diags {
			t.Errorf("%s: %s %s", r.model, d.Code, d.Message)
		}
		if p := ast.Print(file); p != src.Text {
			t.Errorf("%s is not in the one layout, which is:\n%s", r.model, p)
		}
		compile(t, r.model)
	}
}

// notSimulated are the models that have no law to draw their data from, with
// the code of the diagnostic; none where that is found when data are drawn.
var notSimulated = map[string]string{
	"double_well":         "E0712", // a factor
	"gaussian_mixture_1d": "E0712", // a factor
	"hidden_markov":       "E0712", // a factor
	"regimes":             "E0712", // a factor
	"autoregression":      "E0712", // a part of y is observed
	"volatility":          "E0712", // flat priors
}

// TestSimulate: every other model draws parameters and data that its own
// schema accepts, with a finite density.
func TestSimulate(t *testing.T) {
	for _, r := range recipes {
		t.Run(r.model, func(t *testing.T) {
			c := compile(t, r.model)
			g := &maker{src: rng.New(seed, 0, rng.Simulate).At(0)}
			if r.given != nil {
				r.given(g)
			}
			var sets []string
			for _, v := range g.values {
				if len(v.value.Shape) == 0 {
					sets = append(sets, fmt.Sprintf("%s=%g", v.name, v.value.F64[0]))
				}
			}
			for _, d := range c.Spec.Schema.Dims {
				if d.Default == nil && !isGiven(g, d.Name) {
					sets = append(sets, d.Name+"=7")
				}
			}
			out, diags, errs, err := driver.Simulate(read(t, r.model),
				driver.SimulateOptions{Sets: sets, Seed: seed})
			if code, ok := notSimulated[r.model]; ok {
				refused := len(diags) > 0 && string(diags[0].Code) == code ||
					code == "" && (err != nil || errs != nil)
				if out != nil || !refused {
					t.Errorf("simulated, or refused otherwise than by %s: %v", code, diags)
				}
				return
			}
			if err != nil || errs != nil || out == nil {
				t.Fatal(diags, errs, err)
			}
			file := filepath.Join(t.TempDir(), "data.json")
			if err := os.WriteFile(file, driver.JSON(out.Data), 0o644); err != nil {
				t.Fatal(err)
			}
			m := onVM(t, c, file)
			e := m.Evaluator(0)
			x := make([]float64, m.Dim())
			for i := range x {
				x[i] = 0.25 // the origin has no direction
			}
			if d := e.LogDensity(x, nil, 1, 1); math.IsNaN(d) {
				t.Errorf("the density at %v is %v", x, d)
			}
		})
	}
}

// TestGradient: the gradient is that of the density, over all rows and over
// some, with and without the Jacobian; the rows add up; parameters come back
// from their coordinates.
func TestGradient(t *testing.T) {
	for _, r := range recipes {
		t.Run(r.model, func(t *testing.T) {
			m := onVM(t, compile(t, r.model))
			e := m.Evaluator(16)
			src := rng.New(seed, 0, rng.Init).At(0)
			x := make([]float64, m.Dim())
			for range 3 {
				for i := range x {
					x[i] = 0.7 * src.Normal()
				}
				checkGradient(t, e, x, nil, 1, 1)
				if n := m.Rows(); n > 0 {
					rows := []int{n - 1, 1, n / 2, 3, 2}
					checkGradient(t, e, x, rows, float64(n)/5, 1)
					checkGradient(t, e, x, rows, 2.5, 0)
					checkRows(t, m, e, x)
				}
				checkRoundTrip(t, m, e, x)
			}
		})
	}
}

func checkGradient(
	t *testing.T, e *model.Evaluator, x []float64, rows []int, scale, jacobian float64,
) {
	t.Helper()
	g := make([]float64, len(x))
	e.Gradient(x, rows, scale, jacobian, g)
	at := func(i int, by float64) float64 {
		y := slices.Clone(x)
		y[i] += by
		return e.LogDensity(y, rows, scale, jacobian)
	}
	size := math.Abs(e.LogDensity(x, rows, scale, jacobian))
	if math.IsNaN(size) || math.IsInf(size, 0) {
		t.Fatalf("the density at %v is not finite", x)
	}
	for i := range x {
		// The five-point formula: the error is of order h⁴, and of rounding.
		const h = 1e-3
		want := (8*(at(i, h)-at(i, -h)) - (at(i, 2*h) - at(i, -2*h))) / (12 * h)
		if allowed := 1e-7*(math.Abs(want)+1) + 1e-12*size/h; !(math.Abs(g[i]-want) < allowed) {
			t.Errorf("coordinate %d of %v (rows %v): gradient %.12g, by differences %.12g", i, x,
				rows, g[i], want)
		}
	}
}

// checkRows: the density is that without rows and the sum of the rows'.
func checkRows(t *testing.T, m *model.Model, e *model.Evaluator, x []float64) {
	t.Helper()
	lik := make([]float64, m.Rows())
	e.LogLik(x, nil, lik)
	sum := e.LogDensity(x, nil, 0, 1)
	for _, l := range lik {
		sum += l
	}
	if full := e.LogDensity(x, nil, 1, 1); !(math.Abs(sum-full) < 1e-10*(1+math.Abs(full))) {
		t.Errorf("the rows add up to %.15g, the density is %.15g", sum, full)
	}
}

func checkRoundTrip(t *testing.T, m *model.Model, e *model.Evaluator, x []float64) {
	t.Helper()
	out, back := make([]float64, m.OutputLen()), make([]float64, len(x))
	e.Constrain(x, out)
	if err := e.Unconstrain(out, back); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if !(math.Abs(back[i]-x[i]) < 1e-9*(1+math.Abs(x[i]))) {
			t.Errorf("coordinate %d: %g came back as %g", i, x[i], back[i])
		}
	}
}
