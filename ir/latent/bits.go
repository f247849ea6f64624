package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// A bit is drawn by its log odds,
//
//	log p(1) − log p(0) = Σ over terms of t(1) − t(0)
//
// Parts that both values share cancel and are left out. A step evaluates the entries of a term once
// for each value, in the order of memory.

// bit draws an entry of a local with two values. old is its present value.
func (g *conditional) bit(old *ir.Value) *ir.Value {
	b, odds := g.b, g.b.Num(0)
	zero, one := b.Num(0), b.Num(1)
	for _, t := range g.terms {
		if f := g.flipOf(t); f != nil {
			odds = b.Add(odds,
				b.Mul(b.Sub(one, b.Mul(b.Num(2), old)), g.renamed(t, f.gain(g, old))))
			continue
		}
		v, over := g.valueAt(t, old, zero)
		w, _ := g.valueAt(t, old, one)
		odds = b.Add(odds, g.renamed(t, change(b, folded(b, v), folded(b, w), over)))
	}
	// Where each value makes something else impossible, as can happen at a random start, the odds are
	// NaN, and the bit is drawn with probability ½.
	p := b.Map(ir.OpSelect, b.Map(ir.OpEq, odds, odds), b.Map(ir.OpSigmoid, odds), b.Num(0.5))
	return b.Map(ir.OpLt, g.number(), p)
}

// A flipped term reads the bit through statistics, and its value is expensive, as that of the units
// of a layer with the bit as an input. One of the bit's two values is the present one, whose value
// of the term is carried. So a step computes the term for the other value only.
type flipped struct {
	term  *conditionalTerm
	carry *ir.Value // the term at the present value, before the sum over its axes
	value *ir.Value // the term at the other value
}

// flip makes a flipped term of t where that saves work. Where t is a difference of logarithms it
// does not: this costs only one logarithm as it is.
func (g *conditional) flip(t *conditionalTerm) {
	reach := ir.Reach(t.v)
	if !g.link.Bit || t.kind[t.v] != throughSums ||
		!slices.ContainsFunc(reach, func(v *ir.Value) bool {
			return t.kind[v] == throughSums &&
				costly(v)
		}) {
		return
	}
	g.flips = append(g.flips, &flipped{term: t})
	for _, s := range g.stats {
		s.flips = s.flips || slices.Contains(reach, s.sum)
	}
}

// costly reports whether a value costs many times what a sum costs.
func costly(v *ir.Value) bool {
	switch v.Op {
	case ir.OpExp, ir.OpExpm1, ir.OpLog1p, ir.OpLog1pExp, ir.OpSigmoid, ir.OpTanh, ir.OpLgamma,
		ir.OpPow:
		return true
	}
	return false
}

func (g *conditional) flipOf(t *conditionalTerm) *flipped {
	for _, f := range g.flips {
		if f.term == t {
			return f
		}
	}
	return nil
}

// gain is how much the term grows when the bit changes from old to the other value.
func (f *flipped) gain(g *conditional, old *ir.Value) *ir.Value {
	value, over := g.valueAt(f.term, old, g.other(old))
	f.value = value
	return g.b.Sum(g.b.Sub(value, f.carry), over...)
}

// other returns the other value of a bit.
func (g *conditional) other(old *ir.Value) *ir.Value { return g.b.Sub(g.b.Num(1), old) }

// unless returns stay where the new bit z equals old, and turned where it has changed.
func (g *conditional) unless(t *conditionalTerm, z, old, stay, turned *ir.Value) *ir.Value {
	same := g.b.Map(ir.OpEq, z, old)
	for i, a := range g.link.axes {
		if !slices.Contains(g.coupled, i) {
			same = g.b.Rename(same, a, t.axes[i])
		}
	}
	return g.b.Map(ir.OpSelect, same, stay, turned)
}

// change returns Σ w − Σ v over the axes, computed from the parts in which v and w differ.
func change(b *ir.Builder, v, w *ir.Value, over []*ir.Axis) *ir.Value {
	if v == w {
		return b.Num(0)
	}
	if w.Op == ir.OpAdd {
		for i, a := range w.Args {
			if a == v {
				return b.Sum(w.Args[1-i], over...)
			}
		}
	}
	if v.Op == w.Op {
		p, q := v.Args, w.Args
		switch v.Op {
		case ir.OpAdd, ir.OpSub:
			return b.Map(v.Op, change(b, p[0], q[0], over), change(b, p[1], q[1], over))
		case ir.OpNeg:
			return b.Neg(change(b, p[0], q[0], over))
		case ir.OpSelect:
			if p[0] == q[0] {
				return b.Sum(b.Map(ir.OpSelect, p[0], change(b, p[1], q[1], nil),
					change(b, p[2], q[2], nil)), over...)
			}
		case ir.OpMul:
			for i := range p {
				if p[i] == q[i] {
					return b.Sum(b.Mul(p[i], change(b, p[1-i], q[1-i], nil)), over...)
				}
			}
		case ir.OpLog:
			return b.Sum(b.Map(ir.OpLog, b.Div(q[0], p[0])), over...)
		case ir.OpLgamma: // Γ(x + 1) = x Γ(x)
			if change(b, p[0], q[0], nil).Is(1) {
				return b.Sum(b.Map(ir.OpLog, p[0]), over...)
			}
		case ir.OpSum:
			if sameList(v.Over, w.Over) {
				return b.Sum(change(b, p[0], q[0], v.Over), over...)
			}
		}
	}
	return b.Sum(b.Sub(w, v), over...)
}

func sameList(a, c []*ir.Axis) bool {
	return len(a) == len(c) && len(ir.Without(a, c)) == 0
}

// folded removes products with 0, which arise for a bit that is off, and sums of such products.
func folded(b *ir.Builder, v *ir.Value) *ir.Value {
	return ir.Rewrite(b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op == ir.OpMul && (args[0].Is(0) || args[1].Is(0)) ||
			v.Op == ir.OpSum && args[0].Is(0) {
			return b.Num(0)
		}
		return nil
	})[0]
}
