package approximate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A space is coordinates of R^d of a target: those that it has, or those of charts about a state
// where it has blocks on curved spaces. Some coordinates may be held at a point.
type space struct {
	of     target.Target // the target, or its charts
	curved *chart.Target // of; nil where there are none
	free   []int         // coordinates that are not held; nil: all
	held   []float64     // where the others are
}

// spaceOf returns the coordinates of a target about a state.
func spaceOf(t target.Target, state []float64) *space {
	if !chart.Curved(t) {
		return &space{of: t}
	}
	c := chart.About(t, state)
	return &space{of: c, curved: c}
}

// dim is the number of coordinates that are not held.
func (s *space) dim() int {
	if s.free != nil {
		return len(s.free)
	}
	return s.of.Dim()
}

// An evaluator evaluates the density in the coordinates of a space. It is for one goroutine.
type evaluator struct {
	*space
	e     target.Evaluator
	chart *chart.Evaluator // e; nil without charts
	x, g  []float64        // of all coordinates
	calls int              // of the density or its gradient
}

func (s *space) evaluator(capacity int) *evaluator {
	e := &evaluator{space: s, e: s.of.NewEvaluator(max(capacity, 1)), x: make([]float64, s.of.Dim()),
		g: make([]float64, s.of.Dim())}
	e.chart, _ = e.e.(*chart.Evaluator)
	copy(e.x, s.held)
	return e
}

// all returns the coordinates of a point with those that are held.
func (e *evaluator) all(z []float64) []float64 {
	if e.free == nil {
		copy(e.x, z)
		return e.x
	}
	for i, at := range e.free {
		e.x[at] = z[i]
	}
	return e.x
}

// logDensity is that of all rows, with the Jacobian of the coordinates: −∞ where it is not a
// number.
func (e *evaluator) logDensity(z []float64) float64 {
	e.calls++
	f := e.e.LogDensity(e.all(z), nil, 1, 1)
	if math.IsNaN(f) {
		return math.Inf(-1)
	}
	return f
}

// gradient is logDensity and its gradient, of some rows with a weight, or of all where rows is
// nil. The value is −∞ where the gradient is not finite.
func (e *evaluator) gradient(
	z []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	e.calls++
	f := e.e.LogDensityGradient(e.all(z), rows, scale, jacobian, e.g)
	if e.free == nil {
		copy(grad, e.g)
	} else {
		for i, at := range e.free {
			grad[i] = e.g[at]
		}
	}
	return finiteOr(f, grad)
}

// state writes the state of the target at a point.
func (e *evaluator) state(z, out []float64) {
	x := e.all(z)
	if e.chart == nil {
		copy(out, x)
		return
	}
	e.chart.Move(x)
	copy(out, e.chart.Point)
}

// coordinates writes those of a state, and returns the log Jacobian of the charts there; −∞ of
// states that charts leave out.
func (e *evaluator) coordinates(state, z []float64) float64 {
	x, jacobian := state, 0.0
	if e.chart != nil {
		if !e.chart.Coordinates(state, e.x) {
			return math.Inf(-1)
		}
		jacobian, x = e.chart.Move(e.x), e.x
	}
	if e.free == nil {
		copy(z, x)
		return jacobian
	}
	for i, at := range e.free {
		z[i] = x[at]
	}
	return jacobian
}

// nameOf names coordinate i of those that are not held, by its block.
func (s *space) nameOf(i int) string {
	if s.free != nil {
		i = s.free[i]
	}
	for _, b := range s.of.Blocks() {
		if i >= b.Offset && i < b.Offset+b.Len {
			return element(b, i-b.Offset)
		}
	}
	return ""
}

// finiteOr is v, or −∞ where it or the gradient is not finite.
func finiteOr(v float64, grad []float64) float64 {
	if math.IsNaN(v) || special.FirstNonFinite(grad) >= 0 {
		return math.Inf(-1)
	}
	return v
}

// stateLen is the length of a state of the target.
func (s *space) stateLen() int { return chart.StateLen(s.of) }
