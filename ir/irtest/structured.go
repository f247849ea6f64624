package irtest

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// matrix makes positive definite matrices of x along one of its axes, and
// solves for y with their factors. Every other axis is a batch axis.
func (g *generator) matrix(x, y *ir.Value) *ir.Value {
	b, i := g.B, g.pickAxis(x)
	if i == nil || g.length(i) > 8 || len(x.Axes) > 3 || len(y.Axes) > 3 {
		return nil
	}
	j := b.Axis(i.Name+"q", i.Size)
	small := b.Map(ir.OpTanh, x)
	same := b.Map(ir.OpEq, b.Iota(i), b.Iota(j))
	// The diagonal outweighs what stands next to it.
	a := b.Add(b.Mul(b.Num(0.5), b.Mul(small, b.Rename(small, i, j))),
		b.Mul(b.Add(b.Num(1), b.AxisSize(i)), same))
	l := b.Cholesky(a, i, j)
	switch g.r.IntN(5) {
	case 0:
		return l
	case 1:
		return b.Map(ir.OpLog, b.Diagonal(l, i, j, b.Axis(i.Name+"d", i.Size)))
	case 2: // on triangles that are not factors, and are not zero above the diagonal
		l = a
	}
	if y.Has(j) {
		return nil
	}
	if g.r.IntN(2) == 0 {
		// right-hand sides the same for all rows where y lacks i
		return b.TriangularSolve(l, y, i, j, false)
	}
	return b.TriangularSolve(l, b.Rename(y, i, j), i, j, true)
}

// reshape lays entries out along one axis, or along two in the other order.
func (g *generator) reshape(x *ir.Value) *ir.Value {
	b := g.B
	var over []*ir.Axis
	for _, k := range g.r.Perm(len(x.Axes)) {
		if a := x.Axes[k]; !a.Rows && len(over) < 3 {
			over = append(over, a)
		}
	}
	if len(over) == 0 {
		return nil
	}
	n := size.Const(1)
	for _, a := range over {
		n = n.Mul(a.Size)
	}
	flat := b.Axis("f", n)
	v := b.Flatten(x, over, flat)
	if len(over) == 1 || g.r.IntN(3) == 0 {
		return v
	}
	turned := []*ir.Axis{b.Axis("u", over[1].Size)}
	rest := size.Const(1)
	for k, a := range over {
		if k != 1 {
			rest = rest.Mul(a.Size)
		}
	}
	return b.Unflatten(v, flat, append(turned, b.Axis("w", rest)))
}

// window reads one or two axes of known length through windows, and may add up
// what was read.
func (g *generator) window(x *ir.Value) *ir.Value {
	b := g.B
	stride := 1 + g.r.IntN(2)
	var over, places []*ir.Axis
	for _, k := range g.r.Perm(len(x.Axes)) {
		a := x.Axes[k]
		n, ok := a.Size.Number()
		if !ok {
			n = g.length(a)
		}
		if a.Rows || !ok && stride > 1 || n < 2 || len(over) == 6 || len(x.Axes)+len(places) > 4 {
			continue
		}
		m := 1 + g.r.IntN(2)
		p, _ := size.Windows(a.Size, size.Const(m), stride)
		i := b.Axis("i", size.Const(m))
		over, places = append(over, a, b.Axis("p", p), i), append(places, i)
	}
	if len(over) == 0 {
		return nil
	}
	v := b.Window(x, over, stride)
	switch g.r.IntN(5) {
	case 0:
		return b.Sum(v, places...)
	case 1:
		return b.Reduce(ir.OpReduceMax, v, places...)
	case 2:
		return b.WindowAdd(v, over, stride)
	case 3:
		return b.WindowMax(x, over, stride)
	}
	return v
}
