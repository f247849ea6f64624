package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Of a state with curved blocks a metric is that of its flat coordinates: chains
// move in z, x = L z, with L the identity on the curved ones, which keep the
// metric of their space. A step then serves both where z has the same spread on
// flat and on curved blocks: L of a flat block is divided by the curved ones'.

// curvedCoordinates says which coordinates of the state are on curved spaces; nil
// where none is.
func (c *Chain) curvedCoordinates() []bool {
	if allFlat(c.state.Factors) {
		return nil
	}
	out := make([]bool, len(c.state.X))
	for i := range c.state.Factors {
		f := &c.state.Factors[i]
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			out[k] = !f.Flat
		}
	}
	return out
}

// curvedSpread is the deviation of a curved block in a tangent direction, over all of
// them.
func (c *Chain) curvedSpread(m *adapt.Covariance) float64 {
	sum, directions, stride := 0.0, 0.0, 1
	if m.Dense {
		stride = len(m.Mean) + 1
	}
	for i := range c.state.Factors {
		f := &c.state.Factors[i]
		if f.Flat {
			continue
		}
		directions += float64(f.Dim())
		for k := f.Offset; k < f.Offset+f.Len; k++ {
			sum += m.M2[k*stride] / (m.N - 1)
		}
	}
	if s := math.Sqrt(sum / directions); s > 0 && special.Finite(s) {
		return s
	}
	return 1
}

// fitFlat makes the metric of the flat coordinates that of the window's states, and
// goes on in its coordinates from where the chain is.
func (c *Chain) fitFlat() {
	a := c.adapt
	if a.moments.N < 2 {
		return
	}
	x := a.scratch
	copy(x, c.mapped.At(c.state.X))
	spread := c.curvedSpread(&a.moments)
	a.moments.Flatten(a.curved)
	if c.mapped.Metric == nil {
		c.mapped.Metric = adapt.NewMetric(len(x), c.cfg.Metric == adapt.MetricDense)
	}
	c.mapped.Metric.Estimate(&a.moments)
	c.mapped.Metric.Divide(a.curved, spread)
	a.moments.Reset()
	c.mapped.Metric.Solve(x)
	copy(c.state.X, x)
	c.carriedGradient()
}

// walkFlat visits the metric of the flat coordinates, if there is one yet.
func (c *Chain) walkFlat(d *loop.Codec) {
	there := int64(0)
	if c.mapped.Metric != nil {
		there = 1
	}
	d.Int(&there)
	if there != 1 {
		c.mapped.Metric = nil
		return
	}
	if c.mapped.Metric == nil {
		c.mapped.Metric = adapt.NewMetric(len(c.state.X), c.cfg.Metric == adapt.MetricDense)
	}
	c.mapped.Metric.Walk(d)
}
