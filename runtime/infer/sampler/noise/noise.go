// Package noise estimates the covariance of the gradient's noise, the whole matrix of a small state
// and a diagonal with leading directions of a large one, and draws the noise of a kick that leaves
// it out.
package noise

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

// A Shape estimates the covariance V of the gradient's noise in all directions,
// N² Cov, and generates the noise of the kick with this covariance subtracted.
type Shape interface {
	// Begin starts an estimate: new rows have the weight add, the previous estimate keep.
	Begin(keep float64)
	// Row adds weight d dᵀ. It may overwrite d, a vector of the state.
	Row(s *flow.State, d []float64, weight float64)
	// End completes an estimate.
	End(s *flow.State, average []float64)
	// Largest returns the largest variance along any direction, and the coordinate
	// with the largest component in that direction.
	Largest() (variance float64, at int)
	// Kick turns standard normals z into noise of covariance have t − V scale t². Where
	// that is negative, the covariance is 0.
	Kick(s *flow.State, z []float64, have, scale, t float64)
	// Times writes the product V a.
	Times(a, out []float64)
	// Walk reads or writes the estimate in a checkpoint.
	Walk(d *loop.Codec)
}

// wholeMatrix is the most coordinates of a state whose whole covariance is kept.
const wholeMatrix = 32

// New returns an estimate suited to the number of coordinates of the state.
func New(s *flow.State) Shape {
	if n := len(s.X); n <= wholeMatrix {
		return &wholeNoise{cov: matrix.New(n), work: matrix.New(n), vectors: matrix.New(n),
			values: make([]float64, n), scratch: make([]float64, n)}
	}
	return NewSpiked(s)
}
