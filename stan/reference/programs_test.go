package reference

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/syntax"
	"github.com/sgppl/sgppl/stan/translate"
)

// TestPrograms does for the programs of a folder, with data beside them in files of the same names
// with .json, what TestCorpus does. The environment variable SGPPL_STAN_PROGRAMS names the folder.
func TestPrograms(t *testing.T) {
	dir := os.Getenv("SGPPL_STAN_PROGRAMS")
	if dir == "" {
		t.Skip("SGPPL_STAN_PROGRAMS names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.stan"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".stan"), func(t *testing.T) { agree(t, f) })
	}
}

// agree compares a program on its data with the interpreter, at points where Stan has a density.
func agree(t *testing.T, file string) {
	defer func() {
		if r := recover(); r != nil {
			if f, ok := r.(fault); ok {
				t.Fatal("interpreter: " + f.text)
			}
			stack := make([]byte, 4000)
			t.Fatalf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src := source.New(filepath.Base(file), string(program))
	path := strings.TrimSuffix(file, ".stan") + ".json"
	var list diag.List
	var draws recorder
	text, known, diags := stan.ModelFor(src, func() map[string]*translate.Given {
		return stan.ReadData([]string{path}, nil)
	}, draws.drawer, func(m *source.File) diag.List {
		_, more := driver.Compile(m, driver.Options{})
		list = append(list, more...)
		return more
	})
	if text == nil {
		t.Fatalf("refused:\n%s", shown(diags))
	}
	prog, _ := syntax.Parse(src)
	c, _ := driver.Compile(text, driver.Options{})
	if c == nil {
		t.Fatalf("does not compile:\n%s", shown(list))
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{path}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatalf("data: %v", errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatalf("bind: %v", err)
	}
	if m.Dim() == 0 {
		t.Skip("no parameters")
	}
	values := fileData(t, prog, path)
	e := m.Evaluator(0)
	reference := func(x []float64) float64 {
		return densityAt(prog, values, m, e, x, draws.drawn...)
	}
	ode := strings.Contains(string(program), "ode_") || strings.Contains(string(program), "dae(")
	r := rand.New(rand.NewPCG(1, 2))
	var points [][]float64
	var ours, theirs []float64
	scale := 1.0
	for k := 0; k < 60 && len(points) < 5; k++ {
		x := make([]float64, m.Dim())
		for i := range x {
			x[i] = (2*r.Float64() - 1) * 0.8 * math.Pow(0.93, float64(k))
		}
		a, b := e.LogDensity(x, nil, 1, 0), reference(x)
		if math.IsNaN(b) || math.IsInf(b, 0) {
			if !math.IsNaN(a) && !math.IsInf(a, 0) {
				t.Fatalf("wrong: Stan rejects a point, and the log density is %v", a)
			}
			continue
		}
		points, ours, theirs = append(points, x), append(ours, a), append(theirs, b)
		scale = max(scale, math.Abs(b))
	}
	if len(points) < 3 {
		t.Fatalf("few points: %d", len(points))
	}
	loose := tolerance
	if ode {
		loose = 1e-5
	}
	if strings.Contains(string(program), "_tol(") { // which the program chooses
		loose = 1e-3
	}
	worst := 0.0
	for i := range points {
		d := math.Abs((ours[i]-ours[0])-(theirs[i]-theirs[0])) / scale
		if !(d <= loose) {
			t.Fatalf("wrong density: differences %v and %v", ours[i]-ours[0], theirs[i]-theirs[0])
		}
		worst = max(worst, d)
	}
	if ours[1] == ours[0] {
		t.Fatal("constant: nothing is compared")
	}
	far := slopes(t, points[0], reference, func(x, g []float64) { e.Gradient(x, nil, 1, 0, g) }, loose)
	t.Logf("agrees: dim %d, for its data %v, density %.1e, gradient %.1e", m.Dim(), known, worst, far)
}

// slopes compares gradients with differences of the sixth order, for up to 60 coordinates.
func slopes(
	t *testing.T, x []float64, f func([]float64) float64, gradient func(x, g []float64), loose float64,
) (far float64) {
	g := make([]float64, len(x))
	gradient(x, g)
	scale := 1.0
	for _, v := range g {
		scale = max(scale, math.Abs(v))
	}
	scale = max(scale, 1e-2*math.Abs(f(x)))
	step := max(1, (len(x)+59)/60)
	for k := 0; k < len(x); k += step {
		at := func(h float64) float64 {
			y := append([]float64{}, x...)
			y[k] += h
			return f(y)
		}
		best := math.Inf(1)
		var d float64
		for _, h := range []float64{1e-3, 4e-3, 2e-4, 2e-2} {
			v := (45*(at(h)-at(-h)) - 9*(at(2*h)-at(-2*h)) + (at(3*h) - at(-3*h))) / (60 * h)
			if e := math.Abs(v-g[k]) / scale; e < best {
				best, d = e, v
			}
			if best <= loose {
				break
			}
		}
		if !(best <= loose) {
			t.Fatalf("wrong gradient: coordinate %d is %v, and %v by differences", k, g[k], d)
		}
		far = max(far, best)
	}
	return far
}

// fileData are the values that a file has for the data of a program.
func fileData(t *testing.T, prog *syntax.Program, path string) map[string]any {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]any{}
	if err := json.Unmarshal(text, &given); err != nil {
		t.Fatal(err)
	}
	for _, s := range prog.Data {
		if d, ok := s.(*syntax.Decl); ok && given[d.Name] == nil {
			fail("the data have no %s", d.Name)
		}
	}
	return invent(prog, given, nil)
}
