package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Run is a set of pairs of chains that are run in rounds.
type Run struct {
	t       target.Target
	setup   *Setup
	set     Settings
	pairs   []*pair
	evals   []target.DifferenceEvaluator
	history []*history
	watches []*watch
	handed  []int64 // draws passed to the sink, by chain
	last    *Report
	tracked []int       // places of the tracked numbers in a draw
	out     [][]float64 // buffers for a draw, by chain
	state   [][]byte    // buffers for checkpoints
	warmup  int64       // steps before the first draw

	// Buffers for statistics of a draw, by block:
	blocks                   []target.Block
	perBlock, ones, friction []float64
	kinetic                  [][]float64
}

// Warmup returns the number of steps of a chain before its first draw.
func (r *Run) Warmup() int64 { return r.warmup }

// NewRun makes the chains of a plan and puts them at their starts.
func NewRun(t target.Target, s *Setup, set Settings) (*Run, error) {
	set = set.filled(t.Rows())
	if s.middle != nil {
		t = chart.About(t, s.middle)
	}
	r := &Run{t: t, setup: s, set: set, tracked: tracked(t.OutputLen()), blocks: t.Blocks()}
	pl := &s.Plan
	coarse, err := newKick(pl.Step, pl.Friction, s.noise)
	if err != nil {
		return nil, err
	}
	fine, err := newKick(pl.Step/2, pl.Friction, s.noise)
	if err != nil {
		return nil, err
	}
	r.warmup = int64(math.Ceil(40 / pl.Step))
	for range r.blocks {
		r.perBlock, r.ones, r.friction = append(r.perBlock, pl.Step), append(r.ones, 1),
			append(r.friction, pl.Friction)
	}
	for c := range s.starts {
		e, _ := target.DifferenceOf(t.NewEvaluator(min(pl.Batch+pl.Always, 1024)))
		r.evals = append(r.evals, e)
		d := len(s.starts[c])
		p := &pair{number: c, coarse: newWalker(d), fine: newWalker(d),
			kicks: [2]*kick{coarse.forChain(), fine.forChain()},
			est:   control.New(e, s.anchor, s.white), sizes: s.sizes,
			xi: make([]float64, d), xj: make([]float64, d), sum: make([]float64, d),
			batches: rng.New(set.Seed, c, purposeBatch), normals: rng.New(set.Seed, c, purposeKick),
			hold: pick.AtOnce(t)}
		p.prepare(pl.Batch)
		copy(p.coarse.z, s.starts[c])
		p.normals.Normals(1<<62, p.coarse.v)
		copy(p.fine.z, p.coarse.z)
		copy(p.fine.v, p.coarse.v)
		r.pairs = append(r.pairs, p)
		r.history = append(r.history, &history{})
		r.watches = append(r.watches,
			newWatch(d, s.sizes, pl.Batch, rng.New(set.Seed, c, purposeNoise)))
		r.out = append(r.out, make([]float64, t.OutputLen()))
		r.kinetic = append(r.kinetic, make([]float64, len(r.blocks)))
	}
	r.handed, r.state = make([]int64, len(r.pairs)), make([][]byte, len(r.pairs))
	return r, nil
}

// Steps returns how many steps chain c has taken, and how many draws it has given.
func (r *Run) Steps(c int) (steps, draws int64) { return r.pairs[c].steps, r.handed[c] }

// Report returns the report of the last round; nil before its end.
func (r *Run) Report() *Report { return r.last }

// Output returns the place in a draw of a number of the report.
func (r *Run) Output(i int) int { return r.tracked[i] }

// Rows returns the number of rows evaluated so far; a difference counts twice.
func (r *Run) Rows() int64 {
	n := int64(0)
	for _, p := range r.pairs {
		n += p.est.Count
	}
	return n
}

// longest returns the largest number of rounds. mostRounds are enough for the effective draws that
// bound the bias by the default MaxBias. For more effective draws or a smaller bias there are
// correspondingly more rounds, and two to spare.
func (r *Run) longest() int {
	need := max(r.set.TargetESS, reportESS*math.Pow(0.1/r.set.MaxBias, 2))
	return mostRounds + 2 + max(int(math.Ceil(special.Log(need/reportESS)/special.Log(longer))), 0)
}
