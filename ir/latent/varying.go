package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// The log probabilities of the values of an unknown are needed only up to a constant, so summands
// that are constant along the axis of the values are dropped.

// varying returns v up to a summand that is constant along the axis of the values.
func varying(b *ir.Builder, v *ir.Value, value *ir.Axis) *ir.Value {
	if !v.Has(value) {
		return b.Num(0)
	}
	switch v.Op {
	case ir.OpAdd, ir.OpSub:
		return b.Map(v.Op, varying(b, v.Args[0], value), varying(b, v.Args[1], value))
	case ir.OpNeg:
		return b.Neg(varying(b, v.Args[0], value))
	case ir.OpMul, ir.OpDiv:
		if !v.Args[1].Has(value) {
			return b.Map(v.Op, varying(b, v.Args[0], value), v.Args[1])
		}
		if v.Op == ir.OpMul && !v.Args[0].Has(value) {
			return b.Mul(v.Args[0], varying(b, v.Args[1], value))
		}
	case ir.OpSelect:
		if !v.Args[0].Has(value) {
			return b.Map(ir.OpSelect, v.Args[0], varying(b, v.Args[1], value),
				varying(b, v.Args[2], value))
		}
	case ir.OpSum:
		return sumVarying(b, v.Args[0], v.Over, value)
	}
	return v
}

// sumVarying is the sum of v over axes, up to a constant. Where v depends on the value c only by [k
// = c] along a summed axis k, as the count of a category does, it is simpler:
//
//	Σ_k f(k, [k = c])  =  const + f(c, 1) − f(c, 0).
func sumVarying(b *ir.Builder, v *ir.Value, over []*ir.Axis, value *ir.Axis) *ir.Value {
	if !v.Has(value) {
		return b.Num(0)
	}
	if len(over) == 0 {
		return varying(b, v, value)
	}
	switch v.Op {
	case ir.OpAdd, ir.OpSub:
		return b.Map(v.Op, sumVarying(b, v.Args[0], over, value),
			sumVarying(b, v.Args[1], over, value))
	case ir.OpNeg:
		return b.Neg(sumVarying(b, v.Args[0], over, value))
	case ir.OpSum:
		return sumVarying(b, v.Args[0], append(slices.Clone(over), v.Over...), value)
	}
	for _, k := range over {
		if d := oneHot(b, v, k, value); d != nil {
			return b.Sum(d, ir.Without(over, []*ir.Axis{k})...)
		}
	}
	return b.Sum(v, over...)
}

// oneHot returns f(c, 1) − f(c, 0); nil where v does not have the form of f.
func oneHot(b *ir.Builder, v *ir.Value, k, value *ir.Axis) *ir.Value {
	if !k.Size.Equal(value.Size) {
		return nil
	}
	var hot *ir.Value
	for _, x := range ir.Reach(v) {
		if !x.Has(value) || x.Op == ir.OpIota {
			continue
		}
		if x.Op == ir.OpEq && isIota(x.Args[0], k, value) && isIota(x.Args[1], k, value) {
			hot = x
			continue
		}
		if x.Op.Class != ir.Map || slices.ContainsFunc(x.Args,
			func(a *ir.Value) bool { return a.Op == ir.OpIota && a.Has(value) }) {
			return nil // it depends on the value in another way
		}
	}
	if hot == nil {
		return nil
	}
	return moved(b, difference(b, v, hot), k, value)
}

// moved renames an axis inside a formula, at the values that it is made of, so that later passes
// still recognise the formula.
func moved(b *ir.Builder, v *ir.Value, from, to *ir.Axis) *ir.Value {
	if v.Op.Class != ir.Map || !v.Has(from) {
		return b.Rename(v, from, to)
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = moved(b, a, from, to)
	}
	return b.Map(v.Op, args...)
}

func isIota(v *ir.Value, axes ...*ir.Axis) bool {
	return v.Op == ir.OpIota && slices.Contains(axes, v.Axes[0])
}

// difference returns v at h = 1 minus v at h = 0. It returns nil unless v depends on h by
// elementwise operations alone.
func difference(b *ir.Builder, v, h *ir.Value) *ir.Value {
	if v == h {
		return b.Num(1)
	}
	if !slices.Contains(ir.Reach(v), h) {
		return b.Num(0)
	}
	at := func(x float64) *ir.Value {
		return ir.Rewrite(b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value,
			args []*ir.Value) *ir.Value {
			if v == h {
				return b.Num(x)
			}
			return nil
		})[0]
	}
	switch v.Op {
	case ir.OpAdd, ir.OpSub:
		return b.Map(v.Op, difference(b, v.Args[0], h), difference(b, v.Args[1], h))
	case ir.OpNeg:
		return b.Neg(difference(b, v.Args[0], h))
	case ir.OpSelect:
		if !slices.Contains(ir.Reach(v.Args[0]), h) {
			return b.Map(ir.OpSelect, v.Args[0], difference(b, v.Args[1], h),
				difference(b, v.Args[2], h))
		}
	case ir.OpLgamma: // Γ(x + 1) = x Γ(x)
		d := difference(b, v.Args[0], h)
		factor := b.Map(ir.OpLog, at(0).Args[0])
		switch {
		case d.Is(1):
			return factor
		case d.Op == ir.OpSelect && d.Args[1].Is(1) && d.Args[2].Is(0): // padding adds nothing
			return b.Map(ir.OpSelect, d.Args[0], factor, d.Args[2])
		}
	}
	return b.Sub(at(1), at(0))
}

// addends are the summands of v.
func addends(v *ir.Value) []*ir.Value {
	if v.Op == ir.OpAdd {
		return append(addends(v.Args[0]), addends(v.Args[1])...)
	}
	if v.Is(0) {
		return nil
	}
	return []*ir.Value{v}
}
