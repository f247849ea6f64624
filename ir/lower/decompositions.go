package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// eigenpairs are the eigenvalues and eigenvectors of a symmetric matrix: both
// functions of them share one decomposition.
func (l *Model) eigenpairs(a tensor) *ir.Value {
	i, j := a.axes[0], a.axes[1]
	return l.B.Eigenpairs(a.v, i, j, l.B.Axis(i.Name, i.Size.Add(size.Const(2))))
}

// qr decomposes X = Q R. Q = X R⁻¹ has the rounding of R's condition in it; that
// of the first Q is near 1, so what a second decomposition makes of it is
// orthonormal to the last digits.
// Source: Giraud, Langou, Rozložník & van den Eshof (2005), Rounding error
// analysis of the classical Gram-Schmidt orthogonalization process: twice is enough.
func (l *Model) qr(x tensor) (q, r tensor) {
	b, row, col := l.B, x.axes[0], x.axes[1]
	t, u := b.Axis(col.Name, col.Size), b.Axis(col.Name, col.Size)
	once := b.Triangle(x.v, row, col, t)
	first := b.Orthonormal(x.v, once, row, col, t) // [row, t]
	again := b.Triangle(first, row, t, u)          // [u, t]
	q = tensor{v: b.Orthonormal(first, again, row, t, u), axes: []*ir.Axis{row, u}}
	return q, tensor{v: b.Sum(b.Mul(again, once), t), axes: []*ir.Axis{u, col}}
}

// sorted are the entries of an array in rising order.
func (l *Model) sorted(x tensor) tensor {
	along := x.axes[0]
	to := l.B.Axis(along.Name, along.Size)
	v := l.B.Spread(x.v, along)
	return tensor{v: l.B.Gather(v, l.B.Order(v, along, to), along), axes: []*ir.Axis{to}}
}

// quantile lies between the entries around the place p (N − 1) of the sorted
// array; NaN where p is no share.
// Source: Hyndman & Fan (1996), Sample quantiles in statistical packages, definition 7.
func (l *Model) quantile(x tensor, p *ir.Value) *ir.Value {
	b, along := l.B, x.axes[0]
	to := b.Axis(along.Name, along.Size)
	v := b.Spread(x.v, along)
	order := b.Order(v, along, to)
	last := b.Sub(b.AxisSize(along), b.Num(1))
	place := b.Map(ir.OpMin, b.Map(ir.OpMax, b.Mul(p, last), b.Num(0)), last)
	below := b.Map(ir.OpFloor, place)
	above := b.Map(ir.OpCeil, place)
	entry := func(at *ir.Value) *ir.Value { return b.Gather(v, b.Gather(order, at, to), along) }
	low, high := entry(below), entry(above)
	between := b.Add(low, b.Mul(b.Sub(place, below), b.Sub(high, low)))
	share := b.Map(ir.OpAnd, b.Map(ir.OpGe, p, b.Num(0)), b.Map(ir.OpLe, p, b.Num(1)))
	return b.Map(ir.OpSelect, share, between, b.Div(b.Num(0), b.Num(0)))
}
