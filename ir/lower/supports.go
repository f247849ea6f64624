package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
)

// A chart maps unconstrained coordinates to a type and back. Types whose values are vectors or
// matrices work along the axis y of the state and, on the model's side, along the axis x, or the
// rows x and the columns cols of a matrix.
type chart struct {
	doc string
	// geometry names the row of the manifold table for the state's space; empty for R^n.
	geometry string
	// embedded says that the state holds the value itself, on the same axes.
	embedded bool
	// state returns the shape of the coordinates of one value that has the given shape.
	state func(own types.Shape) types.Shape
	// constrain returns x and log|∂x/∂y| of one value (summed over its own axes).
	constrain func(b *ir.Builder, c chartArgs, y *ir.Value) (x, logJ *ir.Value)
	// unconstrain is the inverse.
	unconstrain func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value
}

// chartArgs are the axes of one value and the ends of an interval.
type chartArgs struct {
	y, x, cols *ir.Axis // nil for axes that the type lacks
	yCols      *ir.Axis // the columns of a state that is a matrix
	lo, hi     *ir.Value
}

func same(own types.Shape) types.Shape { return own }

func oneLess(own types.Shape) types.Shape {
	return types.Shape{own[0].Sub(sizeNumber(1))}
}

// charts is the table of types that a param may have; a test walks it. Formulas
// are those of the Stan Reference Manual, "Constraint transforms"; the simplex
// is the softmax of an isometric log-ratio (Egozcue et al. 2003).
var charts = map[types.Kind]*chart{
	types.Real: {doc: "itself", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return y, b.Num(0)
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value { return x }},
	types.Positive: {doc: "exp y", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return b.Map(ir.OpExp, y), y
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return b.Map(ir.OpLog, x)
		}},
	types.Nonnegative: {doc: "exp y", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return b.Map(ir.OpExp, y), y
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return b.Map(ir.OpLog, x)
		}},
	types.Unit: {doc: "the logistic function of y", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return b.Map(ir.OpSigmoid, y), logisticJacobian(b, y)
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return b.Map(ir.OpLogit, x)
		}},
	types.Interval: {doc: "lo + (hi − lo) times the logistic function of y; exp towards an " +
		"infinite end", state: same,
		constrain:   intervalConstrain,
		unconstrain: intervalUnconstrain},
	types.Ordered: {doc: "running sums of y₀, exp y₁, exp y₂, …", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			first := b.Map(ir.OpEq, b.Iota(c.y), b.Num(0))
			steps := b.Map(ir.OpSelect, first, y, b.Map(ir.OpExp, y))
			logJ := b.Sum(b.Map(ir.OpSelect, first, b.Num(0), y), c.y)
			return b.Rename(b.CumSum(steps, c.y, false), c.y, c.x), logJ
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			first := b.Map(ir.OpEq, b.Iota(c.x), b.Num(0))
			gap := b.Map(ir.OpSelect, first, b.Num(1), b.Sub(x, before(b, x, c.x)))
			return b.Rename(b.Map(ir.OpSelect, first, x, b.Map(ir.OpLog, gap)), c.x, c.y)
		}},
	types.PositiveOrdered: {doc: "running sums of exp y", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return b.Rename(b.CumSum(b.Map(ir.OpExp, y), c.y, false), c.y, c.x), b.Sum(y, c.y)
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return b.Rename(b.Map(ir.OpLog, b.Sub(x, before(b, x, c.x))), c.x, c.y)
		}},
	types.Simplex: {doc: "softmax of an isometric log-ratio", state: oneLess,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			z := ilr(b, c, y)
			logx := b.Sub(z, b.Reduce(ir.OpLogSumExp, z, c.x))
			// log|J| = Σ log x_k + ½ log K, with respect to the first K − 1 coordinates
			logJ := b.Add(b.Sum(logx, c.x), b.Mul(b.Num(0.5), b.Map(ir.OpLog, b.AxisSize(c.x))))
			return b.Map(ir.OpExp, logx), logJ
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return ilrInverse(b, c, b.Map(ir.OpLog, x))
		}},
	types.SumToZero: {doc: "an isometric log-ratio", state: oneLess,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return ilr(b, c, y), b.Num(0) // an isometry between R^{K−1} and the hyperplane
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return ilrInverse(b, c, x)
		}},
	types.CorrChol: {doc: "rows of unit length from the tanh of canonical partial correlations",
		state:     strictTriangle,
		constrain: corrCholConstrain, unconstrain: corrCholUnconstrain},
	types.CovChol: {doc: "the entries of the triangle, exp y on the diagonal", state: triangle,
		constrain: covCholConstrain, unconstrain: covCholUnconstrain},
	types.Sphere:  embedded("sphere"),
	types.Stiefel: embedded("stiefel"),
	types.Grassmann: {doc: "the basis of the span of y whose first rows are a lower triangle",
		geometry: "grassmann", state: same, constrain: grassmannConstrain,
		unconstrain: sameMatrix},
	types.Hyperbolic: embedded("hyperbolic"),
}

// embedded manifolds are their own coordinates: samplers move along geodesics,
// and densities are with respect to the surface measure.
func embedded(geometry string) *chart {
	return &chart{doc: "itself, on the " + geometry, geometry: geometry, embedded: true,
		state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			return y, b.Num(0)
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value { return x }}
}

// namedCharts has the charts that `by` can ask for: two of the simplex, and one of Cholesky factors
// of covariances.
var namedCharts = map[string]*chart{
	"affine_invariant": {doc: "itself, with the affine-invariant metric of covariances",
		geometry: "positive_definite", state: same, constrain: affineInvariantConstrain,
		unconstrain: sameMatrix},
	"ilr": charts[types.Simplex],
	"sphere": {doc: "x⊙x of a point x of the unit sphere", geometry: "sphere", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			// |∂π/∂x| = 2^{K−1} Π |x_i|, from the surface measure to the first K − 1 coordinates
			k := b.AxisSize(c.y)
			logJ := b.Add(b.Sum(b.Map(ir.OpLog, b.Map(ir.OpAbs, y)), c.y),
				b.Mul(b.Num(math.Ln2), b.Sub(k, b.Num(1))))
			return b.Rename(b.Mul(y, y), c.y, c.x), logJ
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			return b.Rename(b.Map(ir.OpSqrt, x), c.x, c.y)
		}},
	"expanded_mean": {doc: "|ρ| / Σ |ρ|, ρ_k ~ gamma(α_k, 1) (Patterson & Teh 2013)",
		geometry: "mirrored", state: same,
		constrain: func(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
			// The total r is gamma(K, 1), so that log q(r) − (K − 1) log r = −r − lgamma(K).
			rho := b.Map(ir.OpAbs, y)
			r := b.Sum(rho, c.y)
			logJ := b.Neg(b.Add(r, b.Map(ir.OpLgamma, b.AxisSize(c.y))))
			return b.Rename(b.Div(rho, r), c.y, c.x), logJ
		},
		unconstrain: func(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
			// every total gives the same point; K is the mean of the total
			return b.Rename(b.Mul(b.AxisSize(c.x), x), c.x, c.y)
		}},
}

func logisticJacobian(b *ir.Builder, y *ir.Value) *ir.Value {
	return b.Add(b.Map(ir.OpLogSigmoid, y), b.Map(ir.OpLogSigmoid, b.Neg(y)))
}

func intervalConstrain(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
	below, above := c.lo.Is(math.Inf(-1)), c.hi.Is(math.Inf(1))
	switch {
	case below && above:
		return y, b.Num(0)
	case below:
		return b.Sub(c.hi, b.Map(ir.OpExp, y)), y
	case above:
		return b.Add(c.lo, b.Map(ir.OpExp, y)), y
	}
	width := b.Sub(c.hi, c.lo)
	x := b.Add(c.lo, b.Mul(width, b.Map(ir.OpSigmoid, y)))
	return x, b.Add(b.Map(ir.OpLog, width), logisticJacobian(b, y))
}

func intervalUnconstrain(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
	below, above := c.lo.Is(math.Inf(-1)), c.hi.Is(math.Inf(1))
	switch {
	case below && above:
		return x
	case below:
		return b.Map(ir.OpLog, b.Sub(c.hi, x))
	case above:
		return b.Map(ir.OpLog, b.Sub(x, c.lo))
	}
	return b.Map(ir.OpLogit, b.Div(b.Sub(x, c.lo), b.Sub(c.hi, c.lo)))
}

// before returns x shifted by one entry, with 0 in front.
func before(b *ir.Builder, x *ir.Value, a *ir.Axis) *ir.Value {
	part := b.Axis(a.Name, a.Size.Sub(sizeNumber(1)))
	out := b.Axis(a.Name, a.Size)
	head := b.Slice(x, a, part, zeroSize)
	return b.Rename(b.Pad(head, part, out, sizeNumber(1)), out, a)
}

// ilr maps y [K − 1] isometrically onto the hyperplane of sum 0 in R^K:
// z_j = Σ_{i ≥ j} w_i − j w_{j−1}, w_i = y_i / √((i + 1)(i + 2)), from 0.
func ilr(b *ir.Builder, c chartArgs, y *ir.Value) *ir.Value {
	i := b.Iota(c.y)
	norm := b.Map(ir.OpSqrt, b.Mul(b.Add(i, b.Num(1)), b.Add(i, b.Num(2))))
	w := b.Div(y, norm)
	tail := b.Pad(b.CumSum(w, c.y, true), c.y, c.x, zeroSize)
	own := b.Pad(b.Mul(b.Add(i, b.Num(1)), w), c.y, c.x, sizeNumber(1))
	return b.Sub(tail, own)
}

// ilrInverse is the transpose of ilr, and its inverse on the hyperplane:
// y_i = (Σ_{j ≤ i} z_j − (i + 1) z_{i+1}) / √((i + 1)(i + 2)).
func ilrInverse(b *ir.Builder, c chartArgs, z *ir.Value) *ir.Value {
	i := b.Iota(c.y)
	norm := b.Map(ir.OpSqrt, b.Mul(b.Add(i, b.Num(1)), b.Add(i, b.Num(2))))
	head := b.Slice(b.CumSum(z, c.x, false), c.x, c.y, zeroSize)
	next := b.Slice(z, c.x, c.y, sizeNumber(1))
	return b.Div(b.Sub(head, b.Mul(b.Add(i, b.Num(1)), next)), norm)
}
