package hmc

import (
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// An Adaptation finds the step size, and on R^n the metric, of a sampler with a Metropolis test
// during the warm-up. It exists only if no step was given. The step follows dual averaging
// throughout (Hoffman and Gelman 2014, section 3.2). The metric is estimated at the ends of windows
// of doubling length, after each of which the step is adapted afresh (Stan reference manual, "HMC
// algorithm parameters").
type Adaptation struct {
	Mapped *adapt.Mapped // for a state with curved blocks: the system's evaluator; otherwise nil

	metric  *adapt.Metric // nil for the identity, on any space
	windows adapt.Windows
	average adapt.DualAverage
	moments adapt.Covariance
	chooser *adapt.Chooser // for a metric whose kind is found; otherwise nil
	size    float64        // step of the next iteration
	used    float64        // step of the last iteration
	scratch []float64
	curved  []bool      // which coordinates are on curved spaces; nil where none is
	point   adapt.Phase // buffer for finding the first step size

	gradients int64 // taken in the warm-up so far
	from      int64 // the first iteration after the pilot
	settled   bool  // the metric is a pilot's, and is kept unless another is predicted to be better
}

// NewAdaptation returns the adaptation of a system. The first pilot iterations of the warm-up are
// those of a pilot; a full pass reads rows rows. If a block is curved and a metric is wanted, the
// system moves in the coordinates of Mapped from now on.
func NewAdaptation(m *Sampler, pilot int64, rows int) *Adaptation {
	n, c := len(m.State.X), &m.Config
	a := &Adaptation{size: 1, average: adapt.DualAverage{Target: c.TargetAccept},
		scratch: make([]float64, n), from: pilot}
	a.windows = adapt.NewWindows(c.Warmup - a.from)
	if a.from > 0 && adapt.Finds(c.Metric) {
		a.windows = adapt.Polishing(c.Warmup - a.from)
	}
	a.windows.Shift(a.from)
	if a.curved = adapt.Curved(m.State.Factors); a.curved != nil {
		if c.Metric != adapt.MetricUnit {
			a.moments = adapt.NewCovariance(n, c.Metric == adapt.MetricDense)
			a.Mapped = adapt.NewMapped(m.Eval, n)
			m.Eval = a.Mapped
		}
		return a
	}
	a.metric = adapt.NewMetricNamed(n, c.Metric)
	a.point = adapt.NewPhase(n, a.metric.Mixes())
	if c.Metric != adapt.MetricUnit {
		a.moments = adapt.NewCovariance(n, c.Metric == adapt.MetricDense)
	}
	if a.chooser = adapt.NewChooser(c.Metric, n, rows); a.chooser != nil {
		a.chooser.Pairs.Begin(a.windows.Length(a.windows.First))
	}
	return a
}

// Walk reads or writes the adaptation, for a checkpoint.
func (a *Adaptation) Walk(d *loop.Codec) {
	d.Float(&a.size)
	d.Int(&a.gradients)
	a.average.Walk(d)
	a.moments.Walk(d)
	if a.metric != nil {
		a.metric.Walk(d)
	}
	if a.Mapped != nil {
		a.walkFlat(d)
	}
	if a.chooser != nil {
		d.Float(&a.chooser.Cost)
		a.chooser.Pairs.Walk(d)
	}
}

// Size returns the step of the next iteration and of the last one; the latter is 0 before the
// first.
func (a *Adaptation) Size() (next, last float64) { return a.size, a.used }

// Gradients returns the number of gradients over all rows that the warm-up has taken so far.
func (a *Adaptation) Gradients() int64 { return a.gradients }

// Metric returns the metric of a state on R^n; nil for other states.
func (a *Adaptation) Metric() *adapt.Metric { return a.metric }

// Trajectory returns the predicted length of a trajectory, in leapfrog steps, for a metric whose
// kind was found; 0 for other metrics.
func (a *Adaptation) Trajectory() float64 {
	if a.chooser == nil {
		return 0
	}
	return a.chooser.Cost
}

// Follow records the step of a pilot's iteration as that of the last iteration.
func (a *Adaptation) Follow(pilot *Adaptation) { a.used = pilot.used }

// Adopt takes over a pilot's metric, and its step times a factor.
func (a *Adaptation) Adopt(pilot *Adaptation, by float64) {
	a.metric.Become(pilot.metric)
	a.size = pilot.size * by
	a.Settle()
}

// Settle marks the metric as a pilot's: it is kept unless another is predicted to be better.
func (a *Adaptation) Settle() { a.settled = true }

// beginAdaptation finds the first step size.
func (m *Sampler) beginAdaptation() error {
	a := m.Adaptation
	if err := m.firstStep(a.from); err != nil {
		return err
	}
	a.average.Restart(a.size)
	return nil
}

// learn updates the adaptation with the acceptance of the current iteration.
func (m *Sampler) learn(accept float64) error {
	a, at := m.Adaptation, m.iterations
	a.used = a.size
	if at >= m.Config.Warmup {
		return nil
	}
	a.gradients += int64(m.Leapfrogs())
	a.size = a.average.Learn(accept)
	if len(a.moments.Mean) > 0 && a.windows.Holds(at) {
		a.moments.Add(a.position(m.State.X), a.scratch)
		if a.chooser != nil {
			a.chooser.Pairs.Add(m.State.X, m.State.Force)
		}
		if a.windows.Ends(at) {
			if a.curved != nil {
				m.fitFlat()
			}
			if a.curved != nil || a.estimate(at) {
				if err := m.firstStep(at + 1); err != nil {
					return err
				}
				a.average.Restart(a.size)
			}
		}
	}
	if at+1 == m.Config.Warmup {
		a.size = a.average.Final()
	}
	return nil
}

// position returns the chain's x for a state in the adaptation's coordinates.
func (a *Adaptation) position(x []float64) []float64 {
	if a.Mapped != nil {
		return a.Mapped.At(x)
	}
	return x
}

// estimate sets the metric from the window that ends with the iteration, and reports whether the
// metric has changed.
func (a *Adaptation) estimate(iteration int64) bool {
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
