package approximate

import (
	"context"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

const (
	// movedMean and movedSD are the most by which weights may move a mean, in standard
	// deviations, and a logarithm of a standard deviation, for draws without weights.
	movedMean, movedSD = 0.1, 0.1
	// leastEffective is the least effective number of the weights that stand for a posterior.
	leastEffective = 100
	// leastShare is the effective share, and sureK the Pareto k, to which draws are sure: up to
	// k = 1/2 the ratios have a variance (Vehtari et al. 2024, section 3).
	leastShare, sureK = 0.3, 0.5
	// nearlyAll is the effective share at which a heavy tail of the ratios is a doubt alone.
	nearlyAll = 0.95
	// sameRatio is how much log ratios may differ that count as equal.
	sameRatio = 1e-6
)

// An Exactness says how near to the posterior draws of an approximation are.
type Exactness struct {
	K         float64 // Pareto k of the ratios
	Effective float64 // effective number of the weights
	Draws     int     // that were held against the density
	SD        float64 // of the log ratios
	ELBO      float64 // mean of the log ratios
	LogMass   float64 // logarithm of the mean ratio: of the constant of the density
	// Moved is the most by which weights move a mean, in standard deviations, and Wider that by
	// which they move the logarithm of a standard deviation.
	Moved, Wider float64
	Resampled    bool     // draws were drawn again by their weights
	Says         []string // what the method found
	Doubts       []string // why draws may not be right where their ratios look so
	Missed       string   // mass that the method knows of and has no draws in; "" without
	Given        string   // the params that draws are given the maximum of the others; "": all
	Gradients    int      // evaluations of the density or its gradient, before the ratios
	Threshold    float64  // of K
	// Particles are those of smc, by which it is judged; nil of the others.
	Particles *Particles
}

// Verdicts of an Exactness, as in tables of health.
const (
	OK     = "ok"
	Unsure = "unsure"
	Off    = "off"
)

// Verdict says whether the draws can stand for the posterior, and what speaks against it.
func (x *Exactness) Verdict() (verdict, why string) {
	if x.Particles != nil {
		return x.Particles.verdict()
	}
	switch {
	case !(x.K <= x.Threshold) && !(x.Effective >= nearlyAll*float64(x.Draws)):
		return Off, sprintf("the Pareto k of the ratios is %.2f, above %.2f", x.K, x.Threshold)
	case x.Effective < leastEffective:
		return Off, sprintf("only %.0f of %d draws count, by their weights: {candidates} holds "+
			"more against the density", x.Effective, x.Draws)
	case x.Given != "":
		return Off, sprintf("they are draws of %s given the maximum of all other params", x.Given)
	case x.Missed != "":
		return Off, x.Missed
	case !x.Resampled && (!(x.Moved <= movedMean) || !(x.Wider <= movedSD)):
		return Off, sprintf("weights would move a mean by %.2g sd, and a standard deviation by "+
			"%.0f %%: {resample} psis draws by them", x.Moved, 100*math.Expm1(x.Wider))
	case len(x.Doubts) > 0:
		return Unsure, join(x.Doubts)
	case !(x.K <= x.Threshold):
		return Unsure, sprintf("the Pareto k of the ratios is %.2f, above %.2f, so their tail is "+
			"heavy, though all draws have nearly one weight", x.K, x.Threshold)
	case x.K > sureK:
		return Unsure, sprintf("the Pareto k of the ratios is %.2f, above %g: means are usable, and "+
			"standard deviations may be wrong by some per cent", x.K, sureK)
	case x.Effective < leastShare*float64(x.Draws):
		return Unsure, sprintf("%.0f of %d draws count, by their weights: the approximation may have "+
			"no draws where the posterior has mass", x.Effective, x.Draws)
	}
	return OK, ""
}

// Health is the row of the table of health.
func (x *Exactness) Health() health.Row {
	verdict, _ := x.Verdict()
	if p := x.Particles; p != nil {
		return health.Row{Block: "all", Statistic: "evidence_spread", Value: p.Spread, Expected: 0,
			MCSE: math.NaN(), Verdict: verdict}
	}
	return health.Row{Block: "all", Statistic: "pareto_k", Value: x.K, Expected: math.NaN(),
		MCSE: math.NaN(), Verdict: verdict}
}

// A Result is draws of an approximation, held against the density.
type Result struct {
	Mixture   *Mixture
	Exactness Exactness
	Config    Config
	t         target.Target
	logp      []float64 // of candidates
	logq      []float64
	chosen    []int32 // candidates, by draw
}

// Run finds the approximation of a target, draws from it, and holds the draws against the
// density. Settings are resolved first. The error is a *Refusal where there is no approximation.
func Run(
	ctx context.Context, t target.Target, c Config, o loop.Options, say func(words string),
) (*Result, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	if err := target.Fold(t); err != nil {
		return nil, err
	}
	row, _ := Lookup(c.Method)
	f := &finder{ctx: ctx, t: t, c: c, threads: o.Threads, say: say}
	if row.sample != nil {
		p, err := row.sample(f)
		if err != nil {
			return nil, err
		}
		return &Result{Config: c, t: t, Exactness: p.exactness()}, nil
	}
	m, err := row.find(f)
	if err != nil {
		return nil, err
	}
	r := &Result{Mixture: m, Config: c, t: t}
	f.tell("%d draws against the density", c.Candidates)
	return r, r.check(ctx, o.Threads)
}

// check computes the ratios of the candidates, their weights, and the draws.
func (r *Result) check(ctx context.Context, threads int) error {
	n := int(r.Config.Candidates)
	r.logp, r.logq = make([]float64, n), make([]float64, n)
	const part = 64
	err := loop.Parallel(ctx, (n+part-1)/part, threads, func(_, k int) error {
		s := r.sampling()
		state := make([]float64, r.t.Dim())
		for i := k * part; i < min((k+1)*part, n); i++ {
			r.logp[i], r.logq[i] = s.draw(i, state)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	ratios, logs := make([]float64, n), make([]float64, n)
	none := true
	for i := range ratios {
		if ratios[i] = r.logp[i] - r.logq[i]; math.IsNaN(ratios[i]) {
			ratios[i] = math.Inf(-1)
		}
		none = none && math.IsInf(ratios[i], -1)
	}
	if none {
		return refusal("the density is zero at each of %d draws of the approximation", n)
	}
	x := &r.Exactness
	*x = Exactness{Draws: n, Resampled: r.Config.Resample == "psis", Says: r.Mixture.Says,
		Doubts: r.Mixture.Doubts, Missed: r.Mixture.Missed, Gradients: r.Mixture.Gradients,
		Threshold: diagnose.KThreshold(n)}
	if len(r.Config.Only) > 0 {
		x.Given = join(r.Config.Only)
	}
	if slices.Max(ratios)-slices.Min(ratios) < sameRatio {
		for i := range ratios {
			ratios[i] = ratios[0]
		}
	}
	x.K = new(diagnose.Workspace).PSIS(ratios, 1, logs)
	squares, weights := 0.0, make([]float64, n)
	for i, l := range logs {
		weights[i] = special.Exp(l)
		squares += float64(weights[i] * weights[i])
		x.ELBO += ratios[i] / float64(n)
	}
	for _, v := range ratios {
		x.SD += float64((v-x.ELBO)*(v-x.ELBO)) / float64(n-1)
	}
	x.SD, x.Effective = math.Sqrt(x.SD), 1/squares
	x.LogMass = logSumExp(ratios) - special.Log(float64(n))
	if err := r.moves(ctx, weights); err != nil {
		return err
	}
	r.choose(weights)
	return nil
}

func (r *Result) sampling() *sampling {
	return r.Mixture.sampling(r.Config.Seed, purposeDraw)
}

// choose picks the candidate of each draw: in their order, or by their weights, systematically,
// with one random number. Copies of a candidate are neighbours, so that effective sample sizes
// of the draws count them once.
func (r *Result) choose(weights []float64) {
	n := int(int64(r.Config.Chains) * r.Config.Draws)
	r.chosen = make([]int32, n)
	if r.Config.Resample != "psis" {
		for i := range r.chosen {
			r.chosen[i] = int32(i)
		}
		return
	}
	src := rng.New(r.Config.Seed, 0, purposeWeights).At(0)
	u, sum, at := src.Float64(), 0.0, -1
	for i := range r.chosen {
		for want := (float64(i) + u) / float64(n); at < 0 || sum < want && at < len(weights)-1; {
			at++
			sum += weights[at]
		}
		r.chosen[i] = int32(at)
	}
}

// moves finds the most by which weights move a mean and a standard deviation of a number of the
// model.
func (r *Result) moves(ctx context.Context, weights []float64) error {
	width := r.t.OutputLen()
	s, e := r.sampling(), r.t.NewEvaluator(1)
	state, out := make([]float64, r.t.Dim()), make([]float64, width)
	first := make([]float64, width) // so that squares are of differences
	sums := make([][4]float64, width)
	n := float64(len(weights))
	for i, w := range weights {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.draw(i, state)
		e.Constrain(state, out)
		if i == 0 {
			copy(first, out)
		}
		for k, v := range out {
			v -= first[k]
			a := &sums[k]
			a[0] += v / n
			a[1] += float64(v*v) / n
			a[2] += float64(w * v)
			a[3] += float64(float64(w*v) * v)
		}
	}
	x := &r.Exactness
	for _, a := range sums {
		plain, weighted := a[1]-float64(a[0]*a[0]), a[3]-float64(a[2]*a[2])
		if !(plain > 0) || !(weighted > 0) {
			continue
		}
		x.Moved = max(x.Moved, math.Abs(a[2]-a[0])/math.Sqrt(weighted))
		x.Wider = max(x.Wider, math.Abs(special.Log(weighted/plain))/2)
	}
	return nil
}

// A Drawer writes draws. It is for one goroutine.
type Drawer struct {
	r *Result
	s *sampling  // nil of smc
	e *evaluator // of smc
}

// Drawer makes one.
func (r *Result) Drawer() *Drawer {
	p := r.Exactness.Particles
	if p == nil {
		return &Drawer{r: r, s: r.sampling()}
	}
	return &Drawer{r: r, e: p.clouds[0].in.evaluator(1)}
}

// Draw writes the state of a draw of a chain, and returns its log densities: of the posterior, up
// to its constant, and of the approximation; and the number of its component. Of smc these are the
// density of the law that it begins with, and the particle there that the draw comes from.
func (d *Drawer) Draw(chain int, index int64, state []float64) (logp, logq float64, component int) {
	if p := d.r.Exactness.Particles; p != nil {
		c := p.clouds[chain]
		at := p.particle(index, d.r.Config.Draws)
		d.e.state(c.z[at*c.d:(at+1)*c.d], state)
		return c.logp[at], c.logq[at], int(c.root[at])
	}
	at := int(d.r.chosen[int64(chain)*d.r.Config.Draws+index])
	d.s.draw(at, state)
	return d.r.logp[at], d.r.logq[at], d.s.component(at)
}

// Collect returns the draws of each chain in the model's own coordinates, one after the other.
func (r *Result) Collect() *sampler.Draws {
	d := &sampler.Draws{Outputs: r.t.Outputs(), Width: r.t.OutputLen(),
		Chains: make([][]float64, r.Config.Chains), Health: []health.Row{r.Exactness.Health()}}
	e, w := r.t.NewEvaluator(1), r.Drawer()
	state, out := make([]float64, r.t.Dim()), make([]float64, d.Width)
	for k := range d.Chains {
		for i := range r.Config.Draws {
			w.Draw(k, i, state)
			e.Constrain(state, out)
			d.Chains[k] = append(d.Chains[k], out...)
		}
	}
	return d
}
