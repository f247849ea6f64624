package irtest

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// grow makes one more value, or nil where the choice does not fit.
func (g *generator) grow() *ir.Value {
	b, x, y := g.B, g.pick(), g.pick()
	switch g.r.IntN(26) {
	case 0, 1, 2:
		return g.unary(x)
	case 3, 4, 5:
		return g.binary(x, y)
	case 6:
		if len(x.Axes) > 0 {
			return b.Map(ir.OpTanh, b.Sum(x, g.subset(x.Axes)...))
		}
	case 7:
		return g.reduce(x)
	case 8, 9, 10: // contractions
		if both := g.shared(x, y); len(both) > 0 {
			p := b.Mul(x, y)
			if g.r.IntN(3) == 0 {
				p = b.Mul(p, g.pick())
			}
			if len(p.Axes) > 5 {
				return nil
			}
			over := g.subset(both)
			if g.r.IntN(3) == 0 {
				over = g.subset(p.Axes)
			}
			return b.Map(ir.OpTanh, b.Sum(p, over...))
		}
	case 11:
		return g.sparse(x)
	case 12:
		if a := g.pickAxis(x); a != nil && len(g.index[a]) > 0 && !g.index[a][0].Has(a) {
			return b.Gather(x, g.index[a][0], a)
		}
	case 13:
		return g.scatter(x)
	case 14, 15, 16:
		return g.move(x)
	case 17:
		if a := g.pickAxis(x); a != nil {
			return b.CumSum(x, a, g.r.IntN(2) == 0)
		}
	case 18:
		to := b.Axis("k", size.Const(3))
		return b.Stack(to, x, y, b.Neg(x))
	case 20, 21:
		return g.matrix(x, y)
	case 22:
		return g.reshape(x)
	case 23:
		return g.window(x)
	case 24, 25:
		return g.scan(x, y)
	case 19: // back to a pool axis of the same size
		for _, a := range x.Axes {
			for _, p := range g.axes[:4] {
				if a != p && a.Size.Equal(p.Size) && !x.Has(p) {
					return b.Rename(x, a, p)
				}
			}
		}
	}
	return nil
}

func (g *generator) subset(axes []*ir.Axis) []*ir.Axis {
	var out []*ir.Axis
	for _, i := range g.r.Perm(len(axes)) {
		if len(out) == 0 || g.r.IntN(2) == 0 {
			out = append(out, axes[i])
		}
	}
	return out
}

func (g *generator) shared(x, y *ir.Value) []*ir.Axis {
	return ir.Without(x.Axes, ir.Without(x.Axes, y.Axes))
}

var smooth = []string{"tanh", "sigmoid", "sin", "cos", "neg", "atan", "log_sigmoid", "log1p_exp",
	"erf", "normal_cdf", "relu", "abs"}

func (g *generator) unary(x *ir.Value) *ir.Value {
	b := g.B
	square := b.Mul(x, x)
	switch g.r.IntN(6) {
	case 0:
		return b.Map(ir.OpExp, b.Map(ir.OpTanh, x))
	case 1:
		return b.Map(ir.OpLog, b.Add(b.Num(1), square))
	case 2:
		return b.Map(ir.OpSqrt, b.Add(b.Num(0.5), square))
	case 3: // a branch that would be singular where it is not taken
		positive := b.Map(ir.OpGt, x, b.Num(0.1))
		return b.Map(ir.OpSelect, positive, b.Map(ir.OpLog, x), b.Num(0.25))
	}
	op, _ := ir.Lookup(smooth[g.r.IntN(len(smooth))])
	return b.Map(op, x)
}

func (g *generator) binary(x, y *ir.Value) *ir.Value {
	b := g.B
	switch g.r.IntN(8) {
	case 0:
		return b.Sub(x, y)
	case 1, 2:
		return b.Map(ir.OpTanh, b.Mul(x, y))
	case 3:
		return b.Div(x, b.Add(b.Num(2), b.Mul(y, y)))
	case 4:
		return b.Map(ir.OpMax, x, y)
	case 5:
		return b.Map(ir.OpPow, b.Add(b.Num(0.5), b.Map(ir.OpSigmoid, x)),
			b.Num([]float64{-2, -1, 0.5, 2, 3, 4}[g.r.IntN(6)]))
	}
	return b.Add(x, y)
}

func (g *generator) reduce(x *ir.Value) *ir.Value {
	a := g.pickAxis(x)
	if a == nil || g.length(a) == 0 {
		return nil
	}
	switch g.r.IntN(5) {
	case 0:
		return g.B.Reduce(ir.OpProd, x, a)
	case 1:
		return g.B.Reduce(ir.OpReduceMax, x, a)
	case 2:
		return g.B.Reduce(ir.OpReduceMin, x, a)
	case 3:
		return g.B.Map(ir.OpLog, g.B.Sum(g.B.Map(ir.OpExp, x), a))
	}
	return g.B.Reduce(ir.OpLogSumExp, x, a)
}

// sparse contracts compressed rows with a dense value, over the columns or the rows.
func (g *generator) sparse(x *ir.Value) *ir.Value {
	s := g.Leaf[len(g.Leaf)-1-g.r.IntN(2)]
	over, other := s.Axes[1], s.Axes[0]
	if g.r.IntN(2) == 0 {
		over, other = other, over
	}
	if !x.Has(over) {
		x = g.B.Add(x, g.B.Mul(g.B.Num(0.1), g.B.Iota(over)))
		if over.Rows {
			return nil
		}
	}
	if x.Has(other) {
		x = g.B.Sum(x, other)
	}
	if other.Rows && g.after(x) {
		return nil
	}
	return g.B.Map(ir.OpTanh, g.B.Sum(g.B.Mul(s, x), over))
}

func (g *generator) scatter(x *ir.Value) *ir.Value {
	for _, to := range g.axes {
		if list := g.index[to]; len(list) > 0 && !x.Has(to) && !list[0].Has(to) &&
			g.r.IntN(2) == 0 {
			var kept []*ir.Axis
			for _, a := range x.Axes {
				if !a.Rows && g.r.IntN(2) == 0 {
					kept = append(kept, a)
				}
			}
			return g.B.Map(ir.OpTanh, g.B.Scatter(x, list[0], to, append([]*ir.Axis{to}, kept...)))
		}
	}
	return nil
}

func (g *generator) move(x *ir.Value) *ir.Value {
	b := g.B
	a := g.pickAxis(x)
	if a == nil || g.length(a) < 2 {
		return nil
	}
	shorter := b.Axis(a.Name+"s", a.Size.Sub(size.Const(1)))
	longer := b.Axis(a.Name+"l", a.Size.Add(size.Const(2)))
	switch g.r.IntN(8) {
	case 0:
		return b.Slice(x, a, shorter, size.Const(g.r.IntN(2)))
	case 1:
		return b.Pad(x, a, longer, size.Const(g.r.IntN(3)))
	case 2:
		if x.State() {
			return nil // extend is of data alone
		}
		return b.Extend(x, a, longer, size.Const(g.r.IntN(3)))
	case 3:
		return b.At(x, a, size.Const(g.r.IntN(2)))
	case 4:
		return b.Place(x, longer, size.Const(1))
	case 5:
		return b.Rename(x, a, b.Axis(a.Name+"r", a.Size))
	case 6: // x over two axes of one size, and back along the diagonal
		c := b.Axis(a.Name+"q", a.Size)
		return b.Diagonal(b.Mul(x, b.Map(ir.OpSin, b.Rename(x, a, c))), a, c,
			b.Axis(a.Name+"d", a.Size))
	}
	// a window shifted by one inside the same length
	same := b.Axis(a.Name, a.Size)
	return b.Rename(b.Pad(b.Slice(x, a, shorter, size.Poly{}), shorter, same, size.Const(1)),
		same, a)
}
