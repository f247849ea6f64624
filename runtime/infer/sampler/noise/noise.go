// Package noise estimates the covariance of the gradient's noise, and draws the noise of a kick
// with this covariance subtracted. The estimate is the whole matrix for a small state, and a
// diagonal with leading directions for a large one.
package noise

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

// A Shape estimates the covariance V of the gradient's noise in all directions,
// N² Cov, and generates the noise of the kick with this covariance subtracted.
type Shape interface {
	// Begin starts an estimate. New rows have the weight add, the previous estimate the weight keep.
	Begin(keep float64)
	// Row adds weight d dᵀ. It may overwrite d, a vector of the state.
	Row(s *flow.State, d []float64, weight float64)
	// End completes an estimate.
	End(s *flow.State, average []float64)
	// Largest returns the largest variance along any direction, and the coordinate
	// with the largest component in that direction.
	Largest() (variance float64, at int)
	// Kick turns standard normals z into noise with the covariance have·t − V·scale·t². In directions
	// where that is negative, the noise is 0.
	Kick(s *flow.State, z []float64, have, scale, t float64)
	// Times writes the product V a.
	Times(a, out []float64)
	// Walk reads or writes the estimate in a checkpoint.
	Walk(d *loop.Codec)
}

// wholeMatrix is the largest number of coordinates for which the whole covariance is kept.
const wholeMatrix = 32

// New returns an estimate suited to the number of coordinates of the state.
func New(s *flow.State) Shape {
	if n := len(s.X); n <= wholeMatrix {
		return &wholeNoise{cov: matrix.New(n), work: matrix.New(n), vectors: matrix.New(n),
			values: make([]float64, n), scratch: make([]float64, n)}
	}
	return NewSpiked(s)
}
