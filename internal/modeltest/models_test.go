package modeltest

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// root is the repository's directory.
func root(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
	}
}

// modelFiles lists the example models and, where present, the shared ones.
func modelFiles(t *testing.T) map[string]string {
	dir := root(t)
	shared, _ := reference.Dir()
	out := map[string]string{}
	for kind, glob := range map[string]string{"example ": filepath.Join(dir, "examples", "models",
		"*.sg"), "": filepath.Join(shared, "models", "*.sg")} {
		files, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out[kind+filepath.Base(f)] = string(text)
		}
	}
	return out
}

// sized gives the dims of a model numbers: all different, or all equal.
func sized(s *data.Schema, row string, equal bool) map[string]int {
	dims := map[string]int{}
	for i, d := range s.Dims {
		switch {
		case equal:
			dims[d.Name] = 3
		case d.Name == row || d.Name == "N" || d.Name == "T":
			dims[d.Name] = 7
		default:
			// the rows of a Stiefel matrix, before its columns, are more
			dims[d.Name] = 1 + len(s.Dims) - i
		}
	}
	return dims
}

// bindRandom makes a target of a model and random data, and a point where its
// density is finite; nil where none is found.
func bindRandom(
	t *testing.T, c *driver.Compiled, dims map[string]int, seed uint64,
) (*model.Model, []float64) {
	t.Helper()
	m, _, x := bindRandomData(t, c, dims, seed)
	return m, x
}

// bindRandomData is bindRandom, and gives the data too.
func bindRandomData(
	t *testing.T, c *driver.Compiled, dims map[string]int, seed uint64,
) (*model.Model, *data.Bound, []float64) {
	t.Helper()
	for try := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, try))
		bound := randomData(&c.Spec.Schema, dims, r)
		for _, c := range c.Spec.Checks {
			if v := bound.Values[c.Text]; v != nil && c.Rule != "" { // the times of an ode
				for i, x := range v.F64 {
					v.F64[i] = math.Abs(x)
				}
				slices.Sort(v.F64)
			}
		}
		m, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, m.Dim())
		for i := range x {
			x[i] = 0.5 * r.NormFloat64()
		}
		if f := m.Evaluator(0).LogDensity(x, nil, 1, 1); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return m, bound, x
		}
	}
	return nil, nil, nil
}

// Every model that compiles: gradient against differences of the density,
// minibatches, charts, per-row likelihood, no allocation.
func TestModels(t *testing.T) {
	compiled := 0
	check := func(name, text string) {
		t.Run(name, func(t *testing.T) {
			w := walkModel(text)
			c := w.Compiled
			if c == nil {
				if _, own := tricky[name]; own {
					t.Fatal(w.diags[0].Message)
				}
				t.Skip(w.diags[0].Message)
			}
			compiled++
			if c.Spec.Chain != nil {
				t.Skip("a chain draws its locals, so gradients are estimates: internal/driver " +
					"holds them against exact posteriors")
			}
			checkDerived(t, c)
			for _, equal := range []bool{false, true} {
				m, x := bindRandom(t, c, sized(&c.Spec.Schema, c.Spec.RowDim, equal), 1)
				if m == nil {
					t.Error("no random data with a finite density")
					continue
				}
				checkGradient(t, m, x)
				checkRows(t, m, x)
				checkDifference(t, m, x)
				checkChart(t, m, x)
				checkAllocations(t, m, x)
			}
		})
	}
	for name, text := range modelFiles(t) {
		if strings.Contains(text, "Conv2d(32, 64, 5)") {
			continue // a full LeNet: windows_test.go has small ones
		}
		check(name, text)
	}
	for name, text := range tricky {
		check(name, text)
	}
	if compiled < len(tricky)+10 {
		t.Errorf("only %d models compiled", compiled)
	}
}

// narrow makes networks small.
func narrow(text string) map[string]float64 {
	if strings.Contains(text, "const H ") {
		return map[string]float64{"H": 4}
	}
	return nil
}

func near(x, y, tol float64) bool { return math.Abs(x-y) <= tol*(1+math.Abs(x)+math.Abs(y)) }

func checkGradient(t *testing.T, m *model.Model, x []float64) {
	t.Helper()
	e := m.Evaluator(0)
	g := make([]float64, len(x))
	for _, jacobian := range []float64{1, 0} {
		e.Gradient(x, nil, 1, jacobian, g)
		for k := range min(len(x), 30) {
			i := k * len(x) / min(len(x), 30)
			ok, want, v := false, 0.0, x[i]
			for _, h := range []float64{1e-5, 1e-4, 1e-3} {
				x[i] = v + h
				up := e.LogDensity(x, nil, 1, jacobian)
				x[i] = v - h
				want = (up - e.LogDensity(x, nil, 1, jacobian)) / (2 * h)
				x[i] = v
				ok = ok || near(g[i], want, math.Max(2e-6, h/20))
			}
			if !ok {
				t.Errorf("gradient[%d] = %v, differences give %v", i, g[i], want)
			}
		}
	}
}

// checkRows: the gradient is the prior's and a sum over the rows, in whatever
// blocks they come.
func checkRows(t *testing.T, m *model.Model, x []float64) {
	t.Helper()
	n := m.Rows()
	if n == 0 {
		return
	}
	full, part, mean := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	e := m.Evaluator(2)
	e.Gradient(x, nil, 1, 1, full)
	for r := range n {
		e.Gradient(x, []int{r}, float64(n), 1, part)
		for i, v := range part {
			mean[i] += v / float64(n)
		}
	}
	all := rand.New(rand.NewPCG(3, 4)).Perm(n) // blocks of 2, the last perhaps of 1
	e.Gradient(x, all, 1, 1, part)
	for i := range full {
		if !near(mean[i], full[i], 1e-9) {
			t.Errorf("gradient[%d] = %v, the mean over single rows is %v", i, full[i], mean[i])
		}
		if !near(part[i], full[i], 1e-9) {
			t.Errorf("gradient[%d] = %v, in blocks of two %v", i, full[i], part[i])
		}
	}
	loglik := make([]float64, n)
	e.LogLik(x, nil, loglik)
	sum := e.LogDensity(x, nil, 0, 1)
	for _, v := range loglik {
		sum += v
	}
	if f := e.LogDensity(x, nil, 1, 1); !near(f, sum, 1e-10) {
		t.Errorf("the log density is %v, its parts sum to %v", f, sum)
	}
	back := make([]float64, n)
	e.LogLik(x, all, back)
	for i, r := range all {
		if !near(back[i], loglik[r], 1e-12) {
			t.Errorf("row %d has log likelihood %v in the full pass, %v by index", r,
				loglik[r], back[i])
		}
	}
}

func checkChart(t *testing.T, m *model.Model, x []float64) {
	t.Helper()
	e := m.Evaluator(0)
	out, back := make([]float64, m.OutputLen()), make([]float64, len(x))
	e.Constrain(x, out)
	if err := e.Unconstrain(out, back); err != nil {
		t.Error(err)
	}
	for i := range x {
		if !near(x[i], back[i], 1e-8) {
			t.Errorf("coordinate %d = %v comes back as %v", i, x[i], back[i])
		}
	}
}

func checkAllocations(t *testing.T, m *model.Model, x []float64) {
	t.Helper()
	g := make([]float64, len(x))
	var rows []int
	if m.Rows() > 0 {
		rows = []int{0, m.Rows() - 1}
	}
	e := m.Evaluator(2)
	calls := map[string]func(){
		"Gradient":         func() { e.Gradient(x, rows, 1, 1, g) },
		"Gradient in full": func() { e.Gradient(x, nil, 1, 1, g) },
		"LogDensity":       func() { e.LogDensity(x, rows, 1, 1) },
	}
	if d, ok := target.DifferenceOf(e); ok {
		twice, weights := append(rows, rows...), []float64{1, 2, 3, 4}
		calls["Difference"] = func() { d.Difference(x, x, twice, weights, 1, g) }
	}
	for what, f := range calls {
		if n := testing.AllocsPerRun(5, f); n > 0 {
			t.Errorf("%s allocates %v times a call", what, n)
		}
	}
}
