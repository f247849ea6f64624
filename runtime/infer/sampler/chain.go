// Package sampler runs chains of samplers on a target. Package table lists the samplers, and
// package settings has the settings of a run. Two samplers differ only in their rows of the table.
package sampler

import (
	"errors"
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/gibbs"
	"github.com/sgppl/sgppl/runtime/infer/sampler/hmc"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// The purposes of random streams, in addition to those of package rng: synthetic noise, the pilot
// and its rows, the first direction of its power iteration, the jitter of gmc, and the first
// direction of a tuner. Draws depend on them: append, never renumber.
const (
	purposeDiffusion rng.Purpose = 1<<16 + iota
	purposeGradient
	purposePilot
	purposePilotRows
	purposeProbe
	purposeJitter
	purposeLook // rows for gradients that are computed for health alone
	purposeTuner
	purposeReference  // draws of the reference law of replica exchange
	purposeSwap       // its Metropolis tests
	purposeSwapRows   // rows by which states are exchanged between replicas on stochastic gradients
	purposeGibbs      // sweeps over full conditionals
	purposeGibbsDraws // what is integrated out in sweeps, for draws
	purposeGibbsStart // latent values before the first sweep
	purposePermute    // exchanges of labels
)

// A Chain is one Markov chain of a run. Its draws are a function of the model,
// the data, the settings and its number. It is not safe for concurrent use.
type Chain struct {
	cfg    settings.Config
	row    *table.Row // that of the first part
	number int
	target target.Target
	eval   target.Evaluator
	made   target.Evaluator // eval without what is around it
	// evaluates in single precision, if the state is in single precision; otherwise nil
	single target.SingleEvaluator
	locals target.LocalEvaluator // for models with latent values of rows; otherwise nil

	motion
	minibatch
	noises
	warmup
	watch
	// of the chain at the posterior, for replica exchange and for exchanges of labels; otherwise nil
	replicas    *replicas
	permutation *permutation
	resident    *resident // for a target that takes the steps; otherwise nil

	step     int64 // steps taken
	finished error
	stats    Stats
}

// A motion has the state of a chain and the programs that move it.
type motion struct {
	state   *flow.State
	program *scheme.Program // that of the first part
	parts   []part          // the blocks, grouped by their settings
	of      []int           // index of the part of each factor of the state
	draws   bool            // the program draws the normals of the kick itself

	// For several parts:
	joint    *scheme.Joint
	sizes    []float64    // step size of each part
	tempered [2][]float64 // buffers of gradients, where the parts' temperatures differ

	gibbs *gibbs.Sampler // for samplers by full conditionals; otherwise nil
	hmc   *hmc.Sampler   // for samplers with a Metropolis test; otherwise nil
}

// A minibatch has the rows that the next step reads.
type minibatch struct {
	batches *batch.Batcher // nil: every step reads every row
	pages   *batch.Pages   // for rows that are read when they are needed; otherwise nil
	reader  target.StreamEvaluator
	onPage  [2]int64 // from the first of these batches to before the second all are in memory
	growth  growth
	rows    []int
	scale   float64
	fetcher target.Fetcher // is told which rows come next; nil where no evaluator wants to know
	onBatch int64          // number of the batch that is in rows; −1 for none
	nothing [1]int         // memory for a minibatch without rows
}

// A noises has the random streams of the steps, and the estimate of the gradient's noise.
type noises struct {
	kick, extra, gradient rng.Stream
	gradientSD            float64 // standard deviation of the synthetic noise added to the gradient
	gradientNoise         []float64
	fisher                fisher // for --grad-noise fisher
}

// A warmup has the parts that find settings which were not given.
type warmup struct {
	mapped   *adapt.Mapped // wraps eval, where there is a pilot
	pilot    *pilot        // for samplers without a Metropolis test that use a metric
	rowPilot *rowPilot     // for samplers with a Metropolis test on many rows; otherwise nil
	tuner    *tuner        // finds steps for samplers without a Metropolis test; otherwise nil
}

// A watch has the parts that observe the steps for health.
type watch struct {
	health  *observer
	observe bool // this step's gradient is observed
	looking bool // this step's state is observed along directions
}

// NewChain makes chain number ≥ 0 of a run and puts it at its start. The settings need not be
// resolved.
func NewChain(t target.Target, c settings.Config, number int) (*Chain, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	ch, err := newChain(t, c, number)
	if err != nil {
		return nil, err
	}
	return ch, ch.start()
}

// newChain makes a chain from resolved settings, without setting its start.
func newChain(t target.Target, c settings.Config, number int) (*Chain, error) {
	ch := &Chain{cfg: c, number: number, target: t, minibatch: minibatch{onBatch: -1, scale: 1}}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return nil, err
	}
	if err := ch.newParts(factors); err != nil {
		return nil, err
	}
	_, gradient, err := c.Synthetic()
	if err != nil {
		return nil, err
	}
	ch.streams()
	if gradient > 0 {
		ch.gradientSD = math.Sqrt(gradient)
		ch.gradientNoise = make([]float64, t.Dim())
	}
	capacity := 1 // full passes process rows blockwise whatever the capacity
	if c.Batch > 0 {
		capacity = c.Batch
		ch.growth.rows = int64(t.Rows())
		if n := int64(c.FirstRows); c.Follow && n > 0 && n < ch.growth.rows {
			ch.growth.rows = n
		}
		ch.batches = ch.batcher()
	} else if err := target.Fold(t); err != nil {
		return nil, &RowsError{err}
	}
	ch.eval = t.NewEvaluator(capacity)
	ch.made = ch.eval
	if ch.batches != nil && ch.reader == nil {
		if f, is := ch.eval.(target.Fetcher); is && f.Fetches(ch.batches.Arranged()) {
			ch.fetcher = f
		}
	}
	ch.follow()
	if len(target.LocalsOf(t)) > 0 {
		ch.locals = ch.eval.(target.LocalEvaluator)
		ch.locals.Locals(c.LocalOptions, c.Seed, number)
	}
	if ch.row.Conditionals {
		ch.gibbs = gibbs.New(t, ch.eval.(target.ConditionalEvaluator), target.ConditionalsOf(t),
			ch.stream(purposeGibbs), ch.stream(purposeGibbsDraws))
	}
	ch.eval = manifold.InFrames(ch.eval, factors)
	if ch.replicas, err = newReplicas(ch, factors); err != nil {
		return nil, err
	}
	ch.permutation = newPermutation(ch)
	if c.Pilots() {
		ch.mapped = adapt.NewMapped(ch.eval, t.Dim())
		ch.eval = ch.mapped
		if ch.pilot, err = newPilot(ch); err != nil {
			return nil, err
		}
	}
	if ch.row.Metropolis {
		if err := ch.newTrajectories(); err != nil {
			return nil, err
		}
	}
	ch.fisher = newFisher(ch)
	ch.single = ch.singleEvaluator(gradient)
	ch.draws = ch.single != nil ||
		!ch.row.Exact() && !ch.mixed() && ch.fisher.average == nil &&
			ch.program.DrawFrom(ch.kick, ch.silent())
	ch.health = newHealth(ch)
	ch.tuner = newTuner(ch)
	if ch.resident, err = newResident(ch); err != nil {
		return nil, err
	}
	ch.stats.StepSizes = make([]float64, len(ch.state.Factors))
	ch.stats.Temperatures = make([]float64, len(ch.state.Factors))
	ch.stats.Kinetic = make([]float64, len(ch.state.Factors))
	ch.stats.Xi = make([]float64, len(ch.state.Factors))
	return ch, nil
}

// singleEvaluator puts the state in single precision and returns its evaluator, if the model
// computes in single precision and the sampler's flows support it; otherwise it returns nil.
// Energies of a Metropolis test need double precision, and so do metrics, curved spaces and
// estimates of the gradient's noise.
func (c *Chain) singleEvaluator(noise float64) target.SingleEvaluator {
	t, ok := c.target.(target.Single)
	if !ok || !t.Single() || c.row.Exact() || c.mixed() || c.pilot != nil ||
		c.fisher.average != nil || noise > 0 {
		return nil
	}
	e, ok := c.eval.(target.SingleEvaluator)
	if !ok || !c.program.BeSingle(c.kick, c.silent()) {
		return nil
	}
	return e
}

func (c *Chain) stream(p rng.Purpose) rng.Stream {
	return rng.New(c.cfg.Seed, c.number, p)
}

func (c *Chain) streams() {
	c.kick = c.stream(rng.Noise)
	c.extra = c.stream(purposeDiffusion)
	c.gradient = c.stream(purposeGradient)
}

// start puts the chain at a point with finite density and gradient, draws v ~ N(0, T Λ), and sets ξ
// to its start.
func (c *Chain) start() error {
	s := c.state
	if c.gibbs != nil {
		src := c.stream(purposeGibbsStart).At(0)
		c.gibbs.Start(&src)
	}
	if c.row.Still {
		return nil
	}
	if err := c.startPosition(); err != nil {
		return err
	}
	src := c.stream(rng.Momentum).At(0)
	for i := range s.Factors {
		f := &s.Factors[i]
		if f.Still {
			continue
		}
		sd := math.Sqrt(c.part(i).cfg.Temperature)
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			f.Space.RandomTangent(&src, s.X[at:at+m], s.V[at:at+m])
		}
		for at := f.Offset; at < f.Offset+f.Len; at++ {
			s.V[at] *= sd
		}
	}
	for i := range s.Factors {
		f := &s.Factors[i]
		for k := f.XiAt; k < f.XiAt+f.XiLen; k++ {
			s.Xi[k] = c.part(i).cfg.StartXi()
		}
	}
	if c.replicas != nil {
		return c.replicas.start(c)
	}
	return nil
}

func (c *Chain) startPosition() error {
	at, spaces := c.startsFrom()
	return at.Place(spaces, c.eval, c.number, c.state.X, c.state.Force)
}

// startsFrom returns the law of the chain's start, and the spaces of the blocks.
func (c *Chain) startsFrom() (start.Law, []manifold.Factor) {
	at := start.Law{Init: c.cfg.Init, Radius: c.cfg.InitRadius, Seed: c.cfg.Seed,
		Plain: c.cfg.PlainStart, Jacobian: c.cfg.Temperature, Drawn: start.DrawnRows(c.target)}
	spaces := make([]manifold.Factor, len(c.state.Factors))
	for i := range spaces {
		spaces[i] = c.state.Factors[i].Factor
	}
	return at, spaces
}

// FailedStart is the last starting point that a chain of a run tries before it
// gives up with an *InitError.
func FailedStart(t target.Target, c settings.Config, number int) ([]float64, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	ch, err := newChain(t, c, number)
	if err != nil {
		return nil, err
	}
	at, spaces := ch.startsFrom()
	return ch.state.X, at.Last(spaces, ch.eval, number, ch.state.X)
}

// computeGradient sets the force of the flow state from the current minibatch. The Jacobian is
// weighted by T, since a chart x = f(y) has the potential Ũ(f(y)) − T log|J(y)|. So the tempered
// law does not depend on the chart.
func (c *Chain) computeGradient() {
	s := c.state
	if c.single != nil {
		q := s.Single
		c.single.GradientSingle(q.X, c.rows, c.scale, c.cfg.Temperature, q.Force)
		if c.observe || c.looking {
			q.PublishForce()
		}
		c.watchGradient()
		return
	}
	estimated := c.fisher.average != nil
	if estimated && c.estimates() {
		c.estimate()
	} else {
		c.eval.Gradient(s.X, c.rows, c.scale, c.cfg.Temperature, s.Force)
	}
	if estimated {
		c.correct()
	}
	if c.tempered[0] != nil {
		c.temper()
	}
	if c.gradientNoise != nil {
		c.gradient.Normals(uint64(c.step), c.gradientNoise)
		for i, z := range c.gradientNoise {
			s.Force[i] += float64(c.gradientSD * z)
		}
	}
	c.watchGradient()
}

// watchGradient passes the step's gradient to the observers.
func (c *Chain) watchGradient() {
	if c.observe {
		c.health.gradient(c)
	}
	if c.looking {
		c.gradientAtStep()
	}
}

// Step takes one step. After an error, the chain keeps its state.
func (c *Chain) Step() error { return c.move(false) }

// Advance takes n steps in fewer passes over memory than n calls of Step, with the same result.
// After an error, the chain keeps its state.
func (c *Chain) Advance(n int64) error {
	for n > 1 {
		if k := min(n-1, c.quiet()); k > 0 {
			if _, err := c.hurry(k); err != nil {
				return err
			}
			n -= k
			continue
		}
		if err := c.move(true); err != nil {
			return err
		}
		n--
	}
	if n < 1 {
		return c.settle()
	}
	return c.move(false)
}

// settle completes the last step, if move left its end to be joined with the next step.
func (c *Chain) settle() error {
	if c.resident != nil && c.finished == nil {
		c.finished = c.resident.settle(c, c.lastStepSize())
		return c.finished
	}
	if c.program.Settle() && !c.state.Finite() {
		c.finished = c.diverged(c.lastStepSize())
	}
	return c.finished
}

// move takes a step. leave says that nothing reads the state before the next step, so that the end
// of this step may be joined with the start of the next.
func (c *Chain) move(leave bool) error {
	if c.finished != nil {
		return c.finished
	}
	switch {
	case c.gibbs != nil:
		return c.sweep()
	case c.row.Still:
		c.step++
		return nil
	}
	if c.pilot != nil && c.step < c.pilot.steps {
		return c.pilotStep()
	}
	if c.rowPilot != nil && c.step < c.rowPilot.steps {
		return c.rowPilotStep()
	}
	if !c.row.Metropolis {
		if err := c.prepare(); err != nil { // the chain has not changed yet
			return err
		}
	}
	if c.replicas != nil {
		leave = false // states may be exchanged
	}
	if c.cycles() {
		leave = false // the next step may have other noise
		c.cool()
	}
	tuning := c.tuning()
	if tuning {
		leave = false
	}
	if c.tuner != nil && c.tuner.wants(c, c.step) {
		c.tune()
	}
	s := c.state
	h := c.stepSize()
	c.observe, c.looking = c.health.wants(c.step), c.health.directions.wants(c.step)
	if c.parts[0].schedule.Explores(c.step) {
		c.observe, c.looking = false, false
	}
	c.health.warmUp(s, c.step)
	if c.row.Metropolis {
		if err := c.iterate(); err != nil {
			c.finished = err
			return err
		}
	} else {
		if c.mixed() {
			c.together()
		} else if c.resident != nil {
			leave = leave && !c.observe && !c.looking
			if c.finished = c.resident.step(c, h, leave); c.finished != nil {
				return c.finished
			}
		} else if !c.draws {
			c.program.Run(h)
		} else if !c.program.Step(h, leave && !c.observe && !c.looking) {
			c.finished = c.diverged(c.lastStepSize())
			return c.finished
		}
	}
	c.step++
	if !c.left() && !c.finite() {
		if tuning && c.retreat() {
			return nil
		}
		c.finished = c.diverged(h)
		return c.finished
	}
	if tuning && c.tuner.rest.on() {
		c.tuner.rest.see(c.step, s.X)
	}
	if c.fisher.err != nil {
		c.finished = c.fisher.err
		return c.finished
	}
	if c.observe {
		c.health.state(s)
	}
	if c.looking {
		c.look()
	}
	if c.permutation != nil && c.step > c.cfg.Warmup {
		if c.finished = c.permute(); c.finished != nil {
			return c.finished
		}
	}
	if c.replicas != nil {
		c.finished = c.exchange()
	}
	return c.finished
}

// cycles reports whether the chain moves in cycles, at whose ends it has its draws.
func (c *Chain) cycles() bool { return c.parts[0].schedule.Cycle() > 0 }

// cool sets the temperature of the step's noise: 0 while a cycle explores.
func (c *Chain) cool() {
	c.state.Temperature = c.cfg.Temperature
	if c.parts[0].schedule.Explores(c.step) {
		c.state.Temperature = 0
	}
}

// prepare fetches the step's minibatch and random numbers.
func (c *Chain) prepare() error {
	c.precondition()
	if c.locals != nil { // drawn anew for every minibatch, with adaptation that decreases over the run
		c.locals.Visit(uint64(c.step/int64(c.cfg.InnerSteps)), true)
	}
	if c.batches != nil {
		if k := c.step / int64(c.cfg.InnerSteps); k != c.onBatch {
			if err := c.turn(k); err != nil {
				return err
			}
			c.nextBatch(k)
		}
	}
	switch {
	case c.draws:
		c.state.Drawing.Moment = uint64(c.step)
	case c.silent():
		clear(c.state.Noise)
	default:
		c.kick.Normals(uint64(c.step), c.state.Noise)
	}
	if c.state.Extra != nil {
		c.extra.Normals(uint64(c.step), c.state.Extra)
	}
	return nil
}

// silent reports whether the noise of the kick is zero for all parts.
func (c *Chain) silent() bool {
	return !c.any(func(p *part) bool { return !p.row.Velocity || p.cfg.Friction != 0 })
}

// Number returns the number of the chain in its run.
func (c *Chain) Number() int { return c.number }

// Config is the resolved configuration.
func (c *Chain) Config() settings.Config { return c.cfg }

// Steps returns the number of steps taken so far.
func (c *Chain) Steps() int64 { return c.step }

// Draws returns the number of draws that these steps have given.
func (c *Chain) Draws() int64 {
	return max(0, min((c.step-c.cfg.Warmup)/c.cfg.Thin, c.cfg.Draws))
}

// Done reports whether the chain has taken every step of the run.
func (c *Chain) Done() bool { return c.step >= c.cfg.Steps() }

// Position returns the chain's x. It is read-only and valid until the next step.
func (c *Chain) Position() []float64 {
	if c.mapped != nil {
		return c.mapped.At(c.state.X)
	}
	return c.state.X
}

// Xi returns the thermostat variables. They are read-only.
func (c *Chain) Xi() []float64 { return c.state.Xi }

// Constrain writes the current state as a draw, in the model's coordinates.
func (c *Chain) Constrain(out []float64) { c.eval.Constrain(c.state.X, out) }

// IsNonFinite returns the *NonFiniteError in the chain of err, if there is one.
func IsNonFinite(err error) (*NonFiniteError, bool) {
	var e *NonFiniteError
	return e, errors.As(err, &e)
}
