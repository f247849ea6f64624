package opt

import "github.com/sgppl/sgppl/ir"

// hoistSums: what does not depend on the summed axis leaves the sum.
//
//	Σn (a + x[n])   → N·a + Σn x[n]
//	Σn a·x[n]       → a·Σn x[n]        Σn x[n]/a → (Σn x[n])/a
//	Σn mul0(a·x[n], y[n]) → mul0(a, Σn mul0(x[n], y[n])), and so where a is on a right side
//	Σn −x[n]        → −Σn x[n]       Σn (y[n] − mu) stays: a residual
//	Σn (a·x[n] − c[n]) → a·Σn x[n] − Σn c[n], c of data: computed when the model is bound
func hoistSums(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if is(v, ir.OpSum) {
			return sum(b, args[0], v.Over)
		}
		return nil
	})
}

func sum(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	switch x.Op {
	case ir.OpNeg:
		return b.Neg(sum(b, x.Args[0], over))
	case ir.OpAdd, ir.OpSub:
		l, r := x.Args[0], x.Args[1]
		if (lacks(l, over) || lacks(r, over) || x.State() && (beforehand(l) || beforehand(r))) &&
			!residual(x) {
			return b.Map(x.Op, sum(b, l, over), sum(b, r, over))
		}
	case ir.OpMul:
		for i, c := range x.Args {
			if in, out := split(c, over); len(in) == 0 && len(out) > 0 {
				return b.Mul(c, sum(b, x.Args[1-i], over))
			}
		}
	case ir.OpMul0:
		if out := guardedSum(b, x, over); out != nil {
			return out
		}
	case ir.OpDiv:
		if in, _ := split(x.Args[1], over); len(in) == 0 {
			return b.Div(sum(b, x.Args[0], over), x.Args[1])
		}
	case ir.OpSum:
		if len(ir.Without(over, x.Over)) < len(over) {
			break // a sum inside already runs over this axis; outside, it only multiplies by the size
		}
		return sum(b, x.Args[0], append(append([]*ir.Axis(nil), x.Over...), over...))
	}
	return b.Sum(x, over...)
}

// guardedSum takes factors out of a sum of products in which a zero on the left wins, where they
// lack the summed axes; nil where none does. As in each product, a factor of a left side that is 0
// wins over what is infinite, and a sum of zeros wins over a factor of a right side.
func guardedSum(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	outside := func(v *ir.Value) bool {
		in, out := split(v, over)
		return len(in) == 0 && len(out) > 0
	}
	guarded := func(x, y *ir.Value) *ir.Value { return b.Map(ir.OpMul0, x, y) }
	left, right := x.Args[0], x.Args[1]
	if outside(right) && !outside(left) {
		return guarded(sum(b, left, over), right)
	}
	switch left.Op {
	case ir.OpMul:
		for i, c := range left.Args {
			if !outside(c) || outside(left.Args[1-i]) {
				continue
			}
			s := sum(b, guarded(left.Args[1-i], right), over)
			if _, constant := c.Const(); constant {
				return b.Mul(c, s)
			}
			return guarded(c, s)
		}
	case ir.OpMul0:
		if c := left.Args[1]; outside(c) && !outside(left.Args[0]) {
			return guarded(sum(b, guarded(left.Args[0], right), over), c)
		}
	}
	return nil
}

// residual reports whether x is a residual: a datum or an unknown minus something near it. It is
// small where its parts are large, and Σ y − N·mu would lose digits that Σ (y − mu) keeps.
func residual(x *ir.Value) bool {
	if !is(x, ir.OpSub) || !x.State() {
		return false
	}
	y := x.Args[0]
	for y.Op.Class == ir.Move && len(y.Args) > 0 {
		y = y.Args[0]
	}
	return (is(y, ir.OpData) || is(y, ir.OpState)) && len(x.Args[1].Args)+len(x.Args[1].Name) > 0
}

// lacks reports whether v lacks one of the axes.
func lacks(v *ir.Value, over []*ir.Axis) bool {
	_, out := split(v, over)
	return len(out) > 0
}

// split divides the axes into those that v has and those that it lacks.
func split(v *ir.Value, over []*ir.Axis) (in, out []*ir.Axis) {
	for _, a := range over {
		if v.Has(a) {
			in = append(in, a)
		} else {
			out = append(out, a)
		}
	}
	return in, out
}
