package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Euclidean is R^n with its ordinary metric.
type Euclidean struct{ n int }

func newEuclidean(g target.Geometry) (Manifold, error) {
	if g.Dim < 1 {
		return nil, fmt.Errorf("R^n needs n ≥ 1, not %d", g.Dim)
	}
	return Euclidean{g.Dim}, nil
}

// NewEuclidean is R^n.
func NewEuclidean(n int) Euclidean { return Euclidean{n} }

func (Euclidean) Kind() string   { return "euclidean" }
func (e Euclidean) Dim() int     { return e.n }
func (e Euclidean) Ambient() int { return e.n }

// Flow is the straight line x + t v.
func (Euclidean) Flow(x, v []float64, t float64) {
	v = v[:len(x)]
	for i := range x {
		x[i] += float64(t * v[i])
	}
}

// Project does nothing: every velocity is tangent.
func (Euclidean) Project(x, u []float64) {}

// RandomPoint is uniform on (−radius, radius) in every coordinate.
func (Euclidean) RandomPoint(src Source, radius float64, x []float64) {
	for i := range x {
		x[i] = float64(radius * (float64(2*src.Float64()) - 1))
	}
}

// RandomTangent is standard normal.
func (Euclidean) RandomTangent(src Source, x, v []float64) {
	for i := range v {
		v[i] = src.Normal()
	}
}

// Residual is 0 for finite coordinates.
func (Euclidean) Residual(x []float64) float64 {
	for _, a := range x {
		if a-a != 0 {
			return math.Inf(1)
		}
	}
	return 0
}
