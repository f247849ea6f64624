package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
)

// grassmannConstrain returns the basis of the span of y, [D, K] with orthonormal columns, that
// depends on the span alone: with T the first K rows of y and L the Cholesky factor of T Tᵀ,
// it is y Tᵀ L⁻ᵀ, whose first K rows are L. So every density of it is one of the subspace. Where T
// is
// singular, on a set without volume, there is no such basis. Source: Geweke and Zhou (1996),
// Measuring the pricing error of the arbitrage pricing theory, who identify factors so.
func grassmannConstrain(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
	row, col := b.Axis(c.y.Name, c.yCols.Size), b.Axis(c.y.Name, c.yCols.Size)
	top := b.Slice(y, c.y, row, zeroSize)
	l := b.Cholesky(b.Contract(top, b.Rename(top, row, col), c.yCols), row, col)
	m := b.Contract(y, top, c.yCols) // [D, row]
	x := b.TriangularSolve(l, m, row, col, false)
	x = b.Rename(b.Rename(x, c.y, c.x), col, c.cols)
	above := b.Map(ir.OpLt, b.Iota(c.x), b.Iota(c.cols)) // there x is 0 up to rounding
	return b.Map(ir.OpSelect, above, b.Num(0), x), b.Num(0)
}

// affineInvariantConstrain returns the Cholesky factor L itself and log|dL/dvol|, of the
// Lebesgue measure on its entries by the volume of the affine-invariant metric: with
// dP = 2^K Π L_ii^(K − i) dL and dvol = 2^(K(K − 1)/4) |P|^(−(K + 1)/2) dP, i from 0, it is
// Σ (i + 1) log L_ii − (K + K (K − 1) / 4) log 2. Sources: Muirhead (1982), theorem 2.1.9;
// Said et al. (2017), Riemannian Gaussian distributions on the space of symmetric positive
// definite matrices, equation 9.
func affineInvariantConstrain(b *ir.Builder, c chartArgs, y *ir.Value) (*ir.Value, *ir.Value) {
	x := sameMatrix(b, chartArgs{y: c.x, x: c.y, cols: c.yCols, yCols: c.cols}, y)
	i, k := b.Iota(c.x), b.AxisSize(c.x)
	diagonal := b.Map(ir.OpEq, i, b.Iota(c.cols))
	logs := b.Map(ir.OpLog, b.Map(ir.OpSelect, diagonal, x, b.Num(1)))
	weighted := b.Sum(b.Mul(b.Add(i, b.Num(1)), logs), c.x, c.cols)
	twos := b.Add(k, b.Mul(b.Num(0.25), b.Mul(k, b.Sub(k, b.Num(1)))))
	return x, b.Sub(weighted, b.Mul(b.Num(math.Ln2), twos))
}

// sameMatrix is the matrix x on the axes of the state.
func sameMatrix(b *ir.Builder, c chartArgs, x *ir.Value) *ir.Value {
	return b.Rename(b.Rename(x, c.x, c.y), c.cols, c.yCols)
}
