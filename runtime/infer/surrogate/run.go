package surrogate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// Numbers of the streams that are drawn from.
const (
	purposeRows rng.Purpose = 1<<18 + iota
	purposeProbe
	purposeResample
	purposeMove
	purposePropose
	purposeTest
	purposeSub
)

const (
	// MostUnknowns is how many unknowns a surrogate is made for: a pass takes 2 d + 1
	// gradients of every row, and a step d² numbers.
	MostUnknowns = 2000
	// DefaultRows is how many rows are taken as they are where no number is given.
	DefaultRows = 2000
	// MostAnchors is how many passes for the second order there are at most.
	MostAnchors = 6
	anchored    = 0.1 // how far the mean may be from the anchor at last, in standard deviations
	moveChains  = 4
	moveWarmup  = 300
	moveDraws   = 400 // of each chain, between two anchors
	agreeRhat   = 1.1
	// otherDepth is how much lower another maximum is, on the rows that climbs see, that
	// counts: two maxima that are alike on all rows may differ by a few times the root of
	// the rows seen, and no check of draws about one of them sees the other.
	otherDepth = 200
	farthest   = 30 // standard deviations from the anchor; further out the surrogate has no law
)

// Settings of a surrogate.
type Settings struct {
	Seed    uint64
	Rows    int // that are taken as they are, about; 0: DefaultRows, −1: none
	Correct int // rounds of a Metropolis test against all rows
	// Accept keeps draws that cannot stand for the posterior, and says so.
	Accept bool
	// Combine has the draws be those of a combination of subposteriors of shards.
	Combine Combination
	Init    [][]float64
	Radius  float64
}

// A Refusal says why a posterior has no surrogate that can stand for it.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

func refuse(format string, a ...any) error { return &Refusal{setting.Sprintf(format, a...)} }

// Suits says why a target can have no surrogate; nil where it may.
func Suits(t target.Target) error {
	switch {
	case t.Rows() == 0:
		return refuse("the model has no axis that can be minibatched, so there are no rows that a " +
			"surrogate would spare")
	case len(target.LocalsOf(t)) > 0:
		return refuse("the rows have latent values that chains draw")
	case t.Dim() > MostUnknowns:
		return refuse("%d unknowns are more than %d, and a surrogate has the square of their number",
			t.Dim(), MostUnknowns)
	}
	for _, b := range t.Blocks() {
		if b.Geometry.Kind != "euclidean" {
			return refuse("%s is on a curved space (%s)", b.Name, b.Geometry.Kind)
		}
	}
	if _, ok := target.DifferenceOf(t.NewEvaluator(1)); !ok {
		return refuse("the gradients of its rows are no functions of the state alone")
	}
	return nil
}

// A fit is a surrogate on its way.
type fit struct {
	t      target.Target
	on     target.Target // has rows to look at: t, or a pilot of it
	rows   Passes
	set    Settings
	o      loop.Options
	white  *whitening.Map
	anchor []float64
	sds    []float64
	all    *Expansion
	some   target.Target // in memory, with its rows
	passes int           // over all rows
}

// begin looks at what kind of target it is.
func begin(t target.Target, set Settings, o loop.Options) (f *fit, err error) {
	if err := Suits(t); err != nil {
		return nil, err
	}
	if set.Rows == 0 {
		set.Rows = DefaultRows
	}
	f = &fit{t: t, on: t, set: set, o: o}
	if far, is := t.(Remote); is {
		f.on, f.rows = far.Pilot(), far.Passes()
		return f, nil
	}
	f.rows, err = newLocal(t, set.Seed, o)
	return f, err
}

// find locates the posterior, moves the anchor to the mean, and draws the rows that are taken
// as they are. It returns how many passes that took. The error is a *Refusal where there is no
// surrogate.
func (f *fit) find(ctx context.Context) (*Surrogate, int, error) {
	set := &f.set
	at, err := tall.Locate(ctx, f.on, tall.Settings{Seed: set.Seed, Init: set.Init,
		Radius: set.Radius, Depth: otherDepth}, f.o)
	if other := new(tall.Refusal); errors.As(err, &other) {
		return nil, 0, &Refusal{other.Error()}
	} else if err != nil {
		return nil, 0, err
	}
	f.white, f.anchor = at.White, append([]float64(nil), at.White.Mean...)
	f.sds = scales(f.white)
	if err := f.takeNoRows(); err != nil {
		return nil, 0, err
	}
	if err := f.additive(ctx); err != nil {
		return nil, 0, err
	}
	for k := 0; ; k++ {
		tall.Say(ctx, fmt.Sprintf("the second order of all rows, anchor %d", k+1))
		if f.all, err = f.rows.Expand(ctx, f.anchor, f.sds); err != nil {
			return nil, 0, err
		}
		f.passes++
		moved, err := f.move(ctx)
		if err != nil {
			return nil, 0, err
		}
		if moved <= anchored {
			break
		}
		if k+1 == MostAnchors {
			return nil, 0, refuse("after %d anchors the mean of the surrogate is still %.2g "+
				"standard deviations from its anchor", MostAnchors, moved)
		}
	}
	s, err := f.withRows(ctx, set.Rows)
	return s, f.passes, err
}

// scales are the standard deviations by a map.
func scales(w *whitening.Map) []float64 {
	d := len(w.Mean)
	out := make([]float64, d)
	for i := range out {
		if w.Chol == nil {
			out[i] = w.Diag[i]
			continue
		}
		row := w.Chol[i*d : i*d+i+1]
		out[i] = math.Sqrt(dot(row, row))
	}
	return out
}

// takeNoRows has the prior evaluated: of a stream it takes one row in memory.
func (f *fit) takeNoRows() (err error) {
	f.some = f.on
	if pick.AtOnce(f.on) > 0 {
		f.some, err = pick.Part(f.on, []int{0})
	}
	return err
}

// additive refuses rows whose log likelihoods, one by one, do not add up to that of the
// rows together: of those the weighted sum of a surrogate would be another.
func (f *fit) additive(ctx context.Context) error {
	const looked = 64
	n := f.on.Rows()
	var rows []int
	for i := range min(looked, n) {
		rows = append(rows, i*n/min(looked, n))
	}
	of, places := f.on, rows
	if pick.AtOnce(f.on) > 0 {
		part, err := pick.Part(f.on, rows)
		if err != nil {
			return err
		}
		of, places = part, pick.Places(rows, rows)
	}
	e := of.NewEvaluator(len(places))
	lik := make([]float64, len(places))
	x := append([]float64(nil), f.anchor...)
	for k := range 2 {
		for i := range x {
			x[i] += float64(float64(k) * 0.3 * f.sds[i])
		}
		e.LogLik(x, places, lik)
		want := e.LogDensity(x, places, 1, 0) - e.LogDensity(x, nothing, 1, 0)
		sum, size := 0.0, 0.0
		for _, l := range lik {
			sum += l
			size += math.Abs(l)
		}
		if !(math.Abs(sum-want) <= 1e-8*(1+size+math.Abs(want))) {
			return refuse("the log likelihoods of rows, one by one, do not add up to that of all: a " +
				"term of a row is no likelihood of what is observed")
		}
	}
	return ctx.Err()
}

// move runs short chains on the surrogate without rows, fits the coordinates to them, and
// puts the anchor at their mean. It returns how far that is, in standard deviations.
func (f *fit) move(ctx context.Context) (float64, error) {
	s := New(f.some, f.white, append([]float64(nil), f.anchor...), f.all, f.sds, nil, nil)
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Warmup, cfg.Draws, cfg.Chains = "nuts", moveWarmup, moveDraws, moveChains
	src := rng.New(f.set.Seed, f.passes, purposeMove).At(0)
	cfg.Seed, cfg.InitRadius = src.Uint64(), 0.5
	run, err := Sample(ctx, s, cfg, f.o)
	if err != nil {
		return 0, err
	}
	d := len(f.anchor)
	n := float64(moveChains * moveDraws)
	mean := make([]float64, d)
	var states [][]float64
	for _, c := range run.States {
		for _, x := range c {
			states = append(states, x)
			for i, v := range x {
				mean[i] += v / n
			}
		}
	}
	if rhat := run.rhat(); rhat > agreeRhat {
		return 0, refuse("chains on the surrogate disagree (R-hat %.2f): the likelihood is not near "+
			"its second order where the posterior is", rhat)
	}
	far, sds := 0.0, make([]float64, d)
	z := make([]float64, d)
	zs := make([][]float64, len(states))
	for k, x := range states {
		f.white.Solve(x, z)
		zs[k] = append([]float64(nil), z...)
		for i, v := range x {
			sds[i] += float64((v-mean[i])*(v-mean[i])) / (n - 1)
		}
	}
	for i, v := range sds {
		sds[i] = math.Sqrt(v)
		if far = max(far, math.Abs(mean[i]-f.anchor[i])/sds[i]); !(sds[i] < farthest*f.sds[i]) {
			return 0, refuse("the surrogate spreads without end: the likelihood bends the wrong way " +
				"at its anchor")
		}
	}
	zmean := make([]float64, d)
	f.white.Solve(mean, zmean)
	next := f.white.Clone()
	if next.Chol != nil {
		next.AdaptDense(zs, zmean, n/2, true)
	} else {
		next.AdaptDiagonal(zs, zmean, n/2, true)
	}
	copy(next.Mean, mean)
	f.white, f.sds = next, sds
	if far > anchored {
		f.anchor = mean
	}
	return far, nil
}

// withRows draws rows by leverage, and returns the surrogate that takes them as they are.
func (f *fit) withRows(ctx context.Context, size int) (*Surrogate, error) {
	if size < 0 {
		return New(f.some, f.white, f.anchor, f.all, f.sds, nil, nil), nil
	}
	tall.Say(ctx, "the leverage of each row")
	of, rows, weights, err := f.rows.Take(ctx, f.anchor, f.white, size)
	if err != nil {
		return nil, err
	}
	f.passes++
	if len(rows) == 0 {
		of = f.some
	}
	return New(of, f.white, f.anchor, f.all, f.sds, rows, weights), nil
}

// A Sampled is what chains on a surrogate gave.
type Sampled struct {
	States [][][]float64 // x, by chain and draw
	LP     [][]float64   // log π̂ with its Jacobian
	Stats  [][]sampler.Stats
	Chains []*sampler.Chain
}

// Sample runs chains of nuts on a surrogate and keeps their states.
func Sample(
	ctx context.Context, s *Surrogate, cfg sampler.Config, o loop.Options,
) (*Sampled, error) {
	cfg, err := cfg.Resolve(s)
	if err != nil {
		return nil, err
	}
	n := cfg.Chains
	out := &Sampled{States: make([][][]float64, n), LP: make([][]float64, n),
		Stats: make([][]sampler.Stats, n), Chains: make([]*sampler.Chain, n)}
	for k := range n {
		if out.Chains[k], err = sampler.NewChain(s, cfg, k); err != nil {
			return nil, refuse("chains on the surrogate cannot begin: %v", err)
		}
	}
	err = loop.Parallel(ctx, n, o.Threads, func(_, k int) error {
		c, e := out.Chains[k], s.NewEvaluator(1)
		for !c.Done() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.Step(); err != nil {
				return refuse("a chain on the surrogate left: %v", err)
			}
			if after := c.Steps() - cfg.Warmup; after <= 0 || after%cfg.Thin != 0 {
				continue
			}
			x, z := make([]float64, s.Dim()), c.Position()
			out.LP[k] = append(out.LP[k], e.LogDensity(z, nil, 1, 1))
			s.White.Point(z, x)
			out.States[k] = append(out.States[k], x)
			out.Stats[k] = append(out.Stats[k], copied(c.Stats()))
		}
		return nil
	})
	return out, err
}

func copied(s *sampler.Stats) sampler.Stats {
	out := *s
	for _, p := range []*[]float64{&out.StepSizes, &out.Temperatures, &out.Kinetic, &out.Xi} {
		*p = append([]float64(nil), *p...)
	}
	return out
}

// rhat is the largest of a coordinate.
func (s *Sampled) rhat() float64 {
	var w diagnose.Workspace
	worst := 1.0
	series := make([][]float64, len(s.States))
	for i := range s.States[0][0] {
		for k, c := range s.States {
			series[k] = series[k][:0]
			for _, x := range c {
				series[k] = append(series[k], x[i])
			}
		}
		worst = max(worst, w.Rhat(series))
	}
	return worst
}
