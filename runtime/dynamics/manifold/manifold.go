// Package manifold is the geometry a sampler sees: the spaces on which
// positions and velocities live. Most are isometrically embedded in some R^m; on
// the others, which are Framed, velocities are coordinates in an orthonormal frame.
//
// Two flows of the dynamics know geometry. Drift is Flow, the geodesic flow;
// kick is an ambient force followed by Project, the projection on the tangent
// space. Nothing else of a sampler does, so a new space is one row of Table
// and one file. The conformance suite in this package's tests walks the table.
package manifold

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A Source of random numbers, as far as a manifold needs one.
type Source interface {
	Float64() float64 // uniform on [0, 1)
	Normal() float64  // standard normal
	// UniformSphere fills dst with a uniform point of the unit sphere.
	UniformSphere(dst []float64)
	// UniformStiefel fills dst, rows × cols, with uniform orthonormal columns.
	UniformStiefel(dst []float64, rows, cols int)
}

// A Manifold is the space of one point x, a slice of Ambient() numbers, with
// velocities v in its tangent space. It may hold workspace and nothing else:
// methods do not allocate, results depend on the arguments alone, and one
// Manifold serves every point of a block, but one goroutine.
type Manifold interface {
	// Kind is the name of the table's row.
	Kind() string
	// Dim is the intrinsic dimension: the number of independent velocities.
	// A thermostat divides by it; the ambient dimension there is a bug that
	// moves the answer (0.54 for 0.67 on S²).
	Dim() int
	// Ambient is the length of x.
	Ambient() int
	// Flow moves (x, v) along the geodesic through x with velocity v for time t, in place. It keeps
	// v·v. The distance of (x, v) from the tangent bundle, which is due to rounding, does not grow
	// from flow to flow.
	Flow(x, v []float64, t float64)
	// Project applies Λ(x): u becomes its tangent part at x.
	Project(x, u []float64)
	// RandomPoint writes a starting point: uniform on a compact space, uniform
	// on (−radius, radius) in each coordinate of R^n (0 is the origin).
	RandomPoint(src Source, radius float64, x []float64)
	// RandomTangent writes v ~ N(0, Λ(x)).
	RandomTangent(src Source, x, v []float64)
	// Residual says how far x is from the manifold; 0 on it.
	Residual(x []float64) float64
}

// A Fuser is a Manifold that does several flows of a point at once in fewer
// passes over it, with the bits of one after the other.
type Fuser interface {
	Manifold
	// FlowDamp is Flow and then v·e.
	FlowDamp(x, v []float64, t, e float64)
	// KickFlow is the kick Λ(x)(v + to·force + sd·noise), then v·e, then Flow for
	// time t.
	KickFlow(x, v, force, noise []float64, to, sd, e, t float64)
}

// A Row of the table of manifolds.
type Row struct {
	Kind string
	Doc  string
	// Flat: coordinates are independent of each other, so that a thermostat per
	// coordinate, an Euler step and a preconditioner stay on the space.
	Flat bool
	// New makes the space of one point.
	New func(target.Geometry) (Manifold, error)
}

// Table has every manifold, the flat one first.
var Table = []Row{
	{
		Kind: "euclidean",
		Doc:  "R^n, the home of ordinary parameters, through a transform where they are constrained",
		Flat: true,
		New:  newEuclidean,
	},
	{
		Kind: "mirrored",
		Doc: "R^n of which only the absolute values count: |ρ_i|, the home of a simplex's " +
			"expanded mean",
		Flat: true,
		New:  newMirrored,
	},
	{
		Kind: "sphere",
		Doc:  "unit vectors: S^{n−1} in R^n, densities with respect to the surface measure",
		New:  newSphere,
	},
	{
		Kind: "stiefel",
		Doc: "matrices with orthonormal columns, the row index first, densities with respect to " +
			"the Hausdorff measure",
		New: newStiefel,
	},
	{
		Kind: "grassmann",
		Doc: "subspaces, each by an orthonormal basis, the row index first, densities with " +
			"respect to the volume",
		New: newGrassmann,
	},
	{
		Kind: "hyperbolic",
		Doc:  "the hyperboloid of curvature −1, densities with respect to the volume",
		New:  newHyperbolic,
	},
	{
		Kind: "positive_definite",
		Doc: "symmetric positive definite matrices with the affine-invariant metric, each by " +
			"its Cholesky factor, densities with respect to the volume",
		New: newPositiveDefinite,
	},
}

// Lookup finds the row of a kind.
func Lookup(kind string) (Row, bool) {
	for _, r := range Table {
		if r.Kind == kind {
			return r, true
		}
	}
	return Row{}, false
}

// Kinds names the rows of the table, in its order.
func Kinds() []string {
	out := make([]string, len(Table))
	for i, r := range Table {
		out[i] = r.Kind
	}
	return out
}

// A Factor is a block of a product manifold: Points points of one space, one
// after the other at X[Offset : Offset+Len].
type Factor struct {
	Name        string
	Offset, Len int
	Points      int
	Flat        bool
	Space       Manifold // of one point
}

// Dim is the intrinsic dimension of the block.
func (f *Factor) Dim() int { return f.Points * f.Space.Dim() }

// Product makes the factors of a state from a model's blocks; empty blocks,
// which are constants, are left out. The blocks must lie one after the other
// and cover [0, dim).
func Product(blocks []target.Block, dim int) ([]Factor, error) {
	var out []Factor
	at := 0
	for _, b := range blocks {
		if b.Offset != at || b.Len < 0 {
			return nil, fmt.Errorf("block %s lies at %d with length %d, but the blocks before it end at %d",
				b.Name, b.Offset, b.Len, at)
		}
		at += b.Len
		if b.Len == 0 {
			continue
		}
		row, ok := Lookup(b.Geometry.Kind)
		if !ok {
			return nil, &UnknownError{Block: b.Name, Kind: b.Geometry.Kind}
		}
		f, err := factor(row, b)
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", b.Name, err)
		}
		if f.Dim() > 0 {
			out = append(out, f)
		}
	}
	if at != dim {
		return nil, fmt.Errorf("the blocks cover %d of %d coordinates", at, dim)
	}
	return out, nil
}

// factor makes one block. A flat block is one point whatever its model calls
// it: R^n × R^n is R^2n, and one long point is one loop.
func factor(row Row, b target.Block) (Factor, error) {
	g := b.Geometry
	if row.Flat {
		g.Points, g.Dim, g.Cols = 1, b.Len, 0
	}
	space, err := row.New(g)
	if err != nil {
		return Factor{}, err
	}
	if g.Points*space.Ambient() != b.Len {
		return Factor{}, fmt.Errorf("%d points of %d numbers do not fill %d coordinates", g.Points,
			space.Ambient(), b.Len)
	}
	return Factor{Name: b.Name, Offset: b.Offset, Len: b.Len, Points: g.Points, Flat: row.Flat,
		Space: space}, nil
}

// An UnknownError names a block on a space that is not in the table.
type UnknownError struct{ Block, Kind string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("block %s lives on a space of kind %q; this version knows %v", e.Block,
		e.Kind, Kinds())
}
