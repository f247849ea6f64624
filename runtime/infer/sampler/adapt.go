package sampler

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// An adaptation finds the step size, and the metric on R^n, of a sampler with
// a Metropolis test during warm-up. It exists where no step was given. The
// step follows dual averaging throughout (Hoffman and Gelman 2014, section
// 3.2); the metric is estimated at the ends of windows of doubling length,
// after each of which the step starts anew (Stan reference manual, "HMC
// algorithm parameters").
type adaptation struct {
	metric  *adapt.Metric // nil: the identity, whatever the space
	windows adapt.Windows
	average adapt.DualAverage
	moments adapt.Covariance
	chooser *adapt.Chooser // of a metric whose kind is found; else nil
	size    float64        // step of the next iteration
	used    float64        // step of the last
	scratch []float64
	curved  []bool      // coordinates on curved spaces; nil where none is
	point   adapt.Phase // for the first step sizes
	// Gradients of the warm-up until now.
	gradients int64
	from      int64 // the first iteration that is no pilot's
	settled   bool  // the metric is a pilot's, and stays unless another is predicted to be better
}

func newAdaptation(c *Chain) *adaptation {
	n := len(c.state.X)
	a := &adaptation{size: 1, average: adapt.DualAverage{Target: c.cfg.TargetAccept},
		scratch: make([]float64, n)}
	if c.rowPilot != nil {
		a.from = c.rowPilot.steps
	}
	a.windows = adapt.NewWindows(c.cfg.Warmup - a.from)
	if a.from > 0 && adapt.Finds(c.cfg.Metric) {
		a.windows = adapt.Polishing(c.cfg.Warmup - a.from)
	}
	a.windows.Shift(a.from)
	if a.curved = c.curvedCoordinates(); a.curved != nil {
		if c.cfg.Metric != adapt.MetricUnit {
			a.moments = adapt.NewCovariance(n, c.cfg.Metric == adapt.MetricDense)
			c.mapped = adapt.NewMapped(c.eval, n)
			c.eval = c.mapped
		}
		return a
	}
	a.metric = adapt.NewMetricNamed(n, c.cfg.Metric)
	a.point = adapt.NewPhase(n, a.metric.Mixes())
	if c.cfg.Metric != adapt.MetricUnit {
		a.moments = adapt.NewCovariance(n, c.cfg.Metric == adapt.MetricDense)
	}
	if a.chooser = adapt.NewChooser(c.cfg.Metric, n, c.passRows()); a.chooser != nil {
		a.chooser.Pairs.Begin(a.windows.Length(a.windows.First))
	}
	return a
}

func allFlat(factors []flow.Factor) bool {
	for i := range factors {
		if !factors[i].Flat {
			return false
		}
	}
	return true
}

// walk visits what the adaptation knows, for a checkpoint.
func (a *adaptation) walk(c *Chain, d *loop.Codec) {
	d.Float(&a.size)
	d.Int(&a.gradients)
	a.average.Walk(d)
	a.moments.Walk(d)
	if a.metric != nil {
		a.metric.Walk(d)
	}
	if a.curved != nil && c.mapped != nil {
		c.walkFlat(d)
	}
	if a.chooser != nil {
		d.Float(&a.chooser.Cost)
		a.chooser.Pairs.Walk(d)
	}
}

// stepSize is h of the next step.
func (c *Chain) stepSize() float64 {
	if c.adapt != nil {
		return c.adapt.size
	}
	return c.parts[0].schedule.At(c.step)
}

// lastStepSize is h of the last step.
func (c *Chain) lastStepSize() float64 {
	if c.adapt != nil && c.adapt.used > 0 {
		return c.adapt.used
	}
	if c.pilot != nil && c.pilot.chain != nil {
		return c.pilot.chain.lastStepSize()
	}
	return c.parts[0].schedule.At(max(c.step-1, 0))
}

// beginAdaptation finds the first step size.
func (c *Chain) beginAdaptation() error {
	a := c.adapt
	if err := c.firstStep(a.from); err != nil {
		return err
	}
	a.average.Restart(a.size)
	return nil
}

// learn takes the acceptance of the iteration that c.step still counts from 0.
func (c *Chain) learn(accept float64) error {
	a := c.adapt
	a.used = a.size
	if c.step >= c.cfg.Warmup {
		return nil
	}
	a.gradients += int64(c.leapfrogs())
	a.size = a.average.Learn(accept)
	if len(a.moments.Mean) > 0 && a.windows.Holds(c.step) {
		a.moments.Add(c.Position(), a.scratch)
		if a.chooser != nil {
			a.chooser.Pairs.Add(c.state.X, c.state.Force)
		}
		if a.windows.Ends(c.step) {
			if a.curved != nil {
				c.fitFlat()
			}
			if a.curved != nil || a.estimate(c.step) {
				if err := c.firstStep(c.step + 1); err != nil {
					return err
				}
				a.average.Restart(a.size)
			}
		}
	}
	if c.step+1 == c.cfg.Warmup {
		a.size = a.average.Final()
	}
	return nil
}

// leapfrogs returns the steps of the last trajectory.
func (c *Chain) leapfrogs() int {
	if c.nuts != nil {
		return c.nuts.steps
	}
	return c.trajectory.steps
}

// estimate makes the metric that of the window which ends with an iteration, and
// reports whether it is another.
func (a *adaptation) estimate(iteration int64) bool {
	defer a.moments.Reset()
	if a.chooser == nil {
		a.metric.Estimate(&a.moments)
		return true
	}
	m := adapt.NewFoundMetric(a.metric.N)
	copy(m.SD, a.metric.SD)
	m.Estimate(&a.moments)
	a.chooser.Choose(m)
	defer a.chooser.Pairs.Begin(a.windows.Length(iteration + 1))
	if a.settled && a.chooser.Prefers(a.metric) {
		return false
	}
	a.settled = false
	a.metric.Become(m)
	return true
}

// firstStep doubles or halves the step until the acceptance of one leapfrog
// step crosses 0.8 (Hoffman and Gelman 2014, algorithm 4, with Stan's 0.8 and
// its fresh momentum for each try). Position and density are as they were.
// A start far out in the tails of an explosive model needs steps of 1e-100:
// after half the tries they fall by more than halves.
func (c *Chain) firstStep(iteration int64) error {
	const limit = 100
	a := c.adapt
	up := false
	for try := range limit {
		rise := c.oneLeap(uint64(iteration)*limit + uint64(try))
		enough := -rise > firstAcceptance
		if try == 0 {
			up = enough
		} else if up != enough {
			return nil
		}
		switch {
		case up && a.size > largestStep:
			return &start.Error{Chain: c.number,
				Problem: fmt.Sprintf("no step size is too large here (%g): the posterior has no "+
					"finite integral, or is flat where the chain is", a.size),
				Try: setting.Text("proper priors, or {step}")}
		case up:
			a.size *= 2
		case try < limit/2:
			a.size /= 2
		default:
			a.size /= 1024
		}
	}
	return &start.Error{Chain: c.number,
		Problem: "no step size is small enough here: the density is not smooth, or its gradient is wrong", Try: setting.Text("another {init}, or {step}")}
}

// firstAcceptance is log 0.8.
const firstAcceptance = -0.2231435513142097

const largestStep = 1e7

// oneLeap is the rise of the energy over T in one leapfrog step with a momentum
// from the stream of adaptation; +Inf where that is not finite.
func (c *Chain) oneLeap(key uint64) float64 {
	a, s, m, t := c.adapt, c.state, &c.trajectory, c.cfg.Temperature
	a.gradients++
	copy(m.v, s.V)
	c.velocity(c.stream(rng.Adapt), key, t)
	kinetic := flow.SumSquares(s.V)
	var after, density float64
	if a.metric != nil {
		p := &a.point
		p.Set(s.X, s.V, s.Force, m.density)
		a.metric.Whiten(p)
		a.metric.Aim(a.size)
		a.metric.Leap(c.eval, t, p)
		after, density = flow.SumSquares(p.R), p.Density
	} else {
		before := m.density
		copy(m.x, s.X)
		copy(m.force, s.Force)
		c.program.Run(a.size)
		after, density = flow.SumSquares(s.V), m.density
		copy(s.X, m.x)
		copy(s.Force, m.force)
		m.density = before
	}
	copy(s.V, m.v)
	rise := ((m.density - density) + float64(0.5*(after-kinetic))) / t
	if !special.Finite(rise) {
		return math.Inf(1)
	}
	return rise
}

// travel is the trajectory of gmc on R^n in the metric.
func (a *adaptation) travel(c *Chain, h float64) {
	s, m := c.state, &c.trajectory
	p := adapt.Phase{X: s.X, R: s.V, G: s.Force, W: a.point.W, Density: m.density}
	a.metric.Whiten(&p)
	a.metric.Aim(h)
	for range m.steps {
		if a.metric.Leap(c.eval, c.cfg.Temperature, &p); !special.Finite(p.Density) {
			break
		}
	}
	m.density = p.Density
}
