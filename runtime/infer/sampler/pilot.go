package sampler

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A pilot is the first half of the warm-up of a sampler without a Metropolis test that uses a
// metric: iterations of nuts, which reaches the posterior from any start, and whose states show the
// scales of the coordinates. For minibatches of many rows it uses a subset of the rows, each with
// the weight of several. Its metric and step may be rough.
//
// After it, the chain continues from nuts's state in the coordinates z of x = L z, with its own
// dynamics.
type pilot struct {
	chain   *Chain // nil after the pilot
	steps   int64
	moments adapt.Covariance
	states  [][]float64 // states at which the step is chosen
	kept    int64
	scratch []float64
	step    float64 // found or given; 0 before the end of the pilot
}

const (
	pilotRows = 10000 // for models with minibatches
	probes    = 16    // number of states at which the step is chosen
	// A trajectory of the pilot reads at most this many rows, or has 63 steps: in the first metric,
	// trajectories to the ends of a narrow posterior are long.
	trajectoryRows = 1 << 20
)

// newPilot makes the pilot of a chain, without setting its start.
func newPilot(c *Chain) (*pilot, error) {
	n := len(c.state.X)
	p := &pilot{steps: min(c.cfg.Warmup/2, settings.LongestPilot), scratch: make([]float64, n)}
	p.moments = adapt.NewCovariance(n, c.cfg.Metric == adapt.MetricDense)
	for range probes {
		p.states = append(p.states, make([]float64, n))
	}
	cfg := settings.DefaultConfig()
	cfg.Sampler, cfg.Metric, cfg.Temperature = "nuts", c.cfg.Metric, c.cfg.Temperature
	cfg.Warmup, cfg.Draws = p.steps, 0
	src := c.stream(purposePilot).At(0)
	cfg.Seed = src.Uint64()
	of := c.target
	rows := of.Rows()
	if c.cfg.Batch > 0 && rows > max(pilotRows, c.cfg.Batch) {
		some := batch.Some(rows, max(pilotRows, c.cfg.Batch), c.stream(purposePilotRows))
		of, rows = target.NewSubset(of, some, float64(rows)/float64(len(some))), len(some)
	}
	cfg.MaxDepth = pilotDepth(rows)
	cfg, err := cfg.Resolve(of)
	if err != nil {
		return nil, err
	}
	p.chain, err = newChain(of, cfg, c.number)
	return p, err
}

// walk reads or writes the pilot, for a checkpoint of its chain at the chain's step.
func (p *pilot) walk(c *Chain, d *loop.Codec) {
	d.Float(&p.step)
	if c.step < p.steps {
		p.chain.walk(d)
		d.Int(&p.kept)
		p.kept = max(p.kept, 0) // a damaged checkpoint may have any number here
		p.moments.Walk(d)
		for _, x := range p.states {
			d.Floats(x)
		}
		if d.Reading() {
			p.chain.hmc.Forget()
		}
		return
	}
	m := c.mapped.Metric
	if m == nil {
		m = adapt.NewMetricNamed(len(c.state.X), c.cfg.Metric)
	}
	m.Walk(d)
	if d.Reading() {
		c.take(m)
	}
}

// pilotStep takes a step of the pilot.
func (c *Chain) pilotStep() error {
	p := c.pilot
	of := p.chain
	if c.step == 0 {
		copy(of.state.X, c.state.X)
	}
	if err := of.Step(); err != nil {
		c.finished = err
		return err
	}
	copy(c.state.X, of.Position())
	if c.step >= p.steps/2 {
		p.moments.Add(c.state.X, p.scratch)
		if every := max(p.steps/4/probes, 1); c.step >= p.steps-probes*every &&
			(p.steps-1-c.step)%every == 0 {
			copy(p.states[p.kept%probes], c.state.X)
			p.kept++
		}
	}
	c.step++
	if c.step == p.steps {
		c.finished = c.land()
	}
	return c.finished
}

// land ends the pilot: the chain continues from its state, in its metric.
func (c *Chain) land() error {
	p := c.pilot
	if curved := adapt.Curved(c.state.Factors); curved != nil {
		return c.landCurved(curved)
	}
	m := adapt.NewMetricNamed(len(c.state.X), c.cfg.Metric)
	if own := p.chain.hmc.Adaptation.Metric(); !own.Plain() && adapt.Finds(c.cfg.Metric) ||
		c.cfg.Metric != adapt.MetricUnit && !m.Whitens(&p.moments) {
		m = own // the metric of nuts itself
	}
	c.mapped.Metric = m
	for _, x := range p.states {
		m.Solve(x)
	}
	m.Solve(c.state.X)
	p.step = c.cfg.Step
	if p.step == 0 {
		if p.step = c.findStep(); !(p.step > 0 && special.Finite(p.step)) {
			return &start.Error{Chain: c.number,
				Problem: fmt.Sprintf("the curvature of the density is not finite where %d "+
					"iterations of nuts have come", p.steps),
				Try: setting.Text("a longer {warmup}, or {step}")}
		}
	}
	c.take(m)
	return nil
}

// landCurved is land if a block is curved. The step is given, or is found by the tuner in the rest
// of the warm-up.
func (c *Chain) landCurved(curved []bool) error {
	p := c.pilot
	m := adapt.NewMetric(len(c.state.X), c.cfg.Metric == adapt.MetricDense)
	if c.cfg.Metric != adapt.MetricUnit {
		spread := adapt.CurvedSpread(c.state.Factors, &p.moments)
		p.moments.Flatten(curved)
		if !m.Whitens(&p.moments) {
			return &start.Error{Chain: c.number,
				Problem: fmt.Sprintf("the states of %d iterations of nuts do not span the flat "+
					"coordinates", p.steps), Try: setting.Text("a longer {warmup}, or no {metric}")}
		}
		m.Divide(curved, spread)
	}
	m.Solve(c.state.X)
	p.step = c.cfg.Step
	c.take(m)
	return nil
}

// take continues the chain with a metric and the pilot's step.
func (c *Chain) take(m *adapt.Metric) {
	p := c.pilot
	c.mapped.Metric = m
	if s, err := scheme.ParseSchedule(c.cfg.Schedule, p.step, c.cfg.Steps()); err == nil {
		c.parts[0].schedule = s
	}
	p.chain, p.states, p.moments = nil, nil, adapt.Covariance{}
}
