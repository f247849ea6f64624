package ir

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Ops of this file; their rows are made in init because the rules of one op build others.
var (
	OpAdd, OpSub, OpMul, OpDiv, OpPow, OpNeg     *Op
	OpAbs, OpSign, OpMin, OpMax, OpFloor, OpCeil *Op
	OpRound, OpMod, OpLt, OpLe, OpGt, OpGe       *Op
	OpEq, OpNe, OpAnd, OpOr, OpNot, OpSelect     *Op
	OpMul0                                       *Op
)

// unary makes the row of a function of one number.
func unary(name, doc, gocode string, f func(float64) float64,
	partial func(b *Builder, v *Value) *Value) *Op {
	op := Op{Name: name, Doc: doc, Class: Map, Arity: 1, Go: gocode,
		Eval: func(x [3]float64) float64 { return f(x[0]) }}
	if partial == nil {
		op.NoGradient = "piecewise constant"
		op.Partial = func(*Builder, *Value, int) *Value { return nil }
	} else {
		op.Partial = func(b *Builder, v *Value, _ int) *Value { return partial(b, v) }
	}
	return row(op)
}

func singular(op *Op) *Op { op.Singular = true; return op }

func costly(op *Op) *Op { op.Costly = true; return op }

// arg is the only argument of a unary value.
func arg(v *Value) *Value { return v.Args[0] }

// truth makes the row of a comparison or connective, whose value is 0 or 1.
func truth(name, doc, gocode string, arity int, commutes bool, f func(a, b float64) bool) *Op {
	return row(Op{Name: name, Doc: doc, Class: Map, Arity: arity, Go: gocode, Commutes: commutes,
		Bool: true,
		Eval: func(x [3]float64) float64 {
			if f(x[0], x[1]) {
				return 1
			}
			return 0
		},
		NoGradient: "piecewise constant",
		Partial:    func(*Builder, *Value, int) *Value { return nil }})
}

// Arithmetic. Products are converted explicitly so that Go may not fuse them
// with a following addition: bits must not depend on the architecture.
func init() {
	OpAdd = row(Op{Name: "add", Doc: "x + y",
		Class: Map, Arity: 2, Commutes: true, Go: "%[1]s + %[2]s",
		Eval:    func(x [3]float64) float64 { return x[0] + x[1] },
		Partial: func(b *Builder, v *Value, i int) *Value { return b.Num(1) }})
	OpSub = row(Op{Name: "sub", Doc: "x − y", Class: Map, Arity: 2, Go: "%[1]s - %[2]s",
		Eval: func(x [3]float64) float64 { return x[0] - x[1] },
		Partial: func(b *Builder, v *Value, i int) *Value {
			return b.Num(float64(1 - 2*i))
		}})
	OpMul = row(Op{Name: "mul", Doc: "x y",
		Class: Map, Arity: 2, Commutes: true, Go: "float64(%[1]s * %[2]s)",
		Eval:    func(x [3]float64) float64 { return float64(x[0] * x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value { return v.Args[1-i] }})
	OpDiv = singular(row(Op{Name: "div", Doc: "x / y", Class: Map, Arity: 2, Go: "%[1]s / %[2]s",
		Eval: func(x [3]float64) float64 { return x[0] / x[1] },
		Partial: func(b *Builder, v *Value, i int) *Value {
			if i == 0 {
				return b.Div(b.Num(1), v.Args[1])
			}
			return b.Neg(b.Div(v, v.Args[1]))
		}}))
	OpPow = costly(singular(row(Op{Name: "pow", Doc: "x to the power y",
		Class: Map, Arity: 2, Go: "special.Pow(%[1]s, %[2]s)",
		Eval: func(x [3]float64) float64 { return special.Pow(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			x, y := v.Args[0], v.Args[1]
			if i == 0 {
				// x⁰ is 1 at 0 too, where 0⁻¹ is infinite.
				return b.Map(OpMul0, y, b.Map(OpPow, x, b.Sub(y, b.Num(1))))
			}
			// 0^y has derivative 0 for y > 0.
			return b.Map(OpSelect, b.Map(OpEq, x, b.Num(0)), b.Num(0), b.Mul(v, b.Map(OpLog, x)))
		}})))
	OpNeg = unary("neg", "−x", "-%[1]s", func(x float64) float64 { return -x },
		func(b *Builder, v *Value) *Value { return b.Num(-1) })
	OpAbs = unary("abs", "|x|", "math.Abs(%[1]s)", math.Abs,
		func(b *Builder, v *Value) *Value { return b.Map(OpSign, arg(v)) })
	OpSign = unary("sign", "−1, 0 or 1", "special.Sign(%[1]s)", special.Sign, nil)
	OpMin = row(Op{Name: "min", Doc: "the smaller",
		Class: Map, Arity: 2, Go: "special.Min(%[1]s, %[2]s)",
		Eval:    func(x [3]float64) float64 { return special.Min(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value { return pick(b, OpLe, v, i) }})
	OpMax = row(Op{Name: "max", Doc: "the larger",
		Class: Map, Arity: 2, Go: "special.Max(%[1]s, %[2]s)",
		Eval:    func(x [3]float64) float64 { return special.Max(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value { return pick(b, OpGe, v, i) }})
	OpFloor = unary("floor", "the largest whole number not above x",
		"math.Floor(%[1]s)", math.Floor, nil)
	OpCeil = unary("ceil", "the smallest whole number not below x",
		"math.Ceil(%[1]s)", math.Ceil, nil)
	OpRound = unary("round", "the nearest whole number, the even one at a tie",
		"math.RoundToEven(%[1]s)", math.RoundToEven, nil)
	OpMod = singular(row(Op{Name: "mod", Doc: "what is left of x after whole multiples of y",
		Class: Map, Arity: 2, Go: "special.Mod(%[1]s, %[2]s)",
		Eval: func(x [3]float64) float64 { return special.Mod(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			if i == 0 {
				return b.Num(1)
			}
			return b.Neg(b.Map(OpRound, b.Div(b.Sub(v.Args[0], v), v.Args[1])))
		}}))
}

// pick is the partial derivative of min and max: 1 for the operand that
// wins, the first one at a tie.
func pick(b *Builder, wins *Op, v *Value, i int) *Value {
	first := b.Map(wins, v.Args[0], v.Args[1])
	if i == 0 {
		return first
	}
	return b.Sub(b.Num(1), first)
}

// Truth values and choice.
func init() {
	OpLt = truth("lt", "1 where x < y, else 0",
		"special.Bool(%[1]s < %[2]s)", 2, false, func(a, b float64) bool { return a < b })
	OpLe = truth("le", "1 where x ≤ y, else 0",
		"special.Bool(%[1]s <= %[2]s)", 2, false, func(a, b float64) bool { return a <= b })
	OpGt = truth("gt", "1 where x > y, else 0",
		"special.Bool(%[1]s > %[2]s)", 2, false, func(a, b float64) bool { return a > b })
	OpGe = truth("ge", "1 where x ≥ y, else 0",
		"special.Bool(%[1]s >= %[2]s)", 2, false, func(a, b float64) bool { return a >= b })
	OpEq = truth("eq", "1 where x = y, else 0",
		"special.Bool(%[1]s == %[2]s)", 2, true, func(a, b float64) bool { return a == b })
	OpNe = truth("ne", "1 where x ≠ y, else 0",
		"special.Bool(%[1]s != %[2]s)", 2, true, func(a, b float64) bool { return a != b })
	OpAnd = truth("and", "1 where neither is 0, else 0",
		"special.Bool(%[1]s != 0 && %[2]s != 0)", 2, true,
		func(a, b float64) bool { return a != 0 && b != 0 })
	OpOr = truth("or", "1 where one is not 0, else 0",
		"special.Bool(%[1]s != 0 || %[2]s != 0)", 2, true,
		func(a, b float64) bool { return a != 0 || b != 0 })
	OpNot = truth("not", "1 where x is 0, else 0",
		"special.Bool(%[1]s == 0)", 1, false, func(a, _ float64) bool { return a == 0 })

	OpSelect = row(Op{Name: "select", Class: Map, Arity: 3,
		Go:  "special.Select(%[1]s, %[2]s, %[3]s)",
		Doc: "the second argument where the first is not 0, else the third",
		Eval: func(x [3]float64) float64 {
			return special.Select(x[0], x[1], x[2])
		},
		// Partial is not used: grad selects the cotangent itself, so that
		// the branch not taken gets an exact zero.
		Partial: func(b *Builder, v *Value, i int) *Value {
			switch i {
			case 1:
				return v.Args[0]
			case 2:
				return b.Map(OpNot, v.Args[0])
			}
			return nil
		}})
	// OpMul0 is a product in which a zero on the left wins over anything on
	// the right, infinities and NaN too.
	OpMul0 = row(Op{Name: "mul0", Doc: "x y, and 0 where x is 0 whatever y is",
		Class: Map, Arity: 2, Go: "special.Mul0(%[1]s, %[2]s)",
		Eval:    func(x [3]float64) float64 { return special.Mul0(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value { return v.Args[1-i] }})
}
