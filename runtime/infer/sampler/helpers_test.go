package sampler

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// config is a run of one chain on full gradients.
func config(sampler, scheme string, h float64) settings.Config {
	c := settings.DefaultConfig()
	c.Sampler, c.Scheme, c.Step = sampler, scheme, h
	c.Chains, c.FullBatch = 1, true
	return c
}

// eachSampler calls f for every sampler and scheme of the table that takes
// stochastic gradients; those with a Metropolis test or a space of
// their own have tests of their own.
func eachSampler(f func(row *table.Row, scheme string)) {
	for i := range table.Table {
		if table.Table[i].Exact() || table.Table[i].Space != "" {
			continue
		}
		for _, s := range table.Table[i].Schemes {
			f(&table.Table[i], s.Name)
		}
	}
}

func mustChain(t testing.TB, g target.Target, c settings.Config, number int) *Chain {
	t.Helper()
	ch, err := NewChain(g, c, number)
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func mustSteps(t testing.TB, c *Chain, n int) {
	t.Helper()
	for range n {
		if err := c.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// variances of a Gaussian target in d dimensions, from ½ to 2.
func variances(d int) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = 0.5 + 1.5*float64(i)/float64(max(d-1, 1))
	}
	return v
}

// recorder is a sink that keeps everything.
type recorder struct {
	mu          sync.Mutex
	draws       map[int][][]float64
	index       map[int][]int64
	stats       map[int][]Stats
	checkpoints map[int][][]byte
	progress    []Progress
	onDraw      func(chain int, index int64) error
}

func newRecorder() *recorder {
	return &recorder{draws: map[int][][]float64{}, index: map[int][]int64{},
		stats: map[int][]Stats{}, checkpoints: map[int][][]byte{}}
}

func (r *recorder) Draw(chain int, index int64, out []float64, stats *Stats) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := *stats
	s.Kinetic, s.Xi = slices.Clone(s.Kinetic), slices.Clone(s.Xi)
	r.draws[chain] = append(r.draws[chain], slices.Clone(out))
	r.index[chain] = append(r.index[chain], index)
	r.stats[chain] = append(r.stats[chain], s)
	if r.onDraw != nil {
		return r.onDraw(chain, index)
	}
	return nil
}

func (r *recorder) Progress(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress = append(r.progress, p)
}

func (r *recorder) Checkpoint(chain int, state []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checkpoints[chain] = append(r.checkpoints[chain], slices.Clone(state))
	return nil
}

func (r *recorder) last(chain int) []byte {
	c := r.checkpoints[chain]
	return c[len(c)-1]
}

func mustRun(t testing.TB, g target.Target, c settings.Config, threads int) *recorder {
	t.Helper()
	r := newRecorder()
	if _, err := Run(context.Background(), g, c, r, RunOptions{Threads: threads}); err != nil {
		t.Fatal(err)
	}
	return r
}

func bitsEqual(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func sameDraws(a, b [][]float64) bool { return slices.EqualFunc(a, b, bitsEqual) }
