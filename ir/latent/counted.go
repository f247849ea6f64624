package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Updates of the statistics of discrete values are made at the entry that changes, so that their
// cost does not grow with the number of categories:
//
//	Σ_i c[i] [k = z[i]]    →  a scatter of c by z
//	S[k] + c [k = z]       →  S with c added at z, where S is carried
//
// and padding, whose draws nothing reads, has no weights.

// counted applies these rewrites to the function of a chain.
func (c *chainer) counted(f *ir.Func) *ir.Func {
	f = ir.RewriteFunc(c.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch v.Op {
		case ir.OpSum:
			return c.countOf(args[0], v.Over)
		case ir.OpAdd:
			if w := changed(b, args[0], args[1], false); w != nil {
				return w
			}
			return changed(b, args[1], args[0], false)
		case ir.OpSub:
			return changed(b, args[0], args[1], true)
		}
		return nil
	})
	return ir.RewriteFunc(c.b, f, hotOutside)
}

// changed returns the carry x with one entry changed by other; nil where the sum of both has
// another form.
func changed(b *ir.Builder, x, other *ir.Value, minus bool) *ir.Value {
	k, at, by := spot(b, other)
	if k == nil || !x.Has(k) {
		return nil
	}
	if minus {
		by = negative(b, by)
	}
	switch {
	case x.Op == ir.OpCarry || x.Op == ir.OpAddAt && x.Over[0] == k:
		return b.AddAt(x, at, by, k)
	case x.Op == ir.OpRename && x.To == k && x.Args[0].Op == ir.OpCarry:
		return b.Rename(b.AddAt(x.Args[0], at, by, x.Over[0]), x.Over[0], k)
	}
	return nil
}

// countOf returns, as a scatter, the sum over axes of a value that is non-zero at one place along
// another axis, the place being a discrete value of the chain. It returns nil for other sums.
func (c *chainer) countOf(v *ir.Value, over []*ir.Axis) *ir.Value {
	k, at, by := spot(c.b, v)
	if k == nil || slices.Contains(over, k) || !c.below(at, k.Size) {
		return nil
	}
	to := c.b.Axis(k.Name, k.Size)
	var rest []*ir.Axis
	for _, a := range over {
		if !at.Has(a) && !by.Has(a) {
			rest = append(rest, a)
		}
	}
	axes := append(ir.Without(ir.Without(v.Axes, over), []*ir.Axis{k}), to)
	counts := c.b.Rename(c.b.Scatter(by, at, to, axes), to, k)
	return c.b.Sum(counts, rest...)
}

// spot splits v as by·[k = at], neither of which has the axis k; nil where v has another form.
func spot(b *ir.Builder, v *ir.Value) (k *ir.Axis, at, by *ir.Value) {
	switch v.Op {
	case ir.OpEq:
		x, y := v.Args[0], v.Args[1]
		if x.Op != ir.OpIota {
			x, y = y, x
		}
		if x.Op == ir.OpIota && !y.Has(x.Axes[0]) && len(y.Axes) > 0 {
			return x.Axes[0], y, b.Num(1)
		}
	case ir.OpSelect:
		if k, at, by = spot(b, v.Args[1]); k != nil && v.Args[2].Is(0) && !v.Args[0].Has(k) {
			return k, at, b.Map(ir.OpSelect, v.Args[0], by, b.Num(0))
		}
	case ir.OpMul:
		for i, x := range v.Args {
			if k, at, by = spot(b, x); k != nil && !v.Args[1-i].Has(k) {
				return k, at, b.Mul(v.Args[1-i], by)
			}
		}
	case ir.OpNeg:
		if k, at, by = spot(b, v.Args[0]); k != nil {
			return k, at, b.Neg(by)
		}
	}
	return nil, nil, nil
}

// below reports whether v is a value of a discrete local that has n possible values.
func (c *chainer) below(v *ir.Value, n size.Poly) bool {
	if m, ok := c.discrete[v]; ok {
		return m.Equal(n)
	}
	switch v.Op {
	case ir.OpCategory:
		return v.Over[0].Size.Equal(n)
	case ir.OpRename, ir.OpSlice, ir.OpAt, ir.OpLayout:
		return c.below(v.Args[0], n)
	case ir.OpScan:
		carries, _, _ := ir.ScanParts(v)
		return c.below(carries[v.Part], n)
	}
	return false
}

// negative returns −v, with the sign moved to the numbers between which v chooses.
func negative(b *ir.Builder, v *ir.Value) *ir.Value {
	switch {
	case v.Is(0):
		return v
	case v.Op == ir.OpSelect:
		return b.Map(ir.OpSelect, v.Args[0], negative(b, v.Args[1]), negative(b, v.Args[2]))
	}
	return b.Neg(v)
}

// unpadded removes masks from the log probabilities of an entry where they say only that the entry
// is not padding.
func (g *conditional) unpadded(v *ir.Value) *ir.Value {
	own := slices.Clone(g.step)
	for i, a := range g.link.axes {
		if i > 0 && !slices.Contains(g.coupled, i) {
			own = append(own, a)
		}
	}
	made := map[*ir.Value]*ir.Value{}
	var rebuild func(v *ir.Value) *ir.Value
	rebuild = func(v *ir.Value) *ir.Value {
		if v.Op.Class != ir.Map { // a sum over these axes runs over other entries
			return v
		}
		if made[v] != nil {
			return made[v]
		}
		if k, _, _ := spot(g.b, v); k != nil { // a change of a statistic, which is the same for all
			return v
		}
		if v.Op == ir.OpSelect && padding(v.Args[0], own) {
			made[v] = rebuild(v.Args[1])
			return made[v]
		}
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = rebuild(a)
		}
		made[v] = g.b.Like(v, args)
		return made[v]
	}
	return rebuild(v)
}

// padding reports whether a value is the mask of the padding along one of the axes.
func padding(m *ir.Value, axes []*ir.Axis) bool {
	for m.Op == ir.OpRename {
		if slices.Contains(axes, m.To) {
			axes = append(slices.Clone(axes), m.Over[0])
		}
		m = m.Args[0]
	}
	if m.Op != ir.OpLt || !isIota(m.Args[0], axes...) {
		return false
	}
	dim, ok := m.Args[0].Axes[0].Size.Name()
	n := m.Args[1]
	for n.Op == ir.OpSlice || n.Op == ir.OpRename || n.Op == ir.OpRows {
		n = n.Args[0]
	}
	return ok && n.Op == ir.OpData && n.Name == data.LengthsOf(dim)
}
