package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The charts of Cholesky factors keep the entries of a triangle row by row
// along one axis: entry (i, j) of a triangle without diagonal is i (i − 1) / 2
// + j, of one with it i (i + 1) / 2 + j.

// strictTriangle returns the shape of the coordinates: the entries below the diagonal.
func strictTriangle(own types.Shape) types.Shape {
	return types.Shape{own[0].Mul(own[0].Sub(size.Const(1))).Div(2)}
}

// triangle returns the shape of the coordinates: the entries on and below the diagonal.
func triangle(own types.Shape) types.Shape {
	return types.Shape{own[0].Mul(own[0].Add(size.Const(1))).Div(2)}
}

// spreadTriangle puts the entries of y at their places in a matrix [x, cols], with zeros elsewhere.
// The zeros are read from one extra entry behind the last.
func spreadTriangle(b *ir.Builder, c chartArgs, y *ir.Value, diagonal bool) *ir.Value {
	i, j := b.Iota(c.x), b.Iota(c.cols)
	inside, shift := b.Map(ir.OpLt, j, i), -1.0
	if diagonal {
		inside, shift = b.Map(ir.OpLe, j, i), 1
	}
	wide := b.Axis(c.y.Name, c.y.Size.Add(size.Const(1)))
	at := b.Add(b.Mul(b.Num(0.5), b.Mul(i, b.Add(i, b.Num(shift)))), j)
	return b.Gather(b.Pad(y, c.y, wide, zeroSize), b.Map(ir.OpSelect, inside, at, b.AxisSize(c.y)),
		wide)
}

// trianglePlaces returns the row and the column of every entry of y. The row of entry p is the
// largest i with i (i ∓ 1) / 2 ≤ p, computed by the quadratic formula. Rounding does no harm: the
// square root of a perfect square is exact.
func trianglePlaces(b *ir.Builder, c chartArgs, diagonal bool) (row, col *ir.Value) {
	p, shift := b.Iota(c.y), 1.0
	if diagonal {
		shift = -1
	}
	root := b.Map(ir.OpSqrt, b.Add(b.Mul(b.Num(8), p), b.Num(1)))
	row = b.Map(ir.OpFloor, b.Mul(b.Num(0.5), b.Add(root, b.Num(shift))))
	return row, b.Sub(p, b.Mul(b.Num(0.5), b.Mul(row, b.Sub(row, b.Num(shift)))))
}

// entriesAt reads a matrix [x, cols] at rows and columns.
func entriesAt(b *ir.Builder, c chartArgs, m, row, col *ir.Value) *ir.Value {
	return b.Gather(b.Gather(m, row, c.x), col, c.cols)
}

// corrCholConstrain: with z = tanh y, row i is z[i, j] √(1 − Σ_{k<j} x[i, k]²)
// for j < i, and what makes it a unit vector on the diagonal. Since 1 − Σ x² is
// a product of 1 − z² = sech² y, the row and its Jacobian are formed in logs.
// Source: Lewandowski, Kurowicka & Joe (2009), section 3; Stan Reference
// Manual, "Cholesky factors of correlation matrices".
func corrCholConstrain(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
	i, j := b.Iota(c.x), b.Iota(c.cols)
	m := spreadTriangle(b, c, y, false)
	// log sech² y = log(4 σ(2y) σ(−2y))
	sech := b.Add(logisticJacobian(b, b.Mul(b.Num(2), m)), b.Num(2*math.Ln2))
	sech = b.Map(ir.OpSelect, b.Map(ir.OpLt, j, i), sech, b.Num(0))
	left := b.Mul(b.Num(0.5), b.Sub(b.CumSum(sech, c.cols, false), sech)) // log √(1 − Σ_{k<j} x²)
	// 1 on the diagonal and 0 above it
	factor := b.Add(b.Map(ir.OpTanh, m), b.Map(ir.OpEq, i, j))
	// log|J| = Σ_{j<i} (log sech² y[i, j] + left[i, j]); each y is counted as often as it occurs
	times := b.Mul(b.Num(0.5), b.Add(b.Sub(i, j), b.Num(1)))
	return b.Mul(factor, b.Map(ir.OpExp, left)), b.Sum(b.Mul(sech, times), c.x, c.cols)
}

// corrCholUnconstrain: y = asinh(x[i, j] / √(Σ_{k>j} x[i, k]²)), which is
// artanh(x[i, j] / √(Σ_{k≥j} x[i, k]²)) without its cancellation.
func corrCholUnconstrain(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
	row, col := trianglePlaces(b, c, false)
	right := entriesAt(b, c, b.CumSum(b.Mul(x, x), c.cols, true), row, b.Add(col, b.Num(1)))
	return asinh(b, b.Div(entriesAt(b, c, x, row, col), b.Map(ir.OpSqrt, right)))
}

// asinh is log(t + √(t² + 1)), exact near 0.
func asinh(b *ir.Builder, t *ir.Value) *ir.Value {
	r, t2 := b.Map(ir.OpAbs, t), b.Mul(t, t)
	one := b.Num(1)
	rest := b.Div(t2, b.Add(one, b.Map(ir.OpSqrt, b.Add(t2, one))))
	return b.Mul(b.Map(ir.OpSign, t), b.Map(ir.OpLog1p, b.Add(r, rest)))
}

// covCholConstrain: exp y on the diagonal, y itself below.
func covCholConstrain(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
	m := spreadTriangle(b, c, y, true)
	diagonal := b.Map(ir.OpEq, b.Iota(c.x), b.Iota(c.cols))
	return b.Map(ir.OpSelect, diagonal, b.Map(ir.OpExp, m), m),
		b.Sum(b.Mul(diagonal, m), c.x, c.cols)
}

func covCholUnconstrain(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
	diagonal := b.Map(ir.OpEq, b.Iota(c.x), b.Iota(c.cols))
	row, col := trianglePlaces(b, c, true)
	return entriesAt(b, c, b.Map(ir.OpSelect, diagonal, b.Map(ir.OpLog, x), x), row, col)
}
