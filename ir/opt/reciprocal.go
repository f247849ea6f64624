package opt

import "github.com/sgppl/sgppl/ir"

// reciprocals: division by a divisor of data, or by one used several times, becomes multiplication
// by its reciprocal.
//
//	x / d, d of data without rows   → x · (1/d)     1/d is computed when the model is bound
//	x / s, y / s                    → x · r, y · r  with r = 1/s
//	(x·d) · e, d and e of data      → x · (d·e)
//
// x·(1/d) has an error of up to 1.5 units in the last place, x/d one of half a unit.
func reciprocals(b *ir.Builder, f *ir.Func) *ir.Func {
	uses := map[*ir.Value]int{}
	for _, v := range f.Values() {
		if is(v, ir.OpDiv) && v.State() {
			uses[v.Args[1]]++
		}
	}
	again := map[*ir.Value]bool{} // divisors of rebuilt values that are used several times
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch {
		case is(v, ir.OpDiv) && v.State():
			x, d := args[0], args[1]
			again[d] = again[d] || uses[v.Args[1]] > 1
			if _, constant := d.Const(); constant || x.Is(1) || x.Sparse || d.Op == ir.OpSize ||
				!again[d] && !beforehand(d) {
				return nil
			}
			return gathered(b, x, b.Div(b.Num(1), d))
		case is(v, ir.OpMul):
			if beforehand(args[0]) {
				args = []*ir.Value{args[1], args[0]}
			}
			if beforehand(args[1]) && args[0].State() {
				return gathered(b, args[0], args[1])
			}
		}
		return nil
	})
}

// beforehand reports whether v is computed when the model is bound, and is not a plain number or
// size.
func beforehand(v *ir.Value) bool {
	if v.State() || v.AnyRows() || v.Sparse || v.Op == ir.OpSize || is(v, ir.OpIota) {
		return false
	}
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpScalar || x.Op.Class == ir.Random || x.Op == ir.OpCarry {
			return false
		}
	}
	_, constant := v.Const()
	return !constant
}

// gathered returns x·d, with the factors of x that depend on data moved next to d.
func gathered(b *ir.Builder, x, d *ir.Value) *ir.Value {
	if is(x, ir.OpMul) && !d.State() {
		for i, e := range x.Args {
			if beforehand(e) && beforehand(d) && ir.SameAxes(e.Axes, d.Axes) {
				return b.Mul(x.Args[1-i], b.Mul(e, d))
			}
		}
	}
	return b.Mul(x, d)
}
