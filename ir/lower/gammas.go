package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// The full conditional of a positive local x whose terms are, in y = log x, all
// of the form a·y + b·exp y: x is a gamma variable of shape Σ a and rate −Σ b,
// and is drawn from it. (The logarithm of the Jacobian, y, is one of the terms.)

// A linear is a·y + b·exp y + something free of y; nil stands for 0.
type linear struct{ a, b *ir.Value }

// gamma draws a local from its full conditional; nil where that is no gamma law.
func (c *chainer) gamma(k *link) *ir.Value {
	b := c.b
	shape, rate := b.Num(0), b.Num(0)
	for _, t := range c.terms {
		v := c.given(k, t.Value)
		if !depends(v, k.leafName())[v] {
			continue
		}
		f := linearIn{c: c, k: k, on: depends(v, k.leafName())}
		l, ok := f.form(v)
		if !ok || len(ir.Without(k.axes[1:], t.Axes)) > 0 {
			return nil
		}
		others := ir.Without(t.Axes, k.axes)
		if l.a != nil {
			shape = b.Add(shape, b.Sum(b.Spread(l.a, others...), others...))
		}
		if l.b != nil {
			rate = b.Sub(rate, b.Sum(b.Spread(l.b, others...), others...))
		}
	}
	u := c.random(k, "uniform", "draw", append(slices.Clone(k.axes), c.sweep)...)
	return b.Sub(b.Map(ir.OpLogGammaVariate, shape, u), b.Map(ir.OpLog, rate))
}

// linearIn finds the form of values in a leaf.
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
		return linear{b: b.Num(1)}, v.Args[0].Op == ir.OpLocal && slices.Equal(v.Args[0].Axes, f.k.axes)
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
	of := func(part func(l linear) *ir.Value) *ir.Value {
		x := make([]*ir.Value, len(parts))
		any := false
		for i, p := range parts {
			if x[i] = part(p); x[i] != nil {
				any = true
			} else if f.on[v.Args[i]] || v.Op == ir.OpAdd || v.Op == ir.OpSub || v.Op == ir.OpSelect && i > 0 {
				x[i] = b.Num(0)
			} else {
				x[i] = v.Args[i]
			}
		}
		if !any {
			return nil
		}
		return b.Like(v, x)
	}
	switch {
	case v.Op == ir.OpMul && f.on[v.Args[0]] && f.on[v.Args[1]], v.Op == ir.OpDiv && f.on[v.Args[1]], v.Op == ir.OpSelect && f.on[v.Args[0]]:
		return l, false
	}
	return linear{of(func(l linear) *ir.Value { return l.a }), of(func(l linear) *ir.Value { return l.b })}, true
}

// logForm is the form of log v: a product with one factor exp y, else free of
// y, which has the sign of the product.
func (f *linearIn) logForm(v *ir.Value) (l linear, ok bool) {
	for v.Op == ir.OpDiv && !f.on[v.Args[1]] {
		v = v.Args[0]
	}
	found := false
	for _, x := range factorsIn(v) {
		if !f.on[x] {
			continue
		}
		if found || x.Op != ir.OpExp || x.Args[0].Op != ir.OpLocal || !slices.Equal(x.Args[0].Axes, f.k.axes) {
			return l, false
		}
		found = true
	}
	return linear{a: f.c.b.Num(1)}, found
}

func (f *linearIn) own(a *ir.Axis) bool { return slices.Contains(f.k.axes, a) }
