package tall

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// Settings has the settings that a plan depends on, other than the target. For a zero the plan
// finds the number, or the default holds.
type Settings struct {
	Seed      uint64
	Chains    int         // pairs of chains; 0: 4
	TargetESS float64     // smallest effective sample size; 0: 400
	MaxBias   float64     // largest bias of a mean, in standard deviations; 0: 0.1
	Init      [][]float64 // starts of the pilot; none: random
	Radius    float64     // of random starts
	Weight    float64     // weight of a row in the pilot; 0: 1
	Step      float64
	Friction  float64
	Batch     int
	Share     float64 // κ; 0: 0.1
	Even      bool    // rows are drawn evenly, not by size
	Curved    bool    // blocks are on curved spaces, so that full passes are made by gmc
	FullCost  float64 // cost of a pass over all rows, in row gradients; 0: the number of rows
	Draws     int     // of each chain; 0: until TargetESS
	Anyway    bool    // plan minibatches even where full passes cost less
	Anchor    string  // "mode" or "mean"; "": the mode, else the mean
	// Depth is the largest difference to the best maximum, on some of the rows, at which another
	// maximum counts; 0: below it a maximum has no weight if all rows are like these.
	Depth float64
}

// filled replaces zeros by defaults.
func (s Settings) filled(rows int) Settings {
	def := func(x *float64, to float64) {
		if *x == 0 {
			*x = to
		}
	}
	if s.Chains == 0 {
		s.Chains = 4
	}
	def(&s.TargetESS, 400)
	def(&s.MaxBias, 0.1)
	def(&s.Weight, 1)
	def(&s.Radius, 2)
	def(&s.Friction, 1)
	def(&s.FullCost, float64(rows))
	return s
}

// A Setup is a plan with everything that a run by minibatches needs to begin.
type Setup struct {
	Plan   Plan
	white  *whitening.Map
	anchor *control.Anchor
	sizes  *pick.Sizes
	class  []uint8 // sizes of all rows; nil where they are drawn evenly
	noise  *Noise  // of minibatches of Plan.Batch rows
	starts [][]float64
	middle []float64 // middle of the charts, a state of the target; nil if no block is curved
}

// windowStates returns the number of states that the window keeps for each chain.
func windowStates(d int) int { return (max(160, 3*d) + 1) / 2 }

// Prepare makes the plan for a target with rows. The error is a *Refusal if minibatches with an
// anchor are not suitable; the plan then has the findings so far.
func Prepare(ctx context.Context, t target.Target, s Settings, o loop.Options) (*Setup, error) {
	s = s.filled(t.Rows())
	s.Curved = chart.Curved(t)
	out := &Setup{Plan: Plan{Rows: t.Rows(), Dim: chart.Dim(t), Friction: s.Friction, Order: "size",
		Metric: "dense"}}
	w := &workshop{t: t, seed: s.Seed, o: o, even: s.Even}
	err := w.prepare(ctx, out, s)
	if r, ok := err.(*Refusal); ok {
		out.Plan.Reason = r.Why
	}
	return out, err
}

func refuse(format string, a ...any) error { return &Refusal{fmt.Sprintf(format, a...)} }

// prepare fills in out, phase by phase.
func (w *workshop) prepare(ctx context.Context, out *Setup, s Settings) error {
	pl, n := &out.Plan, w.t.Rows()
	if kind := chart.Without(w.t); kind != "" {
		return refuse("the space %q has no coordinates in which anchors are known", kind)
	}
	if s.Even {
		pl.Order = "replace"
	}
	if err := w.makeEvaluators(); err != nil {
		return err
	}
	defer func() { pl.SetUp = float64(w.count) / float64(n) }()
	best, err := w.oneMode(ctx, pl, s)
	if err != nil {
		return err
	}
	c, err := w.lookForMode(ctx, w.enter(best), s)
	if err != nil {
		return err
	}
	w.count += int64(c.passes*n) + c.count
	d := w.t.Dim()
	out.middle = w.middle
	if pl.Dim = d; d > denseLimit {
		pl.Metric = "diag"
	}
	if s.Anchor == "mode" && !c.found {
		return refuse("%s", c.why)
	}
	pl.ModePasses, pl.Anchor = c.passes, "mode"
	var p *pilot
	if !c.found { // as of hierarchies, whose density has no maximum
		pl.Anchor = "mean"
		if p, err = w.lookForMean(ctx, c, pl, s); err != nil {
			return err
		}
	}
	w.white, w.kinked = c.white, c.kinked
	phase(ctx, "sizes of rows")
	if jumps, err := w.jumps(ctx); err != nil {
		return err
	} else if jumps {
		return refuse("the log density jumps: its differences are not what its gradient says, " +
			"which is all that minibatches see")
	}
	w.drawn = 10 * d
	if err := w.survey(ctx, c.rows, w.firstProbes(d), true); err != nil {
		return err
	}
	if c.found {
		if err := w.otherModes(ctx, pl, s); err != nil {
			return err
		}
	}
	phase(ctx, "the posterior's scales and the noise of minibatches")
	if err := w.window(ctx, out, s); err != nil {
		return err
	}
	out.white, out.anchor, out.sizes, out.class = w.white, w.anchor, w.sizes, w.classes
	return out.decide(p, s)
}

// makeEvaluators makes an evaluator for each thread, and the passes that use them.
func (w *workshop) makeEvaluators() error {
	threads := w.o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	for range Evaluators(threads) {
		e, ok := target.DifferenceOf(w.t.NewEvaluator(1024))
		if !ok {
			return refuse("the rows have latent values that chains draw")
		}
		w.evals = append(w.evals, e)
	}
	w.passes = newPasses(w.t, w.evals)
	w.passes.threads = threads
	return nil
}

// oneMode climbs from random points on some of the rows, then on all. It returns the best end, and
// refuses a posterior with several modes.
func (w *workshop) oneMode(ctx context.Context, pl *Plan, s Settings) ([]float64, error) {
	phase(ctx, "looking for several modes")
	found, count, err := searchModes(ctx, w.t, s, w.o)
	w.count += count
	if err != nil {
		return nil, err
	}
	if pl.Modes = found.modes; found.modes > 1 {
		return nil, refuse("%d of %d climbs from random points end at other maxima of the "+
			"density: there may be several modes", found.modes-1, modeStarts)
	}
	count, err = found.settle(ctx, w.passes)
	w.count += count
	if err != nil {
		return nil, err
	}
	if pl.Modes = found.modes; found.modes > 1 {
		return nil, refuse("on all rows %d of %d climbs end at other maxima of the density: "+
			"there may be several modes", found.modes-1, found.settled)
	}
	return found.best, nil
}

// lookForMode searches from a state for the mode on all rows, unless the anchor is to be at the
// mean.
func (w *workshop) lookForMode(ctx context.Context, at []float64, s Settings) (*centre, error) {
	c := &centre{why: "the anchor is to be at the mean"}
	hessian := w.stream(purposeHessian)
	if s.Anchor == "mean" {
		return c, nil
	}
	phase(ctx, "looking for the mode")
	near := w.stream(purposeNear)
	c, err := findCentre(ctx, w.passes, at, hessian, near)
	if err != nil {
		return nil, err
	}
	if w.aside(c.white.Mean) { // charts about the mode are flatter there
		at, passes, count := w.enter(w.state(c.white.Mean)), c.passes, c.count
		if c, err = findCentre(ctx, w.passes, at, hessian, near); err != nil {
			return nil, err
		}
		c.passes, c.count = c.passes+passes, c.count+count
	}
	return c, nil
}

// lookForMean runs a pilot on some of the rows, and sets c to its mean.
func (w *workshop) lookForMean(
	ctx context.Context, c *centre, pl *Plan, s Settings,
) (*pilot, error) {
	phase(ctx, "short chains on some of the rows")
	p, err := runPilot(ctx, w.t, s, w.o)
	if err != nil {
		return nil, err
	}
	pl.PilotRows, pl.PilotWeight, pl.PilotRhat = p.rows, p.weight, p.rhat
	w.count += p.count
	if p.rhat > modesRhat {
		return nil, refuse("%s, and four short chains on %d rows disagree (R-hat %.2f)", c.why,
			p.rows, p.rhat)
	}
	c.white, c.rows = p.spread(min(1, s.Weight*float64(p.rows)/float64(w.t.Rows()))), nil
	return p, nil
}

// otherModes fits the coordinates to the curvature at the mode, climbs on the rows with the largest
// sizes, and refuses a posterior with other maxima.
func (w *workshop) otherModes(ctx context.Context, pl *Plan, s Settings) error {
	es := w.estimators()[:1]
	b := fixedBatch(w.sizes, max(hessianRows, bySizeRows*w.t.Dim()), w.stream(purposeHessian))
	if err := w.passes.have(es[0].Eval, b); err != nil {
		return err
	}
	adaptToCurvature(w.white, es[0], b)
	w.counted(es)
	phase(ctx, "looking for other modes, on the rows that matter most")
	others, err := w.rivals(ctx, s)
	if err != nil {
		return err
	}
	if pl.Modes += others; others > 0 {
		return refuse("climbs on the rows that matter most end at %d other maxima of the "+
			"density, on all rows too: there may be several modes", others)
	}
	return nil
}

// window runs chains from the mode until they reach the posterior, places the anchor at their mean,
// adapts the coordinates to them, and finds the constants.
func (w *workshop) window(ctx context.Context, out *Setup, s Settings) error {
	kept, states, err := w.settle(ctx, s)
	if err != nil {
		return err
	}
	if err := w.concentrated(kept.all()); err != nil {
		return err
	}
	k, err := w.constants(ctx, s, states, nil, false)
	if err != nil {
		return err
	}
	if k, err = w.constants(ctx, s, states, &k.bend, false); err != nil {
		// the rows that are always taken depend on n
		return err
	}
	wanted := k.share
	if states, err = w.calibrate(ctx, k, s, states); err != nil {
		return err
	}
	if most := max(1.5*plainShare, 1.5*s.Share); s.Batch == 0 && k.share > most && wanted <= most {
		// The noise is larger at the states of a run than at those of the window: use more rows.
		if err := w.enlarge(k, k.share/plainShare); err != nil {
			return err
		}
		if states, err = w.calibrate(ctx, k, s, states); err != nil {
			return err
		}
	}
	if k, states, err = w.complete(ctx, k, s, states); err != nil {
		return err
	}
	pl := &out.Plan
	pl.Curvature, pl.CurvatureMax, pl.CurvatureMin = k.bend.mean, k.bend.most, k.bend.least
	pl.Step, pl.Batch, pl.Always, pl.Share = k.h, k.n, len(w.sizes.Always()), k.share
	pl.Noise, pl.NoiseMax, pl.NoiseEigen = k.est.near*float64(k.est.rows),
		k.est.most*float64(k.est.rows), k.est.eigen*float64(k.est.rows)
	if pl.NoisePlain, err = w.plainNoise(states[0]); err != nil {
		return err
	}
	pl.Every = max(int(math.Ceil(0.6/(k.h*s.Friction))), 1)
	out.noise = k.noise
	out.starts = nil
	for c := range s.Chains {
		out.starts = append(out.starts, append([]float64(nil), states[c*len(states)/s.Chains]...))
	}
	return nil
}

// settle runs chains from a normal law of half the width until the coordinates fit them, at
// most three times. It returns the states of the last time, and those of them at which the
// noise is measured.
func (w *workshop) settle(
	ctx context.Context, s Settings,
) (kept visited, states [][]float64, err error) {
	d := len(w.white.Mean)
	z := make([][]float64, pilotChains)
	start := w.stream(purposeStart)
	for k := range z {
		z[k] = make([]float64, d)
		start.Normals(uint64(k), z[k])
		for i := range z[k] {
			z[k][i] /= 2
		}
	}
	states = z
	for round := range 3 {
		k, err := w.constants(ctx, s, states, nil, round < 2)
		if err != nil {
			return nil, nil, err
		}
		every := int(math.Ceil(0.8 / k.h))
		count, drop := windowStates(d), int(math.Ceil(20/k.h))
		if round == 0 {
			count, drop = 16, int(math.Ceil(10/k.h))
		}
		if kept, err = w.wander(ctx, z, k.h, s.Friction, k.noise, k.n, drop, count, every); err != nil {
			return nil, nil, err
		}
		for i := range z {
			z[i] = kept[i][len(kept[i])-1]
		}
		if round == 0 {
			states = kept.spread(noiseStates)
			continue
		}
		moved := w.adapt(kept, k)
		probes := w.probesOf(kept) // in the new coordinates
		if moved {
			probes = append(probes, signProbes(d, 4, w.stream(purposeProbe))...)
		}
		if err := w.survey(ctx, nil, probes, moved); err != nil {
			return nil, nil, err
		}
		states = kept.spread(noiseStates)
		if !moved || round == 2 {
			break
		}
	}
	return kept, states, nil
}

// calibratedStates is the number of states at which the noise is measured that a run subtracts.
const calibratedStates = 64

// calibrate measures the noise again along chains with the constants of the run, so that the
// subtracted noise is right for the states of a run and not only for those of the window. It
// returns these states.
func (w *workshop) calibrate(
	ctx context.Context, k *constants, s Settings, from [][]float64,
) ([][]float64, error) {
	z := make([][]float64, pilotChains)
	for i := range z {
		z[i] = from[i*len(from)/pilotChains]
	}
	every := int(math.Ceil(0.8 / k.h))
	kept, err := w.wander(ctx, z, k.h, s.Friction, k.noise, k.n, int(math.Ceil(20/k.h)),
		2*calibratedStates/pilotChains, every)
	if err != nil {
		return nil, err
	}
	states := kept.spread(calibratedStates)
	e := w.estimators()[:1]
	if k.est, err = measureNoise(ctx, w.passes, e[0], w.sizes, k.n, states,
		w.stream(purposeNoise)); err != nil {
		return nil, err
	}
	w.counted(e)
	if k.est.noise.Matrix == nil || k.noise.Matrix != nil {
		k.noise = k.est.noise
	} else {
		k.noise = &Noise{Diag: k.est.noise.Diag}
	}
	k.share = k.est.eigen * k.h / (2 * s.Friction)
	return states, nil
}

// enlarge increases the number of rows of minibatches by a factor.
func (w *workshop) enlarge(k *constants, times float64) error {
	was := k.n
	k.n = 2 * int(math.Ceil(float64(was)*times/2))
	if k.n > w.t.Rows() {
		return &Refusal{"minibatches with an anchor would need as many rows as there are"}
	}
	w.draws(k.n)
	k.noise = k.noise.scaled(float64(was) / float64(k.n))
	return nil
}

// adapt moves the coordinates to the mean of the states, where the anchor is to be, and scales them
// by the states' covariance if its information exceeds its noise. The states are converted to the
// new coordinates. It reports whether the coordinates changed so much that the window should be
// repeated.
func (w *workshop) adapt(kept visited, k *constants) (again bool) {
	d := len(w.white.Mean)
	all := kept.all()
	n := float64(len(all))
	mean := make([]float64, d)
	for _, z := range all {
		for i, x := range z {
			mean[i] += x / n
		}
	}
	effective := n / 4
	old := w.white.Clone()
	next := w.white.Clone()
	old.Point(mean, next.Mean)
	w.white = next
	if w.white.Chol == nil {
		again = w.white.AdaptDiagonal(all, mean, effective, k.bend.mean > 1.5)
	} else {
		again = w.white.AdaptDense(all, mean, effective, k.bend.mean > 1.5)
	}
	x := make([]float64, d)
	for _, z := range all {
		old.Point(z, x)
		w.white.Solve(x, z)
	}
	for _, m := range mean {
		again = again || math.Abs(m) > 1
	}
	return again
}

// Refine returns the set-up for another attempt after draws that were off, by a bias of times what
// is wanted. The share of the noise is reduced by this factor, at least 2 and at most 8, and the
// step by its square root.
func (s *Setup) Refine(times float64) *Setup {
	by := min(max(times, 2), 8)
	out := *s
	pl := &out.Plan
	pl.Attempt++
	pl.Refined = append(slices.Clone(pl.Refined), by)
	pl.Share /= by
	pl.Step /= math.Sqrt(by)
	was := pl.Batch
	pl.Batch = min(2*int(math.Ceil(float64(was)*math.Sqrt(by)/2)), pl.Rows)
	pl.Every = max(int(math.Ceil(0.6/(pl.Step*pl.Friction))), 1)
	if out.class != nil {
		out.sizes = pick.NewSizes(out.class, pl.Batch)
	}
	pl.Always = len(out.sizes.Always())
	out.noise = s.noise.scaled(float64(was) / float64(pl.Batch))
	return &out
}

// Whitening returns the map to the coordinates of the run, in which the posterior is near N(0, I).
func (s *Setup) Whitening() *whitening.Map { return s.white }

// Noise returns the variance of the gradients of the run's minibatches, with respect to z.
func (s *Setup) Noise() *Noise { return s.noise }
