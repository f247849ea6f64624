package calibrate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A Study is simulation-based calibration (Talts, Betancourt, Simpson, Vehtari
// and Gelman 2018): unknowns and data are drawn from the model, the posterior of
// the data is sampled, and the rank of every unknown among its draws is noted.
// Where model and sampler agree, ranks are uniform. Quantities that read the
// data, such as the log likelihood, see faults that the unknowns alone do not
// (Modrák, Moon, Kim, Bürkner, Huurre, Faltejsková, Gelman and Vehtari 2023).
type Study struct {
	Quantities   []string
	Replications int
	Draws        int // L: ranks are 0 … L
	Seed         uint64
	Threads      int // at once; 0: as many as there are processors
	// Replicate does replication r: the quantities of the prior draw, and those
	// of Draws posterior draws, each a slice by quantity. It is called by several
	// goroutines, and its result must depend on r alone.
	Replicate func(ctx context.Context, r int) (*Replicate, error)
	// Progress, when not nil, is told how many are done, by one goroutine at a time.
	Progress func(done int)
}

// A Replicate is one replication of a study.
type Replicate struct {
	Truth []float64
	Draws [][]float64
	Chain ChainReport
}

// A ChainReport is of the chain of one replication.
type ChainReport struct {
	Iterations  int64   // after the warm-up
	ESS         float64 // the least of all quantities
	Divergences int
	Short       bool // the effective sample size asked for was not reached
}

// Ranks of a study, by quantity and replication. Failed replications have none.
type Ranks struct {
	Ranks  [][]int
	Ties   []int // by quantity: draws that were equal to the truth
	Chains []ChainReport
	Failed []error // by replication; nil for those that went well
	Done   int     // replications that went well
}

// Run does all replications. Ranks do not depend on the number of threads. On
// cancellation the error is that of ctx.
func (s *Study) Run(ctx context.Context) (*Ranks, error) {
	reps := make([]*Replicate, s.Replications)
	out := &Ranks{Failed: make([]error, s.Replications), Ties: make([]int, len(s.Quantities))}
	threads := s.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range min(threads, s.Replications) {
		wg.Go(func() {
			for r := range next {
				if ctx.Err() != nil {
					continue
				}
				rep, err := s.Replicate(ctx, r)
				if err == nil {
					err = s.check(rep)
				}
				reps[r], out.Failed[r] = rep, err
				lock.Lock()
				done++
				if s.Progress != nil && ctx.Err() == nil {
					s.Progress(done)
				}
				lock.Unlock()
			}
		})
	}
	for r := range s.Replications {
		next <- r
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.Ranks = make([][]int, len(s.Quantities))
	for r, rep := range reps {
		if out.Failed[r] != nil {
			continue
		}
		out.Done++
		out.Chains = append(out.Chains, rep.Chain)
		src := rng.New(s.Seed, r, purposeTies).At(0)
		for q := range s.Quantities {
			below, same := 0, 0
			for _, d := range rep.Draws {
				switch {
				case d[q] < rep.Truth[q]:
					below++
				case d[q] == rep.Truth[q]:
					same++
				}
			}
			out.Ties[q] += same
			if same > 0 { // the truth is anywhere among its equals
				below += src.IntN(same + 1)
			}
			out.Ranks[q] = append(out.Ranks[q], below)
		}
	}
	return out, nil
}

// check refuses quantities that have no rank.
func (s *Study) check(r *Replicate) error {
	if len(r.Draws) != s.Draws {
		panic(fmt.Sprintf("calibrate: %d draws where %d were asked for", len(r.Draws), s.Draws))
	}
	for q, name := range s.Quantities {
		if math.IsNaN(r.Truth[q]) {
			return fmt.Errorf("%s is NaN at the prior draw", name)
		}
		for _, d := range r.Draws {
			if math.IsNaN(d[q]) {
				return fmt.Errorf("%s is NaN in a posterior draw", name)
			}
		}
	}
	return nil
}

// Streams of this package, apart from those that package rng numbers.
const (
	purposeTies rng.Purpose = 1<<17 + iota
	purposeSeeds
	purposePoints
)

// judge tests the ranks of every quantity. The family-wise error rate over all
// of them is 1 − coverage: each has the band of coverage 1 − (1 − coverage)/Q,
// after Bonferroni.
func (r *Ranks) judge(s *Study, coverage float64) Calibration {
	out := Calibration{Replications: r.Done, Asked: s.Replications, Draws: s.Draws,
		Coverage: Float(coverage), Quantities: []Quantity{}, Constant: []string{},
		Failures: []Failure{}}
	for i, err := range r.Failed {
		if err != nil {
			out.Failures = append(out.Failures, Failure{Replication: i, Error: err.Error()})
		}
	}
	var kept []int
	for q, name := range s.Quantities {
		if r.Done > 0 && r.Ties[q] == r.Done*s.Draws {
			out.Constant = append(out.Constant, name)
		} else {
			kept = append(kept, q)
		}
	}
	least := math.Inf(1)
	for _, c := range r.Chains {
		least = min(least, c.ESS)
		out.Divergences += c.Divergences
		out.Iterations += c.Iterations
		if c.Short {
			out.Short++
		}
	}
	out.ESS = Float(least)
	if r.Done == 0 || len(kept) == 0 {
		out.Verdict = verdict(len(out.Failures) == 0)
		return out
	}
	each := 1 - (1-coverage)/float64(len(kept))
	band := diagnose.NewRankBand(r.Done, s.Draws+1, each)
	test := diagnose.NewRankTest(r.Done, s.Draws+1)
	out.Each = Float(each)
	good := len(out.Failures) == 0
	for _, q := range kept {
		inside := band.Inside(r.Ranks[q])
		good = good && inside
		v := Quantity{Name: s.Quantities[q], P: Float(test.P(r.Ranks[q])), Inside: inside,
			Ranks: r.Ranks[q]}
		v.Histogram = diagnose.RankHistogram(r.Ranks[q], s.Draws+1, min(histogramBins, s.Draws+1))
		if !inside {
			v.Shape = shape(r.Ranks[q], s.Draws)
		}
		out.Quantities = append(out.Quantities, v)
	}
	out.Verdict = verdict(good)
	return out
}

const histogramBins = 20

// shape says what ranks outside their band look like, by their mean and spread:
// those of uniform ranks scaled to (0, 1) are 1/2 and 1/12.
func shape(ranks []int, draws int) string {
	var mean, square float64
	n := float64(len(ranks))
	for _, r := range ranks {
		u := (float64(r) + 0.5) / float64(draws+1)
		mean += u / n
		square += float64((u-0.5)*(u-0.5)) / n
	}
	switch se := math.Sqrt(1 / (12 * n)); {
	case mean > 0.5+4*se:
		return "draws are too low: the truth ranks high among them"
	case mean < 0.5-4*se:
		return "draws are too high: the truth ranks low among them"
	case square > 1.0/12:
		return "draws are too narrow: the truth lies outside them too often"
	}
	return "draws are too wide: the truth lies in their middle too often"
}
