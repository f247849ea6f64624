package sampler

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// A tuner finds the step and the friction of samplers on stochastic gradients in the warm-up, from
// minibatches alone. At some steps it measures the curvature of the density and the noise of the
// minibatch at the chain's state, and sets step and friction by tunedPart.rule. At the end of the
// warm-up both are frozen, so that the draws have the law of a run with constant settings.
type tuner struct {
	from, until int64 // the steps at which it may measure
	every       int64 // minibatches between two measurements
	parts       []tunedPart
	caution     float64 // factor on the step of the rule; reduced after a divergence
	tunerCounts
	safe     []float64 // the position at the last measurement
	first    []float64 // the position at the first measurement
	returns  int64     // returns to the position of the last measurement since then
	u        []float64 // the direction of the largest curvature, over all parts
	variance []float64 // variance of each coordinate of a minibatch's gradient
	taken    []float64 // by thermostat: how far above the friction it was set
	rest     restWatch
	tunerWork
}

// tunerCounts has the counts of a tuner's work.
type tunerCounts struct {
	looks       int64
	gradients   int64 // gradients of a whole minibatch that measurements took
	divergences int64 // number of times that the state was reset to that of a measurement
}

// tunerWork has the buffers of a tuner.
type tunerWork struct {
	scale, at, move, grad, other []float64
	noise                        [noiseGroups / 2][]float64
	rows                         []int
	factors                      []manifold.Factor
}

const (
	tunerLooks   = 32 // measurements in the warm-up, in addition to those at its beginning
	tunerMemory  = 12 // number of measurements that the averages cover
	firstTurns   = 30 // power iterations at the first measurement
	laterTurns   = 3
	noiseGroups  = 8 // number of parts of a minibatch whose gradients are compared
	mostReturns  = 40
	slowGrowth   = 1.5 // largest growth of the step from one measurement to the next
	leastCaution = 1.0 / 1024
)

// newTuner returns the tuner of a chain; nil if all steps are given, or are found by the pilot.
func newTuner(c *Chain) *tuner {
	if c.row.Exact() || !c.any(func(p *part) bool { return p.cfg.Tunes() }) {
		return nil
	}
	if c.pilot != nil && adapt.Flat(c.state.Factors) {
		return nil
	}
	n := len(c.state.X)
	t := &tuner{until: c.cfg.Warmup, caution: 1}
	if c.pilot != nil {
		t.from = c.pilot.steps
	}
	inner := int64(c.cfg.InnerSteps)
	t.every = max(1, (t.until-t.from)/inner/tunerLooks)
	for _, x := range []*[]float64{&t.safe, &t.first, &t.u, &t.scale, &t.at, &t.move, &t.grad,
		&t.other, &t.variance} {
		*x = make([]float64, n)
	}
	t.taken = make([]float64, len(c.state.Xi))
	for k := range t.noise {
		t.noise[k] = make([]float64, n)
	}
	t.rows = make([]int, 0, noiseGroups*max(1, min(c.cfg.Batch, noiseGroups)))
	for i := range c.state.Factors {
		t.factors = append(t.factors, c.state.Factors[i].Factor)
	}
	c.stream(purposeTuner).Normals(0, t.u)
	// With an anchor, noise is far below that of plain minibatches, whatever the passes.
	_, anchored := c.target.(rowDrawer)
	plain := c.batches != nil && !c.exact() && !anchored
	if c.pilot == nil && plain {
		t.rest = newRestWatch(t.from, t.until, n)
	}
	t.parts = make([]tunedPart, len(c.parts))
	for k := range c.parts {
		p := &c.parts[k]
		t.parts[k] = tunedPart{on: p.cfg.Tunes(), friction: p.cfg.TunesFriction(),
			kind:     kindOf(p.row),
			tunedRun: tunedRun{steps: float64(c.cfg.BegunSteps()), inner: float64(inner)}}
		if plain {
			t.parts[k].rows = float64(c.target.Rows())
			t.parts[k].ratio = t.parts[k].rows / c.batches.Size()
			t.parts[k].passes = float64(c.cfg.BegunSteps()/inner) / t.parts[k].ratio
		}
		t.parts[k].hot = t.parts[k].kind == withVelocity && t.rest.on()
		if c.reshuffles() {
			t.parts[k].pass = float64(c.batches.PerPass() * int64(c.cfg.InnerSteps))
		}
		for i := range c.state.Factors {
			if c.part(i) == p {
				t.parts[k].blocks = append(t.parts[k].blocks, i)
				t.parts[k].dim += float64(c.state.Factors[i].Dim())
			}
		}
	}
	return t
}

// wants reports whether the tuner measures before a step.
func (t *tuner) wants(c *Chain, step int64) bool {
	inner := int64(c.cfg.InnerSteps)
	if step == t.from && t.looks == 0 {
		return true
	}
	if step < t.from || step >= t.until || step%inner != 0 {
		return false
	}
	k := (step - t.from) / inner
	return k&(k-1) == 0 || k%t.every == 0
}

// early reports whether the chain is in the first half of the steps at which the tuner measures.
func (t *tuner) early(c *Chain) bool { return 2*(c.step-t.from) <= t.until-t.from }

// tuning reports whether the step may still change.
func (c *Chain) tuning() bool {
	return c.tuner != nil && c.step >= c.tuner.from && c.step < c.tuner.until
}

// tune measures curvature and noise at the chain's state, for the current minibatch, and sets the
// step and the friction of the parts that have none given.
func (c *Chain) tune() {
	t := c.tuner
	if c.locals != nil { // uses draws of latent values that no step of the chain uses
		c.locals.Visit(tunerVisit+uint64(c.step), false)
	}
	copy(t.safe, c.state.X)
	if t.looks == 0 {
		copy(t.first, t.safe)
	}
	t.returns = 0
	c.eval.Gradient(t.safe, c.rows, c.scale, c.cfg.Temperature, t.grad)
	t.gradients++
	for k := range t.parts {
		t.parts[k].scales(c, t)
	}
	t.observeNoise(c)
	turns := laterTurns
	if t.looks == 0 {
		turns = firstTurns
	}
	resting := t.rest.on() && c.step >= t.rest.until &&
		slices.ContainsFunc(t.parts, func(p tunedPart) bool { return p.hot })
	if resting {
		t.rests(c)
	}
	for k := range t.parts {
		p := &t.parts[k]
		if !p.on {
			continue
		}
		p.observe(t.curvature(c, p, turns), t.looks)
		step, friction := p.rule(&c.parts[k].cfg)
		step *= t.caution
		if t.looks > 0 {
			step = min(step, slowGrowth*p.step)
		}
		before := c.parts[k].cfg.StartXi()
		p.step, p.damping = step, friction
		p.give(c, &c.parts[k])
		p.shift(c, c.parts[k].cfg.StartXi()-before)
		p.settle(c, &c.parts[k], t.early(c) || resting || p.hurries())
	}
	c.retune()
	if t.early(c) {
		t.caution = min(1, 1.1*t.caution)
	}
	t.looks++
	if c.locals != nil {
		c.locals.Visit(uint64(c.step/int64(c.cfg.InnerSteps)), true)
	}
}

// tunerVisit is the number of the first visit to rows that is made for a tuner; it is above the
// numbers of steps.
const tunerVisit = 1 << 36

// retreat resets a chain whose state is not finite to the state of the tuner's last measurement,
// with a smaller step. It returns false if that has happened too often.
func (c *Chain) retreat() bool {
	t := c.tuner
	if t.divergences >= mostReturns {
		return false
	}
	t.divergences++
	if t.returns++; t.returns > 2 { // that measurement was made when the state was already diverging
		copy(t.safe, t.first)
		t.returns = 0
	}
	t.caution = max(t.caution/2, leastCaution)
	c.program.Publish()
	s := c.state
	copy(s.X, t.safe)
	clear(s.V)
	for k := range t.parts {
		p := &t.parts[k]
		if p.on {
			p.step /= 2
		}
	}
	for k := range t.parts {
		t.parts[k].settle(c, &c.parts[k], true)
	}
	c.retune()
	return c.state.Finite()
}

// retune sets the found settings in the parts of the chain.
func (c *Chain) retune() {
	for k := range c.tuner.parts {
		if p := &c.tuner.parts[k]; p.on && p.step > 0 {
			p.give(c, &c.parts[k])
		}
	}
	if q := c.health.directions.leading; q != nil {
		q.setOwn(c)
	}
	c.program.Forget()
}

// walk reads or writes the tuner, for a checkpoint of its chain.
func (t *tuner) walk(c *Chain, d *loop.Codec) {
	d.Int(&t.looks)
	d.Int(&t.gradients)
	d.Int(&t.divergences)
	d.Int(&t.returns)
	d.Float(&t.caution)
	for k := range t.parts {
		t.parts[k].walk(d)
	}
	if c.step >= t.from && c.step < t.until {
		d.Floats(t.u)
		d.Floats(t.safe)
		d.Floats(t.first)
		d.Floats(t.variance)
		d.Floats(t.taken)
		t.rest.walk(d)
	}
	if d.Reading() {
		c.retune()
	}
}
