package manifold

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Mirrored is R^n folded along its coordinate planes: the target depends on
// |x_i| alone, so that a step which leaves the positive orthant has landed on
// a mirror image and is as good as its reflection (Patterson and Teh 2013,
// section 3). To dynamics it is flat; only its starts differ.
type Mirrored struct{ Euclidean }

func newMirrored(g target.Geometry) (Manifold, error) {
	e, err := newEuclidean(g)
	if err != nil {
		return nil, err
	}
	return Mirrored{e.(Euclidean)}, nil
}

// Kind is the name of the table's row.
func (Mirrored) Kind() string { return "mirrored" }

// RandomPoint is positive: the exponential of a uniform number on (−radius,
// radius) in every coordinate, as parameters of type positive start. Radius 0
// is the point of ones, since the density may be singular at the origin.
func (Mirrored) RandomPoint(src Source, radius float64, x []float64) {
	for i := range x {
		x[i] = special.Exp(float64(radius * (float64(2*src.Float64()) - 1)))
	}
}
