package main

import (
	"math"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A result is one run of a case: a line of the file that the page is made from.
type result struct {
	Case     string
	Seed     uint64
	Plan     tall.Plan
	Sampler  string // "minibatches" or "nuts"
	Why      string `json:",omitempty"` // nuts, or that there are no draws
	Attempts int    // besides the first

	SetUpSeconds, Seconds float64
	Draws                 int     // of each chain
	ESS, Rhat             float64 // the least, and the largest
	PerMillion            float64 // effective draws for 10⁶ rows of the coarse chains
	Verdict               string  // of the bias report
	BiasMean, BiasSD      float64 // what they are surely below
	NoiseGrowth           float64

	comparison
}

// A comparison is of the numbers and contrasts of draws with a truth.
type comparison struct {
	Truth string `json:",omitempty"`
	// The largest error of a mean, in standard
	// deviations, with its Monte Carlo error, which is the truth's too; what is left of the
	// errors beyond four of these; and the same of the logarithm of standard deviations.
	ErrMean, ErrMeanMC float64
	WorstMean          string `json:",omitempty"`
	BeyondMean         float64
	SDLow, SDHigh      float64
	SDErrorMC          float64 // of the worst
	WorstSD            string  `json:",omitempty"`
	BeyondSD           float64
	Outside            int // numbers whose standard deviation is off by more than 5 %
	Numbers            int
	Compared           bool
}

// right reports whether the draws are within what was asked for.
func (r *result) right() bool { return r.Compared && r.BeyondMean <= 0.1 && r.BeyondSD <= 0.05 }

// draws are the sink of a run: all numbers of all draws.
type draws struct {
	lock   sync.Mutex
	k      int
	chains [][]float64
}

func newDraws(k, chains int) *draws { return &draws{k: k, chains: make([][]float64, chains)} }

func (d *draws) Draw(chain int, _ int64, out []float64, _ *sampler.Stats) error {
	d.chains[chain] = append(d.chains[chain], out...)
	return nil
}
func (d *draws) Progress(sampler.Progress)    {}
func (d *draws) Checkpoint(int, []byte) error { return nil }
func (d *draws) Reserve(int64) error          { return nil }

// series are the values of a function of the draws, by chain.
func (d *draws) series(f func(draw []float64) float64) [][]float64 {
	out := make([][]float64, len(d.chains))
	for c, all := range d.chains {
		for at := 0; at < len(all); at += d.k {
			out[c] = append(out[c], f(all[at:at+d.k]))
		}
	}
	return out
}

// against compares the draws with the truth.
func (r *result) against(d *draws, want *truth, name func(at int) string) {
	r.Truth, r.Compared = want.How, true
	r.SDLow, r.SDHigh = math.Inf(1), 0
	worst := -1.0
	var w diagnose.Workspace
	compare := func(i int, name func() string, f func(draw []float64) float64) {
		if !(want.SD[i] > 0) {
			return
		}
		series := d.series(f)
		m := momentsOf(series)
		r.Numbers++
		mc := math.Hypot(1/math.Sqrt(w.ESSMean(series)), want.MeanErr[i])
		off := math.Abs(m.mean-want.Mean[i]) / want.SD[i]
		if off > r.ErrMean {
			r.ErrMean, r.ErrMeanMC, r.WorstMean = off, mc, name()
		}
		r.BeyondMean = max(r.BeyondMean, off-4*mc)
		q := m.sd / want.SD[i]
		r.SDLow, r.SDHigh = min(r.SDLow, q), max(r.SDHigh, q)
		if math.Abs(math.Log(q)) > 0.05 {
			r.Outside++
		}
		mc = math.Hypot(m.sdError(w.ESSSD(series)), want.SDErr[i])
		if math.Abs(math.Log(q)) > worst {
			worst, r.SDErrorMC, r.WorstSD = math.Abs(math.Log(q)), mc, name()
		}
		r.BeyondSD = max(r.BeyondSD, math.Abs(math.Log(q))-4*mc)
	}
	for i := range d.k {
		compare(i, func() string { return name(i) }, func(x []float64) float64 { return x[i] })
	}
	mean, sd := want.Mean[:d.k], want.SD[:d.k]
	for q := range len(want.Mean) - d.k {
		signs := signsOf(q, d.k)
		compare(d.k+q, func() string { return "a contrast" },
			func(x []float64) float64 { return contrast(signs, x, mean, sd) })
	}
}

// namesOf is the names of the numbers of a draw.
func namesOf(t target.Target) []string {
	var out []string
	for _, o := range t.Outputs() {
		v := trace.Variable{Name: o.Name, Shape: o.Shape}
		for _, name := range v.Elements() {
			out = append(out, name)
		}
	}
	return out
}
