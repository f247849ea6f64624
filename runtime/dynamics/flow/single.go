package flow

import (
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Single is the state of a sampler in single precision: position, velocity,
// thermostats, preconditioner and force, every result of a flow rounded once.
// It is one flat span. Sizes of noise, times and friction under no thermostat
// are computed in double precision and rounded.
type Single struct {
	X, V, Xi, Force, Square []float32
	// Noise has the step's standard normals for flows; step joins make their own.
	Noise   []float32
	Drawing DrawingOf[float32]

	of    *State
	whole span[float32] // of a step join that is not shared
	decay []float32
	taken bool // it holds what State does, or what came of it
	known bool // State has the force
}

// BeSingle gives the state a twin in single precision, which all flows then
// work on; State has what Publish copies there. It reports false, and changes
// nothing, where the state is not one flat span or one of the flows has no
// form in single precision.
func (s *State) BeSingle(flows []Kind, stream rng.Stream, silent bool) bool {
	if len(s.Spans) != 1 || s.Extra != nil || !s.Plain() {
		return false
	}
	f := &s.Spans[0]
	if !f.Flat || f.Offset != 0 || f.Len != len(s.X) || f.Grain == Point {
		return false
	}
	for _, k := range flows {
		if singles[k] == nil && k != Gradient {
			return false
		}
	}
	n := len(s.X)
	q := &Single{of: s, X: make([]float32, n), Force: make([]float32, n),
		Drawing: NewDrawing[float32](stream, silent, n)}
	q.V, q.Square = make([]float32, len(s.V)), make([]float32, len(s.Square))
	q.Xi, q.decay = make([]float32, len(s.Xi)), make([]float32, len(s.decay))
	s.Single, s.Noise, s.decay = q, nil, nil
	return true
}

// Take rounds the state into its twin, unless the twin has it. Drop says that
// it has it no longer.
func (q *Single) Take() {
	if q.taken {
		return
	}
	q.taken = true
	kernel.Narrow(q.X, q.of.X)
	kernel.Narrow(q.V, q.of.V)
	kernel.Narrow(q.Xi, q.of.Xi)
	kernel.Narrow(q.Square, q.of.Square)
}

// Drop has the twin take the state again.
func (q *Single) Drop() { q.taken = false }

// Publish copies the state in single precision into the state in double precision. The conversion
// is exact.
func (q *Single) Publish() {
	kernel.Widen(q.of.X, q.X)
	kernel.Widen(q.of.V, q.V)
	kernel.Widen(q.of.Xi, q.Xi)
	kernel.Widen(q.of.Square, q.Square)
	if !q.known {
		kernel.Widen(q.of.Force, q.Force)
	}
	q.known = false
}

// PublishForce is Publish of position and force alone, after which the force
// stays until the next Publish.
func (q *Single) PublishForce() {
	kernel.Widen(q.of.X, q.X)
	kernel.Widen(q.of.Force, q.Force)
	q.known = true
}

// Finite reports whether position, velocity and thermostats all are.
func (q *Single) Finite() bool { return finite32(q.X) && finite32(q.V) && finite32(q.Xi) }

// finite32 is finite. The sum is in double precision, which no numbers in single
// overflow.
func finite32(x []float32) bool {
	s := kernel.Sum32(x)
	return s-s == 0
}

// Finite32 is Finite in single precision.
func Finite32(x []float32) bool { return finite32(x) }

// Draw fills Noise with the normals of the step.
func (q *Single) Draw() {
	if q.Noise == nil {
		q.Noise = make([]float32, len(q.X))
	}
	q.Drawing.All(q.Noise)
}

func (q *Single) grain() Grain { return q.of.Spans[0].Grain }

// Run is one flow on the whole state.
func (q *Single) Run(k Kind, t float64) { singles[k](q, t) }
