package modeltest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestTeams: what evaluators compute does not depend on how many goroutines share it. It walks
// every model, with three blocks of rows, in both precisions.
func TestTeams(t *testing.T) {
	const rows = 2*model.BlockRows + 52
	three := team.New(3, nil)
	defer three.Close()
	texts := modelFiles(t)
	maps.Copy(texts, tricky)
	compared := 0
	for name, text := range texts {
		double := walkModel(text).Compiled
		if double == nil || double.Spec.RowDim == "" || double.Spec.Chain != nil || solvesOde(double) {
			continue
		}
		single := copied(double)
		if single.ToSingle() != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dims := sized(&double.Spec.Schema, double.Spec.RowDim, false)
			dims[double.Spec.RowDim] = rows
			if !small(double.Spec, dims, 64*rows) {
				return // arrays of rows by rows
			}
			m, bound, x := bindRandomData(t, double, dims, 1)
			if m == nil || m.Dim() == 0 || m.Dim() > 20*rows {
				return
			}
			m32, err := single.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			sameInTeam(t, m, x, three)
			sameInTeam(t, m32, x, three)
			compared++
		})
	}
	if compared < 30 {
		t.Errorf("only %d models were compared", compared)
	}
}

// small reports whether no array that a model reads or computes from data has more entries.
func small(s *model.Spec, dims map[string]int, most int) bool {
	for _, list := range [][]model.Datum{s.Data, s.Derived, s.Constants, s.StatisticData(),
		s.Totals} {
		for _, d := range list {
			n := 1
			for _, p := range d.Shape {
				k, _ := p.Eval(dims)
				n *= max(k, 1)
			}
			if n > most {
				return false
			}
		}
	}
	return true
}

// sameInTeam compares an evaluator alone with one that has a team.
func sameInTeam(t *testing.T, m *model.Model, x []float64, of *team.Team) {
	t.Helper()
	some := make([]int, m.Rows()-10)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range some {
		some[i] = r.IntN(m.Rows())
	}
	alone, shared := m.Evaluator(m.Rows()), m.Evaluator(m.Rows())
	shared.Share(of)
	defer shared.Share(nil)
	for range 2 { // the second time everything has been used
		for _, rows := range [][]int{nil, some} {
			all := m.Rows()
			if rows != nil {
				all = len(rows)
			}
			var out [2][][]float64
			for i, e := range []*model.Evaluator{alone, shared} {
				g, h, lik := make([]float64, m.Dim()), make([]float64, m.Dim()), make([]float64, all)
				e.Gradient(x, rows, 1.5, 1, g)
				f := e.LogDensityGradient(x, rows, 1.5, 1, h)
				e.LogLik(x, rows, lik)
				out[i] = [][]float64{g, {f, e.LogDensity(x, rows, 1.5, 1)}, h, lik}
			}
			for k, what := range []string{"gradient", "densities", "gradient and density",
				"likelihoods"} {
				if !slices.Equal(bitsOf(out[0][k]), bitsOf(out[1][k])) {
					t.Errorf("%s of %d rows (single: %v): %v alone, %v in a team", what, all,
						m.Spec.Single, head(out[0][k]), head(out[1][k]))
				}
			}
		}
	}
}

func head(x []float64) []float64 { return x[:min(len(x), 5)] }

// TestThreadsOfAChain: the draws of a chain do not depend on the number of threads, which share its
// full passes, its large minibatches, the products of a network, and the update of a long state.
func TestThreadsOfAChain(t *testing.T) {
	const network = "dim N, P, H, K\ndata x[N, P] : real\ndata y[N] : index[K]\n" +
		"param W[P, H] : real ~ normal(0, 1)\nparam V[H, K] : real ~ normal(0, 1)\n" +
		"for n in N { y[n] ~ categorical_logit(relu(x[n] @ W) @ V) }\n"
	for name, c := range map[string]struct {
		text   string
		dims   map[string]int
		single bool
		set    sampler.Config
	}{
		"nuts on dense rows": {
			text: "dim N, P\ndata x[N, P] : real\ndata y[N] : real\nparam w[P] : real ~ normal(0, 1)\n" +
				"param s : positive ~ lognormal(0, 1)\n" +
				"for n in N { y[n] ~ student_t(4, x[n] @ w, s) }\n",
			dims: map[string]int{"N": 5000, "P": 8},
			set:  chainOf("nuts", 40, 10, 0)},
		"hierarchy": {
			text: "dim N, G\ndata g[N] : index[G]\ndata x[N] : real\ndata y[N] : bool\n" +
				"param m : real ~ normal(0, 1)\nparam s : positive ~ lognormal(0, 1)\n" +
				"param a[G] : real ~ normal(m, s)\nparam b[G] : real ~ normal(0, 1)\n" +
				"for n in N { y[n] ~ bernoulli_logit(a[g[n]] + b[g[n]] * x[n]) }\n",
			dims: map[string]int{"N": 6000, "G": 11},
			set:  chainOf("nuts", 30, 5, 0)},
		"large batch": {
			text: "dim N, P\ndata x[N, P] : real\ndata y[N] : real\nparam w[P] : real ~ normal(0, 1)\n" +
				"for n in N { y[n] ~ student_t(4, x[n] @ w, 1) }\n",
			dims: map[string]int{"N": 9000, "P": 6},
			set:  chainOf("sghmc", 20, 20, 4000)},
		"network": {text: network, dims: map[string]int{"N": 300, "P": 700, "H": 60, "K": 5},
			set: chainOf("msgnht", 4, 12, 100)},
		"network in single precision": {text: network, single: true,
			dims: map[string]int{"N": 300, "P": 700, "H": 60, "K": 5},
			set:  chainOf("msgnht", 4, 12, 100)},
		"sparse network": {text: strings.Replace(network, "x[N, P] : real", "x[N, P] : sparse real", 1),
			dims: map[string]int{"N": 300, "P": 700, "H": 80, "K": 5},
			set:  chainOf("sgld", 4, 12, 100)},
	} {
		t.Run(name, func(t *testing.T) {
			of, diags := driver.Compile(source.New("m.sg", c.text), driver.Options{})
			if of == nil {
				t.Fatal(diags)
			}
			if c.single {
				if err := of.ToSingle(); err != nil {
					t.Fatal(err)
				}
			}
			bound := randomData(&of.Spec.Schema, c.dims, rand.New(rand.NewPCG(3, 4)))
			m, err := of.VM(bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			var want []uint64
			for _, threads := range []int{1, 2, 5} {
				got := draws(t, m, c.set, threads)
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d threads have other draws than one", threads)
				}
			}
		})
	}
}

// chainOf has the settings of one chain; batch 0: full passes.
func chainOf(kind string, warmup, draws int64, batch int) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Draws, c.Batch = kind, 1, warmup, draws, batch
	if batch > 0 {
		c.Step = 1e-5
	}
	return c
}

// A bitSink keeps the bits of draws.
type bitSink struct{ bits []uint64 }

func (s *bitSink) Draw(_ int, _ int64, out []float64, _ *sampler.Stats) error {
	s.bits = append(s.bits, bitsOf(out)...)
	return nil
}
func (s *bitSink) Progress(sampler.Progress)    {}
func (s *bitSink) Checkpoint(int, []byte) error { return nil }

func draws(t *testing.T, m *model.Model, c sampler.Config, threads int) []uint64 {
	t.Helper()
	s := &bitSink{}
	if _, err := sampler.Run(context.Background(), m, c, s,
		sampler.RunOptions{Threads: threads}); err != nil {
		t.Fatal(fmt.Sprint(threads, " threads: ", err))
	}
	if len(s.bits) == 0 {
		t.Fatal("no draws")
	}
	return s.bits
}

func bitsOf(x []float64) []uint64 {
	out := make([]uint64, len(x))
	for i, v := range x {
		out[i] = math.Float64bits(v)
	}
	return out
}
