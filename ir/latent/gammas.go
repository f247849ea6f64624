package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
)

// The full conditional of a positive local x whose terms are, in y = log x, all
// of the form a·y + b·exp y: x is a gamma variable of shape Σ a and rate −Σ b,
// and is drawn from it. (The logarithm of the Jacobian, y, is one of the terms.)
//
// Discrete locals that shape or rate depend on are drawn first, with x integrated out,
//
//	∫ exp(a·y + b·exp y + c) dy = Γ(a) (−b)^−a exp(c)
//
// where c is free of y and, like a and b, may depend on them. So the present x does not hold them
// in place. Together with the draw of x that follows, this is a draw of all of them from their
// joint law.

// A linear is a·y + b·exp y + c with a, b and c free of y; nil stands for 0.
type linear struct{ a, b, c *ir.Value }

// order returns the locals in the order in which a sweep draws them: that of the model, except that
// gamma locals which are integrated out for the draws of others come last.
func (c *chainer) order() []*link {
	for _, k := range c.links {
		if !k.Gamma {
			continue
		}
		if k.shape, k.rate, k.free = c.gammaLaw(k); k.shape != nil {
			k.By = "gibbs"
		} else if k.By == "gibbs" {
			limits.Fail(limits.LocalNotLowered, k.Span,
				"gibbs draws a continuous local where its full conditional is a gamma law, and "+
					"that of %s is not: leave by out, or write by gmc", k.Name)
		}
	}
	for _, k := range c.links {
		k.integrable = k.shape != nil && !slices.ContainsFunc(c.links, func(other *link) bool {
			return other != k && other.Chart != nil && c.together(k, other)
		})
	}
	out := slices.Clone(c.links)
	slices.SortStableFunc(out, func(a, b *link) int {
		switch {
		case a.integrable == b.integrable:
			return 0
		case b.integrable:
			return -1
		}
		return 1
	})
	return out
}

// together reports whether a term reads both locals.
func (c *chainer) together(k, other *link) bool {
	return slices.ContainsFunc(c.terms, func(t ir.Output) bool {
		return depends(t.Value, k.LeafName())[t.Value] &&
			depends(t.Value, other.LeafName())[t.Value]
	})
}

// integrated returns the terms for the draw of a discrete local, with the gamma locals that can be
// integrated out replaced by the integral.
func (c *chainer) integrated(k *link) []ir.Output {
	b, terms := c.b, c.terms
	for _, z := range c.links {
		if !z.integrable || !c.together(z, k) {
			continue
		}
		terms = slices.DeleteFunc(slices.Clone(terms),
			func(t ir.Output) bool { return depends(t.Value, z.LeafName())[t.Value] })
		v := b.Add(b.Sub(b.Map(ir.OpLgamma, z.shape), b.Mul(z.shape, b.Map(ir.OpLog, z.rate))), z.free)
		terms = append(terms, ir.Output{Name: z.LeafName(), Value: v, Axes: z.axes[1:]})
	}
	return terms
}

// gammaLaw returns shape and rate of a local given the others, along its axes, and the part of the
// terms without it; nil where its full conditional is not a gamma law.
func (c *chainer) gammaLaw(k *link) (shape, rate, free *ir.Value) {
	b := c.b
	shape, rate, free = b.Num(0), b.Num(0), b.Num(0)
	for _, t := range c.terms {
		f := linearIn{c: c, k: k, on: depends(t.Value, k.LeafName())}
		if !f.on[t.Value] {
			continue
		}
		l, ok := f.form(t.Value)
		if !ok || len(ir.Without(k.axes[1:], t.Axes)) > 0 {
			return nil, nil, nil
		}
		others := ir.Without(t.Axes, k.axes)
		if l.a != nil {
			shape = b.Add(shape, b.Sum(b.Spread(l.a, others...), others...))
		}
		if l.b != nil {
			rate = b.Sub(rate, b.Sum(b.Spread(l.b, others...), others...))
		}
		if l.c != nil {
			free = b.Add(free, b.Sum(l.c, others...))
		}
	}
	return shape, rate, free
}

// gamma draws a local from its gamma law.
func (c *chainer) gamma(k *link) *ir.Value {
	b := c.b
	u := c.random(k, "uniform", "draw", append(slices.Clone(k.axes), c.sweep)...)
	return b.Sub(b.Map(ir.OpLogGammaVariate, c.given(k, k.shape), u),
		b.Map(ir.OpLog, c.given(k, k.rate)))
}

// linearIn writes values in the form linear of a local's leaf.
type linearIn struct {
	c  *chainer
	k  *link
	on map[*ir.Value]bool
}

func (f *linearIn) form(v *ir.Value) (l linear, ok bool) {
	b := f.c.b
	if !f.on[v] {
		return linear{}, true
	}
	switch v.Op {
	case ir.OpLocal:
		return linear{a: b.Num(1)}, slices.Equal(v.Axes, f.k.axes)
	case ir.OpExp:
		return linear{b: b.Num(1)}, v.Args[0].Op == ir.OpLocal &&
			slices.Equal(v.Args[0].Axes, f.k.axes)
	case ir.OpLog: // of a product with exp y
		return f.logForm(v.Args[0])
	case ir.OpNeg, ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpDiv, ir.OpSelect:
	case ir.OpSum:
		if slices.ContainsFunc(v.Over, f.own) {
			return l, false
		}
	default:
		return l, false
	}
	parts := make([]linear, len(v.Args))
	for i, a := range v.Args {
		if parts[i], ok = f.form(a); !ok {
			return l, false
		}
	}
	switch {
	case v.Op == ir.OpMul && f.on[v.Args[0]] && f.on[v.Args[1]], v.Op == ir.OpDiv &&
		f.on[v.Args[1]], v.Op == ir.OpSelect && f.on[v.Args[0]]:
		return l, false
	}
	factor := v.Op == ir.OpMul || v.Op == ir.OpDiv
	of := func(part func(l linear) *ir.Value, free bool) *ir.Value {
		x := make([]*ir.Value, len(parts))
		any := false
		for i, arg := range v.Args {
			switch {
			case f.on[arg]:
				if x[i] = part(parts[i]); x[i] == nil {
					x[i] = b.Num(0)
				} else {
					any = true
				}
			case factor || v.Op == ir.OpSelect && i == 0:
				x[i] = arg
			case free:
				x[i], any = arg, true
			default:
				x[i] = b.Num(0)
			}
		}
		if !any {
			return nil
		}
		return b.Like(v, x)
	}
	return linear{
		a: of(func(l linear) *ir.Value { return l.a }, false),
		b: of(func(l linear) *ir.Value { return l.b }, false),
		c: of(func(l linear) *ir.Value { return l.c }, true),
	}, true
}

// logForm writes log v as a linear. v must be a product with one factor exp y; the other factors
// are free of y and have the sign of the product.
func (f *linearIn) logForm(v *ir.Value) (l linear, ok bool) {
	b := f.c.b
	rest := b.Num(1)
	for v.Op == ir.OpDiv && !f.on[v.Args[1]] {
		rest = b.Div(rest, v.Args[1])
		v = v.Args[0]
	}
	found := false
	for _, x := range factorsIn(v) {
		if !f.on[x] {
			rest = b.Mul(rest, x)
			continue
		}
		if found || x.Op != ir.OpExp || x.Args[0].Op != ir.OpLocal ||
			!slices.Equal(x.Args[0].Axes, f.k.axes) {
			return l, false
		}
		found = true
	}
	return linear{a: b.Num(1), c: b.Map(ir.OpLog, rest)}, found
}

func (f *linearIn) own(a *ir.Axis) bool { return slices.Contains(f.k.axes, a) }
