package surrogate

import (
	"context"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

const (
	// LeastShare is the least effective share of draws that stand for the posterior.
	LeastShare = 0.3
	// againShare is the share from which more rows are tried, once, againTimes as many.
	againShare, againTimes = 0.05, 4
	// leastAccepted is the least mean acceptance of proposals that are told to correct.
	leastAccepted = 0.1
)

// An Exactness says how near to the posterior draws are, and how that is known.
type Exactness struct {
	// "exact", "checked", "corrected", "approximate" or "refused"
	Kind      string  `json:"kind"`
	K         float64 `json:"k,omitempty"`   // Pareto k of the ratios
	Effective float64 `json:"ess,omitempty"` // effective number of the weights
	Draws     int     `json:"draws,omitempty"`
	SD        float64 `json:"sd_log_ratio,omitempty"`
	Rows      int     `json:"rows,omitempty"` // taken as they are
	Passes    int     `json:"passes"`         // over all rows
	// the most that weights move a mean, in standard deviations
	Moved    float64 `json:"moved,omitempty"`
	Rounds   int     `json:"rounds,omitempty"`
	Accepted float64 `json:"accepted,omitempty"`      // of the proposals of the rounds
	All      int64   `json:"all_rows,omitempty"`      // of an exact run of shards
	Sums     int     `json:"sums,omitempty"`          // by which rows enter there
	Distinct int     `json:"distinct,omitempty"`      // different rows, by which they enter there
	Shards   int     `json:"shards,omitempty"`        // 0: rows were not in shards
	Parts    int     `json:"subposteriors,omitempty"` // of a combination; 0 of a surrogate
	// Combined is how subposteriors were combined; "" of a surrogate.
	Combined Combination `json:"combined,omitempty"`
	// Method is that of an approximation; "" of a surrogate. The others are of these alone:
	// the most that weights move a logarithm of a standard deviation, whether draws were drawn
	// again by their weights, what speaks against the draws, and what the method found.
	Method    string   `json:"method,omitempty"`
	Wider     float64  `json:"moved_log_sd,omitempty"`
	Resampled bool     `json:"resampled,omitempty"`
	Verdict   string   `json:"verdict,omitempty"`
	Why       string   `json:"why,omitempty"`
	Says      []string `json:"says,omitempty"`
	LogMass   float64  `json:"log_mass,omitempty"` // of the density, by the ratios
	ELBO      float64  `json:"elbo,omitempty"`     // mean of the log ratios
	Gradients int      `json:"gradients,omitempty"`
	// Tempering says how the runs of smc went; nil of all others.
	Tempering *approximate.Tempering `json:"tempering,omitempty"`
}

// Good reports whether weighted draws can stand for the posterior.
func (x *Exactness) Good() bool {
	return x.K <= diagnose.KThreshold(x.Draws) && x.Effective >= LeastShare*float64(x.Draws)
}

// String is a line of words.
func (x *Exactness) String() string {
	if x.Method != "" {
		return x.approximation()
	}
	switch x.Kind {
	case "exact":
		if x.Distinct > 0 {
			return fmt.Sprintf("exact: %d rows enter as %d different ones, each with a weight, counted in "+
				"%s over %d shards; nuts on them is nuts on all rows, to rounding", x.All, x.Distinct,
				passWords(x.Passes), x.Shards)
		}
		return fmt.Sprintf("exact: %d rows enter by %d sums, computed in %s over %d shards; nuts on "+
			"them is nuts on all rows, to rounding", x.All, x.Sums, passWords(x.Passes), x.Shards)
	case "approximate":
		return fmt.Sprintf("approximate: draws of %s, held against all rows in one pass: "+
			"k %.2f, %.0f effective of %d, and taken nevertheless. Do not report standard "+
			"deviations from them", x.what(), x.K, x.Effective, x.Draws)
	case "checked":
		return fmt.Sprintf("checked: draws of %s, held against all rows in one pass: "+
			"k %.2f, %.0f effective of %d; draws are drawn again by their weights, which move "+
			"no mean by more than %.2g sd", x.what(), x.K, x.Effective, x.Draws, x.Moved)
	case "corrected":
		return fmt.Sprintf("corrected: %d rounds of proposals by a surrogate, tested against all "+
			"rows, %.0f %% accepted; before, k was %.2f with %.0f effective of %d", x.Rounds,
			100*x.Accepted, x.K, x.Effective, x.Draws)
	}
	what := "the surrogate"
	if x.Parts > 0 {
		what = x.what()
	}
	return fmt.Sprintf("refused: %.0f %% effective of %d (k %.2f), so these are draws of %s and not "+
		"of the posterior", 100*x.Effective/float64(max(x.Draws, 1)), x.Draws, x.K, what)
}

// approximation is the line of an approximation.
func (x *Exactness) approximation() string {
	s := fmt.Sprintf("approximate: draws of %s, held against the density: k %.2f, "+
		"%.0f effective of %d",
		x.Method, x.K, x.Effective, x.Draws)
	if x.Resampled {
		s += "; draws are drawn again by their weights"
	} else {
		s += "; draws have no weights"
	}
	if p := x.Tempering; p != nil {
		s = fmt.Sprintf("approximate: particles of %s in %d runs through %d temperatures: log evidence "+
			"%.6g ± %.2g, which differs between runs by %.2g; at least %.0f %% of the moves were accepted",
			x.Method, p.Runs, p.Temperatures, p.LogEvidence, p.Error, p.Spread, 100*p.Accepted)
	}
	switch x.Verdict {
	case "off":
		return s + ". Do not report them: " + x.Why
	case "unsure":
		return s + ". Unsure: " + x.Why
	}
	return s
}

func passWords(n int) string {
	if n == 1 {
		return "one pass"
	}
	return fmt.Sprintf("%d passes", n)
}

// Check computes the log ratios of the posterior to the surrogate at draws: lik has the log
// likelihood of all rows there, lp the surrogate's log density, and rest is what it has
// besides rows. It returns the smoothed weights, which sum to one.
func Check(lik, rest, lp []float64) (weights []float64, x *Exactness) {
	n := len(lp)
	ratios, logs := make([]float64, n), make([]float64, n)
	mean := 0.0
	for i := range ratios {
		ratios[i] = lik[i] + rest[i] - lp[i]
		mean += ratios[i] / float64(n)
	}
	var w diagnose.Workspace
	x = &Exactness{Draws: n, K: w.PSIS(ratios, 1, logs)}
	weights = make([]float64, n)
	squares := 0.0
	for i, l := range logs {
		weights[i] = special.Exp(l)
		squares += float64(weights[i] * weights[i])
		x.SD += float64((ratios[i]-mean)*(ratios[i]-mean)) / float64(n-1)
	}
	x.SD, x.Effective = math.Sqrt(x.SD), 1/squares
	return weights, x
}

// A Result is draws that stand for the posterior.
type Result struct {
	*Sampled
	Exactness Exactness
	// Of the draws before they were drawn again: their weights, chain after chain.
	Drawn   [][]float64
	Weights []float64
}

// Run finds the surrogate of a target, samples it, and holds the draws against all rows. With
// settings that say so it corrects them. The error is a *Refusal where the draws cannot
// stand for the posterior; the result then has them, and says how far they are from it.
func Run(
	ctx context.Context, t target.Target, cfg sampler.Config, set Settings, o loop.Options,
) (*Result, error) {
	f, err := begin(t, set, o)
	if err != nil {
		return nil, err
	}
	find := f.find
	if set.Combine != "" {
		find = f.combine
	}
	s, passes, err := find(ctx)
	if err != nil {
		return nil, err
	}
	set = f.set
	for again := false; ; again = true {
		if s.Parts == 0 {
			tall.Say(ctx, fmt.Sprintf("chains on the surrogate, %d rows as they are", len(s.Some)))
		}
		c := cfg
		c.Sampler, c.Init, c.InitRadius, c.Batch, c.FullBatch = "nuts", nil, 0.5, 0, false
		ran, err := Sample(ctx, s, c, o)
		if err != nil {
			return nil, err
		}
		tall.Say(ctx, "the draws against all rows")
		r := &Result{Sampled: ran}
		if err := r.check(ctx, s, f.rows); err != nil {
			return nil, err
		}
		x := &r.Exactness
		passes++
		x.Rows, x.Passes, x.Parts, x.Combined = len(s.Some), passes, s.Parts, set.Combine
		share := x.Effective / float64(x.Draws)
		last := again || s.Parts > 0 || share < againShare || set.Rows < 0 || len(s.Some) >= t.Rows()
		switch {
		case set.Correct > 0:
			return r, r.correct(ctx, s, f.rows, set, o)
		case x.Good():
			x.Kind = "checked"
			r.resample(set.Seed)
			return r, nil
		case last && set.Accept:
			x.Kind = "approximate"
			return r, nil
		case last:
			x.Kind = "refused"
			if s.Parts > 0 {
				return r, refuse("%s. A surrogate with rows as they are, in place of subposteriors, "+
					"may take it", x)
			}
			return r, refuse("%s. {rows} %d takes more rows as they are, {correct} 10 costs ten "+
				"passes", x, max(againTimes*set.Rows, 4*DefaultRows))
		}
		set.Rows *= againTimes // once more
		if s, err = s.widen(ctx, f, set.Rows); err != nil {
			return nil, err
		}
		passes++
	}
}

// widen returns the surrogate with more rows as they are.
func (s *Surrogate) widen(ctx context.Context, of *fit, rows int) (*Surrogate, error) {
	f := *of
	f.white, f.anchor, f.all, f.sds = s.White, s.Anchor, s.All, scales(s.White)
	return f.withRows(ctx, rows)
}

// flat are the states chain after chain, with the surrogate's log density.
func (s *Sampled) flat() (states [][]float64, lp []float64) {
	for k := range s.States {
		states, lp = append(states, s.States[k]...), append(lp, s.LP[k]...)
	}
	return states, lp
}

// check holds the draws against all rows.
func (r *Result) check(ctx context.Context, s *Surrogate, all Passes) error {
	states, lp := r.flat()
	lik := make([]float64, len(states))
	if err := all.LogLik(ctx, states, lik); err != nil {
		return err
	}
	rest := s.rest(states)
	weights, x := Check(lik, rest, lp)
	r.Exactness, r.Drawn, r.Weights = *x, states, weights
	r.Exactness.Moved = moved(states, weights)
	i := 0
	for k := range r.LP { // the posterior's, which is known now
		for j := range r.LP[k] {
			st := &r.Stats[k][j]
			st.LP = lik[i] + rest[i]
			st.LPEst = st.LP
			i++
		}
	}
	return nil
}

// rest returns the log density without the likelihood of rows, at states.
func (s *Surrogate) rest(states [][]float64) []float64 {
	e := s.Target.NewEvaluator(1)
	out := make([]float64, len(states))
	for i, x := range states {
		out[i] = e.LogDensity(x, nothing, 1, 1)
	}
	return out
}

// moved is the most that weights move a mean, in standard deviations.
func moved(states [][]float64, weights []float64) float64 {
	n, worst := float64(len(states)), 0.0
	for i := range states[0] {
		plain, weighted, square := 0.0, 0.0, 0.0
		for k, x := range states {
			plain += x[i] / n
			weighted += float64(weights[k] * x[i])
		}
		for _, x := range states {
			square += float64((x[i]-plain)*(x[i]-plain)) / (n - 1)
		}
		sd := math.Sqrt(max(square, math.SmallestNonzeroFloat64))
		worst = max(worst, math.Abs(weighted-plain)/sd)
	}
	return worst
}

// resample draws the draws of each chain again, as many as there are, in their order:
// systematically, with one random number a chain.
func (r *Result) resample(seed uint64) {
	at := 0
	for k := range r.States {
		n := len(r.States[k])
		w := r.Weights[at : at+n]
		at += n
		total := 0.0
		for _, v := range w {
			total += v
		}
		src := rng.New(seed, k, purposeResample).At(0)
		u, sum, j := src.Float64(), 0.0, -1
		states, lp, stats := make([][]float64, n), make([]float64, n), make([]sampler.Stats, n)
		for i := range n {
			for want := (float64(i) + u) / float64(n) * total; j < 0 || sum < want && j < n-1; {
				j++
				sum += w[j]
			}
			states[i], lp[i], stats[i] = r.States[k][j], r.LP[k][j], r.Stats[k][j]
		}
		r.States[k], r.LP[k], r.Stats[k] = states, lp, stats
	}
}
