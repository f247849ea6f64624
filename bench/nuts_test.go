package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sgppl/sgppl/bench/internal/eightschools"
	"github.com/sgppl/sgppl/bench/internal/radon"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/bench/peers/nuts/simulated"
	"github.com/sgppl/sgppl/runtime/base/team"
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

// The generated packages and the VM agree to the bit, for all rows and for rows in any order, some
// of them several times, and sufficient statistics with the sums over rows to rounding.
func TestHierarchies(t *testing.T) {
	all := map[string][]float64{}
	agree := func(name string, got []float64) {
		t.Helper()
		want := all[name]
		if want == nil {
			all[name] = got
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: the engines differ in %d: %v and %v", name, i, got[i], want[i])
			}
		}
	}
	for _, m := range hierarchies(t) {
		x, g := make([]float64, m.target.Dim()), make([]float64, m.target.Dim())
		for i := range x {
			x[i] = float64(i%5)/8 - 0.25
		}
		e := m.target.NewEvaluator(m.target.Rows())
		got := append(g, e.LogDensityGradient(x, nil, 1, 1, g))
		agree(m.name, got)
		if n := m.target.Rows(); n > 0 {
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			h := make([]float64, len(x))
			byRow := append(h, e.LogDensityGradient(x, rows, 1, 1, h))
			agree(m.name+" by row", byRow)
			for _, step := range []int{2, 7, 400} {
				for i := range rows {
					rows[i] = i * step % (n / 3)
				}
				h := make([]float64, len(x))
				agree(fmt.Sprintf("%s, every %dth row", m.name, step),
					append(h, e.LogDensityGradient(x, rows, 3, 1, h)))
				e.Gradient(x, rows, 3, 1, h)
				agree(fmt.Sprintf("%s, gradient alone, %d", m.name, step), h)
			}
			for i, want := range byRow {
				if d := got[i] - want; !(max(d, -d) <= 1e-11*max(1, want, -want)) {
					t.Errorf("%s: sufficient statistics give %v in %d, rows %v", m.name, got[i], i, want)
				}
			}
		}
	}
}

// TestGroupsInTurns: blocks of rows that several goroutines compute add to groups in turns, and the
// sums have the bits of one goroutine, which adds to them as it goes through the rows.
func TestGroupsInTurns(t *testing.T) {
	three := team.New(3, nil)
	defer three.Close()
	for _, m := range hierarchies(t) {
		n := m.target.Rows()
		if n == 0 {
			continue
		}
		rows := make([]int, 5*n)
		for i := range rows {
			rows[i] = i * i % n
		}
		x := make([]float64, m.target.Dim())
		for i := range x {
			x[i] = float64(i%5)/8 - 0.25
		}
		alone, shared := m.target.NewEvaluator(256), m.target.NewEvaluator(256)
		target.Share(shared, three)
		var out [2][]float64
		for i, e := range []target.Evaluator{alone, shared} {
			g := make([]float64, len(x))
			out[i] = append(g, e.LogDensityGradient(x, rows, 2, 1, g))
			e.Gradient(x, rows, 2, 1, g)
			out[i] = append(out[i], g...)
		}
		target.Share(shared, nil)
		if !slices.Equal(out[0], out[1]) {
			t.Errorf("%s: %v alone, %v in a team", m.engine, out[0], out[1])
		}
	}
}
