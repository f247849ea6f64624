package optimize

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Chain is one run of an algorithm from one start. Its points are a function
// of the model, the data, the settings and its number. It is not safe for
// concurrent use.
type Chain struct {
	cfg    Config
	row    *Row
	number int
	target target.Target
	eval   target.Evaluator
	locals target.LocalEvaluator // where the model has latent values of rows; else nil
	masks  target.MaskEvaluator  // where the model has dropout; else nil

	schedule scheme.Schedule
	minibatch
	noises rng.Stream
	constants

	body[float64]                        // the state
	half          *half                  // the state in single precision; nil without
	single        target.SingleEvaluator // eval, with half
	broken        bool                   // the state is not finite

	step     int64 // steps taken
	judge    judge
	average  []float64 // of the last part of the steps
	averaged int64
	finished error
	stats    Stats
}

// minibatch is the rows that the next step reads.
type minibatch struct {
	batches *batch.Batcher // nil: every row at every step
	rows    []int
	scale   float64
	onBatch int64                  // the batch that rows holds; −1: none
	reader  target.StreamEvaluator // eval, where rows are read as they are needed; else nil
	pages   *batch.Pages           // of them
}

// constants are the settings that updates read; 0 where the algorithm has none.
type constants struct {
	burnin, annealA, annealGamma, friction, floor, mu, decay, v0, lambda float64
	perRow                                                               float64 // 1/N
}

// NewChain makes chain number ≥ 0 of a run and puts it at its start. held,
// which may be nil, has held-out data. The settings are resolved first, so
// they may be as the user gave them.
func NewChain(t, held target.Target, c Config, number int) (*Chain, error) {
	ch, err := newChain(t, held, c, number)
	if err != nil {
		return nil, err
	}
	return ch, ch.start()
}

// newChain makes a chain without a start.
func newChain(t, held target.Target, cfg Config, number int) (*Chain, error) {
	cfg, err := cfg.Resolve(t, held)
	if err != nil {
		return nil, err
	}
	c := &Chain{cfg: cfg, number: number, target: t, minibatch: minibatch{onBatch: -1, scale: 1},
		constants: constants{perRow: 1 / rowsOf(t)}}
	c.row, _ = Lookup(cfg.Algorithm)
	if c.schedule, err = scheme.ParseSchedule(cfg.Schedule, cfg.Step, cfg.Steps); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		to   *float64
		from *float64
	}{{&c.burnin, cfg.Burnin}, {&c.annealA, cfg.AnnealA}, {&c.annealGamma, cfg.AnnealGamma},
		{&c.friction, cfg.Friction},
		{&c.floor, cfg.XiFloor}, {&c.mu, cfg.Momentum}, {&c.decay, cfg.Decay}, {&c.v0, cfg.V0},
		{&c.lambda, cfg.Lambda}} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	capacity := 1 // full passes work in blocks whatever the capacity
	if cfg.Batch > 0 {
		capacity = cfg.Batch
		c.batches = c.batcher()
	}
	c.eval = t.NewEvaluator(capacity)
	c.follow()
	n := t.Dim()
	c.average, c.passes = make([]float64, n), &passes64
	if len(target.LocalsOf(t)) > 0 {
		c.locals = c.eval.(target.LocalEvaluator)
		c.locals.Locals(cfg.LocalOptions, cfg.Seed, number)
	}
	if len(target.MasksOf(t)) > 0 {
		c.masks = c.eval.(target.MaskEvaluator)
		c.masks.Train(cfg.Seed, number)
	}
	c.noises = rng.New(cfg.Seed, number, rng.Noise)
	c.newHalf()
	c.layout(c.row, n, c.half == nil)
	c.judge = newJudge(held, n)
	return c, nil
}

// start puts the chain at a point of finite density, with p ~ N(0, T) and
// thermostats at ξ0.
func (c *Chain) start() error {
	if len(c.x) == 0 {
		return &sampler.InitError{Chain: c.number, Problem: "the model has no parameters",
			Try: "a model with a param"}
	}
	spaces, err := manifold.Product(c.target.Blocks(), c.target.Dim())
	if err != nil {
		return err
	}
	at := c.startsFrom()
	if err := at.Place(spaces, c.eval, c.number, c.x, make([]float64, len(c.x))); err != nil {
		return err
	}
	if !c.row.Thermostat {
		return nil
	}
	if temp := c.temperature(); temp > 0 {
		src, sd := rng.New(c.cfg.Seed, c.number, rng.Momentum).At(0), math.Sqrt(temp)
		for i := range c.p {
			c.p[i] = float64(sd * src.Normal())
		}
	}
	for i := range c.xi {
		c.xi[i] = *c.cfg.Xi0
	}
	if c.row.Prepares {
		if err := c.fetch(); err != nil {
			return err
		}
		c.prepare()
	}
	return nil
}

func (c *Chain) startsFrom() start.Law {
	return start.Law{Init: c.cfg.Init, Radius: c.cfg.InitRadius, Seed: c.cfg.Seed,
		Plain: c.cfg.PlainStart, Drawn: start.DrawnRows(c.target)}
}

// FailedStart is the last starting point that a chain of a run tries before it
// gives up with a *sampler.InitError.
func FailedStart(t, held target.Target, c Config, number int) ([]float64, error) {
	spaces, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return nil, err
	}
	ch, err := newChain(t, held, c, number)
	if err != nil {
		return nil, err
	}
	at := ch.startsFrom()
	return ch.x, at.Last(spaces, ch.eval, number, ch.x)
}

// explores reports whether step t, counted from 0, is one of the exploration.
func (c *Chain) explores(t int64) bool { return c.row.Anneals && float64(t) < c.burnin }

// temperatureAt is that of step t: 1/β = (t + 1)^−γ/A in the exploration, 0
// after it, and without one.
func (c *Chain) temperatureAt(t int64) float64 {
	if !c.explores(t) {
		return 0
	}
	return special.Exp(-float64(c.annealGamma*special.Log(float64(t+1)))) / c.annealA
}

// temperature is that of the next step.
func (c *Chain) temperature() float64 { return c.temperatureAt(c.step) }

// alive reports whether thermostats move: not in the refinement after an exploration.
func (c *Chain) alive() bool { return !c.row.Anneals || c.explores(c.step) }

// fetch gets the minibatch of the next step.
func (c *Chain) fetch() error {
	if c.batches != nil && c.step != c.onBatch {
		if err := c.turn(c.step); err != nil {
			return err
		}
		c.rows, c.scale = c.batches.At(c.step)
		c.onBatch = c.step
	}
	return nil
}

// Step takes one step, and looks at the criterion where one is due. After an
// error the chain stays at its state; after a *sampler.RowsError it is whole, and
// may try again.
func (c *Chain) Step() error {
	if c.finished != nil {
		return c.finished
	}
	if err := c.fetch(); err != nil {
		return err
	}
	if c.row.Anneals && float64(c.step) == c.burnin {
		c.raise()
	}
	h := c.schedule.At(c.step)
	c.row.update.run(c, h)
	c.step++
	if c.broken {
		c.finished = c.diverged(h)
		return c.finished
	}
	if c.step > c.cfg.Steps-c.averagedSteps() {
		c.publish()
		c.averaged++
		weight := 1 / float64(c.averaged)
		for i, x := range c.x {
			c.average[i] += float64(weight * (x - c.average[i]))
		}
	}
	if c.checks() {
		c.check()
	}
	return nil
}

// checks reports whether the criterion is computed after the last step.
func (c *Chain) checks() bool { return c.step%c.cfg.CheckEvery == 0 || c.step == c.cfg.Steps }

// averagedSteps are the last steps, which are averaged.
func (c *Chain) averagedSteps() int64 { return int64(c.cfg.Average * float64(c.cfg.Steps)) }

// diverged makes the error of a state that is not finite.
func (c *Chain) diverged(h float64) error {
	c.publish()
	e := &sampler.NonFiniteError{Chain: c.number, Step: c.step, LastGood: c.step - 1, StepSize: h,
		Try: []string{setting.Sprintf("a smaller {step} (%.2g)", h/3)}}
	fast := 0
	// The gradient is the cause where it is not finite and x was.
	for _, q := range []struct {
		name string
		x    []float64
	}{{"gradient", c.force}, {"momentum", c.p}, {"position", c.x}, {"thermostat", c.xi},
		{"average of squares", c.square}} {
		if i := slices.IndexFunc(q.x, func(a float64) bool { return !special.Finite(a) }); i >= 0 {
			e.Quantity, e.Value, fast = q.name, q.x[i], i
			break
		}
	}
	for _, b := range c.target.Blocks() {
		if fast >= b.Offset && fast < b.Offset+b.Len {
			e.Block, e.Index = b.Name, fast-b.Offset
		}
	}
	if c.cfg.Clip == 0 {
		e.Try = append(e.Try, setting.Text("{clip} with a bound of the gradient"))
	}
	if _, has := c.row.Uses["friction"]; has {
		e.Try = append(e.Try, setting.Sprintf("more {friction} (now %g)", c.friction))
	}
	if e.LastGood < 100 {
		e.Try = append(e.Try, setting.Text("a better {init}"))
	}
	if e.Quantity == "gradient" && math.IsNaN(e.Value) {
		e.Try = append(e.Try, "`sgppl test`, which names terms that are not finite")
	}
	return e
}

// Number returns the number of the chain, from 0.
func (c *Chain) Number() int { return c.number }

// Config is the resolved configuration.
func (c *Chain) Config() Config { return c.cfg }

// Steps is how many steps the chain has taken.
func (c *Chain) Steps() int64 { return c.step }

// Stopped reports whether the chain ended early, out of patience.
func (c *Chain) Stopped() bool { return c.cfg.Patience > 0 && c.judge.worse >= c.cfg.Patience }

// Done reports whether the chain has ended.
func (c *Chain) Done() bool { return c.step >= c.cfg.Steps || c.Stopped() }

// Position is the chain's x, to be read only, and before the next step.
func (c *Chain) Position() []float64 {
	c.publish()
	return c.x
}
