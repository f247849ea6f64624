package hmc

import (
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// fitFlat sets the metric of the flat coordinates from the states of the window, and changes the
// chain to the metric's coordinates at its present point.
func (m *Sampler) fitFlat() {
	a := m.Adaptation
	if a.moments.N < 2 {
		return
	}
	x := a.scratch
	copy(x, a.Mapped.At(m.State.X))
	spread := adapt.CurvedSpread(m.State.Factors, &a.moments)
	a.moments.Flatten(a.curved)
	if a.Mapped.Metric == nil {
		a.Mapped.Metric = a.newFlat()
	}
	a.Mapped.Metric.Estimate(&a.moments)
	a.Mapped.Metric.Divide(a.curved, spread)
	a.moments.Reset()
	a.Mapped.Metric.Solve(x)
	copy(m.State.X, x)
	m.gradient()
}

// newFlat returns the metric of the flat coordinates before it is estimated, the identity.
func (a *Adaptation) newFlat() *adapt.Metric {
	return adapt.NewMetric(len(a.scratch), a.moments.Dense)
}

// walkFlat reads or writes the metric of the flat coordinates, if there is one, for a checkpoint.
func (a *Adaptation) walkFlat(d *loop.Codec) {
	known := int64(0)
	if a.Mapped.Metric != nil {
		known = 1
	}
	d.Int(&known)
	if known != 1 {
		a.Mapped.Metric = nil
		return
	}
	if a.Mapped.Metric == nil {
		a.Mapped.Metric = a.newFlat()
	}
	a.Mapped.Metric.Walk(d)
}
