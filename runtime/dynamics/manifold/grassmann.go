package manifold

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A Grassmann is the space of k-dimensional subspaces of R^d. A state is an orthonormal basis
// of one, d × k with the row index first; which basis does not count. Velocities are orthogonal
// to the subspace, xᵀv = 0, so that a path moves the subspace and does not turn the basis
// within it. Its metric is that of such velocities in R^(d k), and densities are with respect
// to the volume of that metric. They must be functions of the subspace: a model reads a
// basis that depends on nothing else.
//
// Source: Edelman, Arias and Smith (1998), The geometry of algorithms with orthogonality
// constraints, section 2.5.
type Grassmann struct{ Stiefel }

func newGrassmann(g target.Geometry) (Manifold, error) {
	if g.Cols < 1 || g.Cols > g.Dim || g.Dim < 2 {
		return nil, fmt.Errorf("subspaces need a space of 2 dimensions or more, and from 1 to as "+
			"many dimensions themselves, not %d in %d", g.Cols, g.Dim)
	}
	return NewGrassmann(g.Dim, g.Cols), nil
}

// NewGrassmann is the space of k-dimensional subspaces of R^d, d ≥ 2 and 1 ≤ k ≤ d.
func NewGrassmann(d, k int) *Grassmann {
	m := &Grassmann{*NewStiefel(d, k)}
	m.horizontal = true
	return m
}

// Kind is the name of the row.
func (*Grassmann) Kind() string { return "grassmann" }

// Dim is k (d − k).
func (m *Grassmann) Dim() int { return m.k * (m.d - m.k) }

// RandomTangent is standard normal among velocities that are orthogonal to the subspace.
func (m *Grassmann) RandomTangent(src Source, x, v []float64) {
	for i := range v {
		v[i] = src.Normal()
	}
	m.Project(x, v)
}

// Overlap returns the function φ = tr(aᵀ x xᵀ a) − k tr(aᵀ a)/d of the subspace with the basis x,
// for any d × k matrix a, and writes its gradient in R^(d k), 2 a aᵀ x, to grad. Its mean over
// all subspaces is 0, and its Laplacian is −2 d φ.
func (m *Grassmann) Overlap(a, x, grad []float64) float64 {
	clear(grad)
	k := m.k
	sum, size := 0.0, 0.0
	for i := range k {
		for j := range k {
			c := 0.0
			for at := 0; at < len(x); at += k {
				c += float64(a[at+i] * x[at+j])
			}
			sum += float64(c * c)
			for at := 0; at < len(x); at += k {
				grad[at+j] += float64(2 * c * a[at+i])
			}
		}
	}
	for _, v := range a {
		size += float64(v * v)
	}
	return sum - size*float64(k)/float64(m.d)
}

// Rows is d, the dimension of the space that holds the subspaces.
func (m *Grassmann) Rows() int { return m.d }
