package manifold

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Framed is a Manifold whose metric is not that of the numbers around it. Velocities are
// then coordinates in an orthonormal frame of the tangent space that depends on the point,
// so that v·v is the square of the speed, as everywhere else. Gradients must be brought into
// that frame before they move a velocity.
type Framed interface {
	Manifold
	// Pull replaces g, the derivatives of a function by the coordinates of x, by its
	// derivatives along the vectors of the frame at x.
	Pull(x, g []float64)
}

// InFrames returns an evaluator that expresses gradients in the frames of framed spaces. It is e
// itself where no factor is framed.
func InFrames(e target.Evaluator, factors []Factor) target.Evaluator {
	if !slices.ContainsFunc(factors, Factor.Framed) {
		return e
	}
	return &inFrames{e, factors}
}

// Framed reports whether velocities of the factor are expressed in frames.
func (f Factor) Framed() bool {
	_, ok := f.Space.(Framed)
	return ok
}

// An inFrames is the evaluator of InFrames.
type inFrames struct {
	target.Evaluator
	factors []Factor
}

// Pull brings the gradient of a function of a state into the frames of the factors that have
// frames.
func Pull(factors []Factor, x, grad []float64) {
	for i := range factors {
		f := &factors[i]
		space, ok := f.Space.(Framed)
		if !ok {
			continue
		}
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			space.Pull(x[at:at+m], grad[at:at+m])
		}
	}
}

// Gradient is that of the evaluator, in the frames.
func (e *inFrames) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.Evaluator.Gradient(x, rows, scale, jacobian, grad)
	Pull(e.factors, x, grad)
}

// LogDensityGradient is that of the evaluator, the gradient in the frames.
func (e *inFrames) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := e.Evaluator.LogDensityGradient(x, rows, scale, jacobian, grad)
	Pull(e.factors, x, grad)
	return f
}
