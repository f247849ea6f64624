package typed

import (
	"context"
	"fmt"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// An Approximation selects the method of an approximate posterior and its settings. Zeros stand
// for defaults; the default method is pathfinder.
type Approximation struct {
	Method     string   // "laplace", "pathfinder", "advi" or "smc"
	Covariance string   // of laplace and advi: "dense", "diagonal" or "low-rank"
	Rank       int      // of low-rank
	Only       []string // of laplace: params that vary, while the others stay at the maximum
	Paths      int      // points at which the method begins
	Iterations int      // most steps of a climb, or of advi
	Samples    int      // draws by which an ELBO or its gradient is estimated
	Tolerance  float64  // of advi, in standard deviations
	Candidates int      // draws that are held against the density
	Resample   string   // "psis": draw again by the weights; "none": draws as they are
	// Accept keeps draws that cannot stand for the posterior; Exactness says so.
	Accept bool
}

// config is the configuration of an approximation with the settings of a run.
func (a *Approximation) config(s *Settings) approximate.Config {
	c := approximate.DefaultConfig()
	if a.Method != "" {
		c.Method = a.Method
	}
	if a.Resample != "" {
		c.Resample = a.Resample
	}
	c.Covariance, c.Rank, c.Only, c.Paths, c.Iterations = a.Covariance, a.Rank, a.Only, a.Paths,
		a.Iterations
	c.Samples, c.Tolerance, c.Candidates, c.Accept = a.Samples, a.Tolerance, int64(a.Candidates),
		a.Accept
	c.Chains, c.Draws, c.Seed, c.Batch, c.Init = s.Chains, s.Draws, s.Seed, s.Batch, s.Init
	c.InitRadius, c.PlainStart = s.InitRadius, s.PlainStart
	return c
}

// Approximate draws from an approximation, and holds the draws against the density. Of the
// settings it reads how many chains and draws there are, the seed, the start, the rows of a
// minibatch of advi, and the threads. Draws that cannot stand for the posterior are an error,
// unless they are accepted.
func Approximate(ctx context.Context, t target.Target, a Approximation, s Settings) (*Set, error) {
	if s.wrong != nil {
		return nil, s.wrong
	}
	c, err := a.config(&s).Resolve(t)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	var say func(string)
	if s.Progress != nil {
		say = func(words string) { s.Progress(Progress{SetUp: words}) }
	}
	r, err := approximate.Run(ctx, t, c, loop.Options{Threads: s.Threads}, say)
	if err != nil {
		return nil, err
	}
	x, _ := run.ExactnessOf(r)
	if x.Verdict == approximate.Off && !c.Accept {
		return nil, fmt.Errorf("the draws of %s cannot stand for the posterior: %s; Accept keeps them",
			c.Method, x.Why)
	}
	how := &made{settings: run.SettingsOf(c), approximation: &c, exactness: x, began: began,
		statistics: make([][]float64, c.Chains)}
	w, state := r.Drawer(), make([]float64, t.Dim())
	for k := range c.Chains {
		columns := run.NewStatistics(&how.settings, blocks(t))
		var stats sampler.Stats
		for i := range c.Draws {
			stats.LP, stats.LPEst, stats.Depth = w.Draw(k, i, state)
			how.statistics[k] = columns.Append(how.statistics[k], &stats)
		}
	}
	how.seconds = time.Since(began).Seconds()
	return &Set{draws: r.Collect(), how: how}, nil
}

// An Exactness says how near to the posterior draws are, and how that is known.
type Exactness = run.Exactness

// Exactness says how near to the posterior draws of an approximation are; nil of a sampler's.
func (s *Set) Exactness() *Exactness {
	if s.how.loaded != nil {
		return s.how.loaded.Exactness
	}
	return s.how.exactness
}
