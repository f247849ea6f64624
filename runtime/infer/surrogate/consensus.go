package surrogate

import (
	"context"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A subposterior of a shard is the prior, with its Jacobian, to the power 1/S for S shards, times
// the likelihood of the shard's rows: the product of all is the posterior. Consensus Monte Carlo
// (Scott, Blocker, Bonassi, Chipman, George and McCulloch 2016) averages draws of subposteriors,
// with the inverses of their covariances as weights. Here N(m, Σ) with the mean and covariance
// that such averages have is the density that draws are of, so that they can be held against all
// rows like those of a surrogate:
//
//	Σ⁻¹ = Σ_s C_s⁻¹,  m = Σ Σ_s C_s⁻¹ m_s

const (
	// MostConsensus is how many unknowns consensus is made for: covariances are of
	// subChains·subDraws draws.
	MostConsensus = 500
	subChains     = 4
	subWarmup     = 500
	subDraws      = 1000
)

// Moments are the mean and the covariance of the draws of a subposterior, d × d by rows, and how
// well its chains agree.
type Moments struct {
	Mean, Cov []float64
	Rhat      float64
}

// Subposterior samples the subposterior of a shard by nuts: the prior to the power prior, times
// the likelihood of the rows of t to the power rows.
func Subposterior(
	ctx context.Context, t target.Target, prior, rows float64, seed uint64,
) (*Moments, error) {
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws = "nuts", subChains, subWarmup, subDraws
	cfg.Seed = seed
	p := &tempered{target.NewScaled(t, rows), prior}
	cfg, err := cfg.Resolve(p)
	if err != nil {
		return nil, err
	}
	d := t.Dim()
	states := make([][][]float64, subChains)
	for k := range states {
		c, err := sampler.NewChain(p, cfg, k)
		if err != nil {
			return nil, err
		}
		for !c.Done() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := c.Step(); err != nil {
				return nil, err
			}
			if c.Steps() > cfg.Warmup {
				states[k] = append(states[k], append(make([]float64, 0, d), c.Position()...))
			}
		}
	}
	return momentsOf(states, d), nil
}

// momentsOf are the moments of draws, by chain.
func momentsOf(states [][][]float64, d int) *Moments {
	m := &Moments{Mean: make([]float64, d), Cov: make([]float64, d*d), Rhat: 1}
	n := 0.0
	for _, c := range states {
		for _, x := range c {
			n++
			for i, v := range x {
				m.Mean[i] += (v - m.Mean[i]) / n
			}
		}
	}
	var w diagnose.Workspace
	series := make([][]float64, len(states))
	for i := range d {
		for k, c := range states {
			series[k] = series[k][:0]
			for _, x := range c {
				series[k] = append(series[k], x[i])
				for j := range i + 1 {
					m.Cov[i*d+j] += float64((x[i]-m.Mean[i])*(x[j]-m.Mean[j])) / (n - 1)
				}
			}
		}
		m.Rhat = max(m.Rhat, w.Rhat(series))
		for j := range i {
			m.Cov[j*d+i] = m.Cov[i*d+j]
		}
	}
	return m
}

// A Combination is a way to combine the subposteriors of shards; "" is none.
type Combination string

// The combinations.
const (
	Consensus  Combination = "consensus"
	Barycentre Combination = "wasp"
)

// combinations has the words for each, what it may be too large for, and the map of its density.
var combinations = map[Combination]struct {
	words string
	most  int // unknowns
	why   string
	of    func([]*Moments) (*whitening.Map, error)
}{
	Consensus: {"the consensus", MostConsensus, "consensus takes covariances of 4000 draws",
		consensusOf},
	Barycentre: {"the Wasserstein barycentre", MostBarycentre, "a barycentre takes the eigenvectors " +
		"of as many matrices as there are shards, many times", barycentreOf},
}

// agree is a refusal if the chains of the subposterior of a shard disagree.
func (m *Moments) agree(shard int) error {
	if m.Rhat > agreeRhat || math.IsNaN(m.Rhat) {
		return refuse("chains on the subposterior of shard %d disagree (R-hat %.2f)", shard, m.Rhat)
	}
	return nil
}

// consensusOf is the map x = m + L z of the consensus of subposteriors, L Lᵀ = Σ.
func consensusOf(list []*Moments) (*whitening.Map, error) {
	d := len(list[0].Mean)
	total, shift := matrix.New(d), make([]float64, d)
	for k, s := range list {
		if err := s.agree(k); err != nil {
			return nil, err
		}
		inverse, ok := inverted(matrix.Square{N: d, A: s.Cov})
		if !ok {
			return nil, refuse("the draws of the subposterior of shard %d have no covariance that can be "+
				"inverted", k)
		}
		for i := range d {
			row := inverse.A[i*d : (i+1)*d]
			shift[i] += dot(row, s.Mean)
			for j, v := range row {
				total.A[i*d+j] += v
			}
		}
	}
	cov, ok := inverted(total)
	if !ok {
		return nil, refuse("the subposteriors have no consensus: their precisions add up to no matrix " +
			"that can be inverted")
	}
	mean := make([]float64, d)
	for i := range d {
		mean[i] = dot(cov.A[i*d:(i+1)*d], shift)
	}
	return mapOf(mean, cov)
}

// mapOf is the map whose points have a mean and a covariance.
func mapOf(mean []float64, cov matrix.Square) (*whitening.Map, error) {
	d := len(mean)
	out := whitening.New(mean, true)
	if !cov.Cholesky() {
		return nil, refuse("what the subposteriors combine to has no covariance")
	}
	for i := range d {
		copy(out.Chol[i*d:i*d+i+1], cov.A[i*d:i*d+i+1])
	}
	return out, nil
}

// inverted is the inverse of a symmetric matrix, if it is positive definite.
func inverted(m matrix.Square) (matrix.Square, bool) {
	d := m.N
	l := matrix.Square{N: d, A: append([]float64(nil), m.A...)}
	if !l.Cholesky() {
		return l, false
	}
	columns := matrix.New(d) // row j is L⁻¹ e_j
	for j := range d {
		row := columns.A[j*d : (j+1)*d]
		row[j] = 1
		l.LowerSolve(row)
	}
	out := matrix.New(d)
	for i := range d {
		for j := range d {
			out.A[i*d+j] = dot(columns.A[i*d:(i+1)*d], columns.A[j*d:(j+1)*d])
			if v := out.A[i*d+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return out, false
			}
		}
	}
	return out, true
}

// A Combiner has subposteriors of shards.
type Combiner interface {
	// Subposteriors samples the subposterior of each shard that a combination takes, in one pass.
	Subposteriors(ctx context.Context, by Combination, seed uint64) ([]*Moments, error)
}

// combine is the density N(m, Σ) of a combination as a surrogate.
func (f *fit) combine(ctx context.Context) (*Surrogate, int, error) {
	rows, is := f.rows.(Combiner)
	by := combinations[f.set.Combine]
	switch d := f.t.Dim(); {
	case !is:
		return nil, 0, refuse("%s is of rows in shards", by.words)
	case d > by.most:
		return nil, 0, refuse("%d unknowns are more than %d, and %s", d, by.most, by.why)
	}
	if err := f.takeNoRows(); err != nil {
		return nil, 0, err
	}
	tall.Say(ctx, "the subposterior of each shard")
	list, err := rows.Subposteriors(ctx, f.set.Combine, f.set.Seed)
	if err != nil {
		return nil, 0, err
	}
	white, err := by.of(list)
	if err != nil {
		return nil, 0, err
	}
	return &Surrogate{Target: f.some, White: white, Anchor: white.Mean, Some: nothing,
		Parts: len(list)}, 1, nil
}

// SeedOf is the seed of the subposterior of a shard.
func SeedOf(seed uint64, shard int) uint64 {
	src := rng.New(seed, shard, purposeSub).At(0)
	return src.Uint64()
}

// tempered is a target with its prior, and the Jacobian, to a power.
type tempered struct {
	target.Target
	share float64
}

// NewEvaluator implements target.Target.
func (t *tempered) NewEvaluator(capacity int) target.Evaluator {
	return &temperedEvaluator{t.Target.NewEvaluator(capacity), t.share, make([]float64, t.Dim())}
}

type temperedEvaluator struct {
	target.Evaluator
	share float64
	rest  []float64
}

// LogDensityGradient implements target.Evaluator.
func (e *temperedEvaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := e.Evaluator.LogDensityGradient(x, rows, scale, jacobian, grad)
	f -= float64((1 - e.share) * e.Evaluator.LogDensityGradient(x, nothing, 1, jacobian, e.rest))
	for i, v := range e.rest {
		grad[i] -= float64((1 - e.share) * v)
	}
	return f
}

// LogDensity implements target.Evaluator.
func (e *temperedEvaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.Evaluator.LogDensity(x, rows, scale, jacobian) -
		float64((1-e.share)*e.Evaluator.LogDensity(x, nothing, 1, jacobian))
}

// Gradient implements target.Evaluator.
func (e *temperedEvaluator) Gradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

// what names the draws of a surrogate, or of a combination.
func (x *Exactness) what() string {
	if x.Parts > 0 {
		by := x.Combined
		if by == "" { // of a run before there was another
			by = Consensus
		}
		return fmt.Sprintf("%s of %d subposteriors", combinations[by].words, x.Parts)
	}
	return "a surrogate"
}
