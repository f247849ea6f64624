package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl/bench/internal/eightschools"
	"github.com/sgppl/sgppl/bench/internal/radon"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/bench/peers/nuts/simulated"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// bindVM compiles a model and binds it to a file.
func bindVM(t testing.TB, path, file string) target.Target {
	t.Helper()
	c := compile(t, path)
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{file}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A hierarchy is a small model by the generated package and by the VM.
type hierarchy struct {
	name, engine string
	target       target.Target
}

// hierarchies are eight schools and the radon-shaped model of 919 rows.
func hierarchies(t testing.TB) []hierarchy {
	t.Helper()
	schools, err := eightschools.New(eightschools.Data{
		Y:     []float64{28, 8, -3, 7, -1, 1, 18, 12}, // those of the file
		Sigma: []float64{15, 10, 16, 11, 9, 11, 10, 18},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := simulated.Radon()
	houses, err := radon.New(radon.Data{J: r.J, County: r.County, X: r.X, Y: r.Y})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "radon.json")
	if err := os.WriteFile(file, r.JSON(), 0o666); err != nil {
		t.Fatal(err)
	}
	return []hierarchy{
		{"schools", "generated", schools.Target()},
		{"schools", "vm", bindVM(t, schoolsModel, "../examples/models/eight_schools.json")},
		{"radon", "generated", houses.Target()},
		{"radon", "vm", bindVM(t, radonModel, file)},
	}
}

// BenchmarkNuts is a leapfrog step of nuts with all that a run has, after a
// warm-up; an evaluation of the density with its gradient alone; and, of the
// radon-shaped model, one over the rows instead of sufficient statistics. Times are processor time.
func BenchmarkNuts(b *testing.B) {
	for _, m := range hierarchies(b) {
		gradient := func(rows []int) func(b *testing.B) {
			return func(b *testing.B) {
				e := m.target.NewEvaluator(len(rows))
				x, g := make([]float64, m.target.Dim()), make([]float64, m.target.Dim())
				begun := training.CPUTime()
				for range b.N {
					e.LogDensityGradient(x, rows, 1, 1, g)
				}
				reportEach(b, begun, b.N)
			}
		}
		b.Run(fmt.Sprintf("%s/gradient/%s", m.name, m.engine), gradient(nil))
		if n := m.target.Rows(); n > 0 {
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			b.Run(fmt.Sprintf("%s/gradient-by-row/%s", m.name, m.engine), gradient(rows))
		}
		b.Run(fmt.Sprintf("%s/leapfrog/%s", m.name, m.engine), func(b *testing.B) {
			c := sampler.DefaultConfig()
			c.Sampler = "nuts"
			c.Draws = 1 << 40
			chain, err := sampler.NewChain(m.target, c, 0)
			if err != nil {
				b.Fatal(err)
			}
			step := func() int {
				if err := chain.Step(); err != nil {
					b.Fatal(err)
				}
				return chain.Stats().Leapfrogs
			}
			for range c.Warmup {
				step()
			}
			b.ResetTimer()
			begun, n := training.CPUTime(), 0
			for n < b.N {
				n += step()
			}
			reportEach(b, begun, n)
		})
	}
}

// reportEach reports the processor time of each of n calls since a time.
func reportEach(b *testing.B, begun time.Duration, n int) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(training.CPUTime()-begun)/float64(n), "ns")
}

// The generated packages and the VM agree to the bit, and sufficient
// statistics with the sums over rows to rounding.
func TestHierarchies(t *testing.T) {
	all := map[string][]float64{}
	for _, m := range hierarchies(t) {
		x, g := make([]float64, m.target.Dim()), make([]float64, m.target.Dim())
		for i := range x {
			x[i] = float64(i%5)/8 - 0.25
		}
		e := m.target.NewEvaluator(m.target.Rows())
		got := append(g, e.LogDensityGradient(x, nil, 1, 1, g))
		if want := all[m.name]; want == nil {
			all[m.name] = got
		} else {
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s: the engines differ in %d: %v and %v", m.name, i, got[i], want[i])
				}
			}
		}
		if n := m.target.Rows(); n > 0 {
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			h := make([]float64, len(x))
			for i, want := range append(h, e.LogDensityGradient(x, rows, 1, 1, h)) {
				if d := got[i] - want; !(max(d, -d) <= 1e-11*max(1, want, -want)) {
					t.Errorf("%s: sufficient statistics give %v in %d, rows %v", m.name, got[i], i, want)
				}
			}
		}
	}
}
