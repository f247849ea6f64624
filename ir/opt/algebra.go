package opt

import (
	"github.com/sgppl/sgppl/ir"
)

// algebra: x·x⁻¹ and their kin.
//
//	pow(x, 2)      → x·x            −(−x)        → x
//	x + (−y)       → x − y          (−x)·y       → −(x·y)
//	2·(3·x)        → 6·x            exp(log x)   → x
//	0·x            → 0              x / 2        → 0.5·x   (exact halves only)
//	0 and x        → 0              0 ? x : y    → y
func algebra(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, simplify)
}

func simplify(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	switch v.Op {
	case ir.OpPow:
		return power(b, args[0], args[1])
	case ir.OpAdd:
		return addition(b, args[0], args[1])
	case ir.OpSub:
		if is(args[1], ir.OpNeg) {
			return b.Add(args[0], args[1].Args[0])
		}
		if args[0] == args[1] {
			return b.Num(0)
		}
		return linearSum(b, args[0], args[1], -1)
	case ir.OpMul:
		return product(b, args[0], args[1])
	case ir.OpMul0:
		if args[0].Is(0) || args[1].Is(0) {
			return b.Num(0)
		}
		if _, ok := args[0].Const(); ok {
			return product(b, args[0], args[1])
		}
	case ir.OpDiv:
		if c, ok := args[1].Const(); ok && exactInverse(c) {
			return product(b, b.Num(1/c), args[0])
		}
		if is(args[0], ir.OpNeg) {
			return b.Neg(b.Div(args[0].Args[0], args[1]))
		}
		if args[0].Is(0) {
			return args[0]
		}
		return linearQuotient(b, args[0], args[1])
	case ir.OpNeg:
		if is(args[0], ir.OpSub) {
			return b.Sub(args[0].Args[1], args[0].Args[0])
		}
		if is(args[0], ir.OpMul) {
			if c, rest, ok := scaled(args[0]); ok {
				return b.Mul(b.Num(-c), rest)
			}
		}
	case ir.OpExp:
		if is(args[0], ir.OpLog) {
			return args[0].Args[0]
		}
	case ir.OpLog:
		if is(args[0], ir.OpExp) {
			return args[0].Args[0]
		}
		if is(args[0], ir.OpSqrt) {
			return b.Mul(b.Num(0.5), b.Map(ir.OpLog, args[0].Args[0]))
		}
	case ir.OpSum:
		if args[0].Is(0) {
			return b.Num(0)
		}
	case ir.OpAnd:
		if args[0].Is(0) || args[1].Is(0) {
			return b.Num(0)
		}
	case ir.OpRows:
		if _, ok := args[0].Const(); ok {
			return args[0]
		}
	case ir.OpSelect:
		if c, ok := args[0].Const(); ok && c == 0 {
			return args[2]
		} else if ok {
			return args[1]
		}
	}
	return nil
}

// power replaces small whole exponents by products.
func power(b *ir.Builder, x, y *ir.Value) *ir.Value {
	c, ok := y.Const()
	if !ok {
		return nil
	}
	switch c {
	case 0:
		return b.Num(1)
	case 2:
		return b.Mul(x, x)
	case 3:
		return b.Mul(b.Mul(x, x), x)
	case 4:
		s := b.Mul(x, x)
		return b.Mul(s, s)
	case 0.5:
		return b.Map(ir.OpSqrt, x)
	case -1:
		return b.Div(b.Num(1), x)
	case -2:
		return b.Div(b.Num(1), b.Mul(x, x))
	}
	return nil
}

func addition(b *ir.Builder, x, y *ir.Value) *ir.Value {
	if v := linearSum(b, x, y, 1); v != nil {
		return v
	}
	if is(y, ir.OpNeg) {
		return b.Sub(x, y.Args[0])
	}
	if is(x, ir.OpNeg) {
		return b.Sub(y, x.Args[0])
	}
	return nil
}

func product(b *ir.Builder, x, y *ir.Value) *ir.Value {
	switch {
	case x.Is(0) || y.Is(0):
		return b.Num(0)
	case is(x, ir.OpNeg) && is(y, ir.OpNeg):
		return b.Mul(x.Args[0], y.Args[0])
	case is(x, ir.OpNeg):
		return b.Neg(b.Mul(x.Args[0], y))
	case is(y, ir.OpNeg):
		return b.Neg(b.Mul(x, y.Args[0]))
	}
	if c, ok := x.Const(); ok {
		if d, rest, ok := scaled(y); ok {
			return b.Mul(b.Num(c*d), rest)
		}
	}
	if c, ok := y.Const(); ok {
		if d, rest, ok := scaled(x); ok {
			return b.Mul(b.Num(c*d), rest)
		}
	}
	if v := linearProduct(b, x, y); v != nil {
		return v
	}
	// x·(1/y) is x/y, unless one quotient serves for many products.
	if is(y, ir.OpDiv) && y.Args[0].Is(1) && !(len(y.Axes) == 0 && len(x.Axes) > 0) {
		return b.Div(x, y.Args[1])
	}
	if is(x, ir.OpDiv) && x.Args[0].Is(1) && !(len(x.Axes) == 0 && len(y.Axes) > 0) {
		return b.Div(y, x.Args[1])
	}
	return b.Mul(x, y)
}

// scaled splits v = c·x into c and x.
func scaled(v *ir.Value) (c float64, rest *ir.Value, ok bool) {
	if !is(v, ir.OpMul) {
		return 0, nil, false
	}
	if c, ok := v.Args[0].Const(); ok {
		return c, v.Args[1], true
	}
	if c, ok := v.Args[1].Const(); ok {
		return c, v.Args[0], true
	}
	return 0, nil, false
}

// exactInverse reports whether 1/c is exact, as for powers of two.
func exactInverse(c float64) bool {
	switch c {
	case 2, 4, 8, 16, 0.5, 0.25, 0.125:
		return true
	}
	return false
}
