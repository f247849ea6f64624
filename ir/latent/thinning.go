package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Thinning. A count y with the rate Σ_k r[k] is a sum of counts y[k] with the rates r[k]. Given y,
// these are multinomial, and in terms of them the density is a sum of one term for each class k:
//
//	y·log Σ_k r[k]   →   Σ_k y[k]·log r[k],   y[·] ~ Multinomial(y, ∝ r[·])
//
// This makes gamma factors conjugate and bits independent (Zhou and
// Carin 2015, Negative binomial process count and mixture modeling, §3). The counts y[k] are drawn
// anew in every sweep and are not kept: gradients read the original term. Where r[k] = s[k]·w[k],
// and only s depends on drawn values and is the same for all counts of a row, the sums of y[k] over
// the counts are enough.

// A thinned is a term y·log Σ_k s[k]·w[k], by its parts.
type thinned struct {
	count   *ir.Value // y, data of type count
	classes *ir.Axis
	entries []*ir.Axis // axes of the counts in a row; flattened where there are several
	scale   []*ir.Value
	weight  *ir.Value // does not depend on drawn values
}

// thin draws the counts of the classes and replaces the terms of counts by those of the classes, if
// a local with a gamma prior can make use of it.
func (c *chainer) thin() {
	if !slices.ContainsFunc(c.links, func(k *link) bool { return k.Gamma }) {
		return
	}
	var out []ir.Output
	for _, t := range c.terms {
		z := c.thinnable(t)
		if z == nil {
			out = append(out, opened(c.b, t)...)
			continue
		}
		out = append(out, c.parted(z)...)
	}
	c.terms = out
}

// unparted draws the discrete locals that the rates of counts read, before the counts are divided
// among classes. Given the divided counts, a bit that is on hardly ever turns off where its class
// received many, since a class with counts must have a positive rate; given the undivided counts it
// can turn off where other classes can explain them. After the division the bits are drawn again,
// with the gamma factors integrated out. This turns on classes whose factor had drifted to a poor
// value while they were off.
func (c *chainer) unparted() {
	var reads []ir.Output
	for _, t := range c.terms {
		if c.thinnable(t) != nil {
			reads = append(reads, t)
		}
	}
	for _, k := range c.links {
		if k.Chart == nil && slices.ContainsFunc(reads,
			func(t ir.Output) bool { return depends(t.Value, k.LeafName())[t.Value] }) {
			k.now = c.gibbs(k, "unparted")
		}
	}
}

// opened returns the summands of a term, so that each can be attributed to one entry of a local.
func opened(b *ir.Builder, t ir.Output) []ir.Output {
	var list []ir.Output
	var open func(v *ir.Value, axes []*ir.Axis, minus bool)
	open = func(v *ir.Value, axes []*ir.Axis, minus bool) {
		switch v.Op {
		case ir.OpNeg:
			open(v.Args[0], axes, !minus)
		case ir.OpAdd, ir.OpSub:
			open(v.Args[0], axes, minus)
			open(v.Args[1], axes, minus != (v.Op == ir.OpSub))
		case ir.OpSum:
			open(v.Args[0], append(slices.Clone(axes), v.Over...), minus)
		case ir.OpContract:
			open(b.Mul(v.Args[0], v.Args[1]), append(slices.Clone(axes), v.Over...), minus)
		default:
			if minus {
				v = b.Neg(v)
			}
			list = append(list, ir.Output{Name: t.Name, Value: v, Axes: axes})
		}
	}
	open(t.Value, t.Axes, false)
	return list
}

// thinnable recognises a term y·log Σ_k s[k]·w[k] and returns its parts; nil for other terms.
func (c *chainer) thinnable(t ir.Output) *thinned {
	v := t.Value
	var zero *ir.Value
	if v.Op == ir.OpSelect && v.Args[1].Is(0) && v.Args[0].Op == ir.OpEq { // 0 where y is 0
		for i, x := range v.Args[0].Args {
			if x.Is(0) {
				zero = v.Args[0].Args[1-i]
			}
		}
		v = v.Args[2]
	}
	if v.Op != ir.OpMul {
		return nil
	}
	for i, f := range v.Args {
		if f.Op != ir.OpLog || !c.counts(v.Args[1-i]) || zero != nil && zero != v.Args[1-i] {
			continue
		}
		z := &thinned{count: v.Args[1-i], weight: c.b.Num(1), entries: slices.Clone(t.Axes)}
		sum := f.Args[0]
		var factors []*ir.Value
		switch {
		case sum.Op == ir.OpSum && len(sum.Over) == 1:
			factors = factorsIn(sum.Args[0])
		case sum.Op == ir.OpContract && len(sum.Over) == 1:
			factors = append(factorsIn(sum.Args[0]), factorsIn(sum.Args[1])...)
		default:
			return nil
		}
		z.classes = sum.Over[0]
		conjugate := false
		for _, f := range factors {
			on := false
			for _, k := range c.links {
				if depends(f, k.LeafName())[f] {
					on, conjugate = true, conjugate || k.Gamma
				}
			}
			switch {
			case !on:
				z.weight = c.b.Mul(z.weight, f)
			case slices.ContainsFunc(z.entries, f.Has):
				return nil
			default:
				z.scale = append(z.scale, f)
			}
		}
		if conjugate && len(z.entries) > 0 {
			return z
		}
	}
	return nil
}

// factorsIn returns the factors of a product.
func factorsIn(v *ir.Value) []*ir.Value {
	if v.Op != ir.OpMul {
		return []*ir.Value{v}
	}
	return append(factorsIn(v.Args[0]), factorsIn(v.Args[1])...)
}

// counts reports whether a value is a datum of non-negative whole numbers.
func (c *chainer) counts(v *ir.Value) bool {
	if v.Op != ir.OpData {
		return false
	}
	return slices.Contains(c.o.Counts, v.Name)
}

// parted draws how the counts of a term are divided among its classes, and returns the terms of the
// classes.
func (c *chainer) parted(z *thinned) []ir.Output {
	b := c.b
	now := func(v *ir.Value) *ir.Value { return c.given(&link{}, v) }
	scale := b.Num(1)
	for _, f := range z.scale {
		scale = b.Mul(scale, now(f))
	}
	count, weight := z.count, z.weight
	e := z.entries[0]
	if len(z.entries) > 1 {
		n := e.Size
		for _, a := range z.entries[1:] {
			n = n.Mul(a.Size)
		}
		e = b.Axis("entry", n)
		count, weight = b.Flatten(count, z.entries, e), b.Flatten(weight, z.entries, e)
	}
	of := &link{Local: Local{Name: z.count.Name}}
	u := c.random(of, "uniform", "parts", c.row, e, c.sweep)
	parts := b.SplitCounts(count, weight, b.Spread(scale, c.row), u, e, z.classes)
	var out []ir.Output
	for _, f := range z.scale {
		term := b.Mul(parts, logOf(b, f))
		if f.Op != ir.OpExp { // it may be 0
			term = b.Map(ir.OpSelect, b.Map(ir.OpEq, parts, b.Num(0)), b.Num(0), term)
		}
		out = append(out, ir.Output{Name: "parts", Value: term, Axes: []*ir.Axis{z.classes}})
	}
	return out
}

// logOf returns log v; where v is exp x, it returns x.
func logOf(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op == ir.OpExp {
		return v.Args[0]
	}
	return b.Map(ir.OpLog, v)
}
