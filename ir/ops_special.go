package ir

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Ops of this file; their rows are made in init because the rules of one op build others.
var (
	OpExp, OpLog, OpLog1p, OpExpm1, OpSqrt, OpSigmoid              *Op
	OpLogSigmoid, OpLog1pExp, OpLog1mExp, OpLogit, OpTanh, OpSinh  *Op
	OpCosh, OpSin, OpCos, OpTan, OpAsin, OpAcos                    *Op
	OpAtan, OpAtan2, OpRelu, OpLgamma, OpDigamma, OpTrigamma       *Op
	OpVMFLogConstant, OpVMFRatio, OpVMFRatioDeriv                  *Op
	OpLbeta, OpLchoose, OpErf, OpErfc, OpNormalCDF, OpLogNormalCDF *Op
)

// Elementary and special functions. Formulas of derivatives are in Abramowitz
// & Stegun (1964), chapters 4, 6 and 7.
func init() {
	OpExp = unary("exp", "eˣ", "special.Exp(%[1]s)", special.Exp,
		func(b *Builder, v *Value) *Value { return v })
	OpLog = singular(unary("log", "the natural logarithm", "special.Log(%[1]s)", special.Log,
		func(b *Builder, v *Value) *Value { return b.Div(b.Num(1), arg(v)) }))
	OpLog1p = singular(unary("log1p", "log(1 + x)", "special.Log1p(%[1]s)", special.Log1p,
		func(b *Builder, v *Value) *Value { return b.Div(b.Num(1), b.Add(b.Num(1), arg(v))) }))
	OpExpm1 = unary("expm1", "eˣ − 1", "special.Expm1(%[1]s)", special.Expm1,
		func(b *Builder, v *Value) *Value { return b.Map(OpExp, arg(v)) })
	OpSqrt = singular(unary("sqrt", "the square root", "math.Sqrt(%[1]s)", math.Sqrt,
		func(b *Builder, v *Value) *Value { return b.Div(b.Num(0.5), v) }))
	OpSigmoid = unary("sigmoid", "1 / (1 + e⁻ˣ)", "special.Sigmoid(%[1]s)", special.Sigmoid,
		func(b *Builder, v *Value) *Value { return b.Mul(v, b.Map(OpSigmoid, b.Neg(arg(v)))) })
	OpLogSigmoid = unary("log_sigmoid", "−log(1 + e⁻ˣ)",
		"special.LogSigmoid(%[1]s)", special.LogSigmoid,
		func(b *Builder, v *Value) *Value { return b.Map(OpSigmoid, b.Neg(arg(v))) })
	OpLog1pExp = unary("log1p_exp", "log(1 + eˣ)", "special.Softplus(%[1]s)", special.Softplus,
		func(b *Builder, v *Value) *Value { return b.Map(OpSigmoid, arg(v)) })
	OpLog1mExp = singular(unary("log1m_exp", "log(1 − eˣ)",
		"special.Log1mExp(%[1]s)", special.Log1mExp,
		// d log(1 − eˣ) = −eˣ/(1 − eˣ) = 1 / expm1(−x) · (−1)
		func(b *Builder, v *Value) *Value {
			return b.Div(b.Num(-1), b.Map(OpExpm1, b.Neg(arg(v))))
		}))
	OpLogit = singular(unary("logit", "log(x / (1 − x))", "special.Logit(%[1]s)", special.Logit,
		func(b *Builder, v *Value) *Value {
			x := arg(v)
			return b.Div(b.Num(1), b.Mul(x, b.Sub(b.Num(1), x)))
		}))
	OpTanh = unary("tanh", "the hyperbolic tangent", "special.Tanh(%[1]s)", special.Tanh,
		func(b *Builder, v *Value) *Value { return b.Sub(b.Num(1), b.Mul(v, v)) })
	OpSinh = unary("sinh", "the hyperbolic sine", "special.Sinh(%[1]s)", special.Sinh,
		func(b *Builder, v *Value) *Value { return b.Map(OpCosh, arg(v)) })
	OpCosh = unary("cosh", "the hyperbolic cosine", "special.Cosh(%[1]s)", special.Cosh,
		func(b *Builder, v *Value) *Value { return b.Map(OpSinh, arg(v)) })
	OpSin = unary("sin", "the sine", "special.Sin(%[1]s)", special.Sin,
		func(b *Builder, v *Value) *Value { return b.Map(OpCos, arg(v)) })
	OpCos = unary("cos", "the cosine", "special.Cos(%[1]s)", special.Cos,
		func(b *Builder, v *Value) *Value { return b.Neg(b.Map(OpSin, arg(v))) })
	OpTan = unary("tan", "the tangent", "special.Tan(%[1]s)", special.Tan,
		func(b *Builder, v *Value) *Value { return b.Add(b.Num(1), b.Mul(v, v)) })
	OpAsin = singular(unary("asin", "the arc sine", "special.Asin(%[1]s)", special.Asin,
		func(b *Builder, v *Value) *Value {
			return b.Div(b.Num(1), b.Map(OpSqrt, b.Sub(b.Num(1), b.Mul(arg(v), arg(v)))))
		}))
	OpAcos = singular(unary("acos", "the arc cosine", "special.Acos(%[1]s)", special.Acos,
		func(b *Builder, v *Value) *Value {
			return b.Div(b.Num(-1), b.Map(OpSqrt, b.Sub(b.Num(1), b.Mul(arg(v), arg(v)))))
		}))
	OpAtan = unary("atan", "the arc tangent", "special.Atan(%[1]s)", special.Atan,
		func(b *Builder, v *Value) *Value {
			return b.Div(b.Num(1), b.Add(b.Num(1), b.Mul(arg(v), arg(v))))
		})
	OpAtan2 = singular(row(Op{Name: "atan2",
		Doc:   "the angle of the point (y, x), arguments in that order",
		Class: Map, Arity: 2, Go: "special.Atan2(%[1]s, %[2]s)",
		Eval: func(x [3]float64) float64 { return special.Atan2(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			y, x := v.Args[0], v.Args[1]
			r2 := b.Add(b.Mul(x, x), b.Mul(y, y))
			if i == 0 {
				return b.Div(x, r2)
			}
			return b.Neg(b.Div(y, r2))
		}}))
	OpRelu = unary("relu", "max(x, 0)", "special.Relu(%[1]s)", special.Relu,
		// the sum itself need not be kept
		func(b *Builder, v *Value) *Value { return b.Map(OpGt, v, b.Num(0)) })
	OpLgamma = costly(singular(unary("lgamma", "log|Γ(x)|", "special.Lgamma(%[1]s)", special.Lgamma,
		func(b *Builder, v *Value) *Value { return b.Map(OpDigamma, arg(v)) })))
	OpDigamma = costly(singular(unary("digamma", "the derivative of lgamma",
		"special.Digamma(%[1]s)", special.Digamma,
		func(b *Builder, v *Value) *Value { return b.Map(OpTrigamma, arg(v)) })))
	OpTrigamma = costly(singular(unary("trigamma", "the derivative of digamma",
		"special.Trigamma(%[1]s)", special.Trigamma,
		func(b *Builder, v *Value) *Value { return b.Map(OpPolygamma, b.Num(2), arg(v)) })))
	OpLbeta = costly(singular(row(Op{Name: "lbeta", Class: Map, Arity: 2, Commutes: true,
		Go:   "special.Lbeta(%[1]s, %[2]s)",
		Doc:  "log B(x, y) = lgamma(x) + lgamma(y) − lgamma(x + y)",
		Eval: func(x [3]float64) float64 { return special.Lbeta(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			return b.Sub(b.Map(OpDigamma, v.Args[i]), b.Map(OpDigamma, b.Add(v.Args[0], v.Args[1])))
		}})))
	OpLchoose = costly(singular(row(Op{Name: "lchoose", Class: Map, Arity: 2,
		Go:   "special.Lchoose(%[1]s, %[2]s)",
		Doc:  "log of n choose k",
		Eval: func(x [3]float64) float64 { return special.Lchoose(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			n, k := v.Args[0], v.Args[1]
			rest := b.Map(OpDigamma, b.Add(b.Sub(n, k), b.Num(1)))
			if i == 0 {
				return b.Sub(b.Map(OpDigamma, b.Add(n, b.Num(1))), rest)
			}
			return b.Sub(rest, b.Map(OpDigamma, b.Add(k, b.Num(1))))
		}})))
	OpVMFLogConstant = row(Op{Name: "vmf_log_constant", Class: Map, Arity: 2, SizeArg: true,
		Costly: true,
		Go:     "special.VMFLogConstant(%[1]s, %[2]s)",
		Doc:    "log of the von Mises–Fisher constant on the sphere of R^d, by d and κ",
		Eval:   func(x [3]float64) float64 { return special.VMFLogConstant(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			if i == 0 {
				return nil // the dimension is a size
			}
			return b.Neg(b.Map(OpVMFRatio, v.Args[0], v.Args[1]))
		}})
	OpVMFRatio = row(Op{Name: "vmf_ratio", Class: Map, Arity: 2, SizeArg: true, Costly: true,
		Go:   "special.VMFRatio(%[1]s, %[2]s)",
		Doc:  "A_d(κ), the mean resultant length of a von Mises–Fisher law",
		Eval: func(x [3]float64) float64 { return special.VMFRatio(x[0], x[1]) },
		Partial: func(b *Builder, v *Value, i int) *Value {
			if i == 0 {
				return nil
			}
			return b.Map(OpVMFRatioDeriv, v.Args[0], v.Args[1])
		}})
	OpVMFRatioDeriv = row(Op{Name: "vmf_ratio_derivative", Class: Map, Arity: 2, Costly: true,
		Go:  "special.VMFRatioDeriv(%[1]s, %[2]s)",
		Doc: "A′_d(κ)", NoGradient: "the second derivative of A_d is not written", SizeArg: true,
		Eval: func(x [3]float64) float64 { return special.VMFRatioDeriv(x[0], x[1]) }})
	OpErf = costly(unary("erf", "the error function", "special.Erf(%[1]s)", special.Erf,
		func(b *Builder, v *Value) *Value {
			x := arg(v)
			return b.Mul(b.Num(2/math.Sqrt(math.Pi)), b.Map(OpExp, b.Neg(b.Mul(x, x))))
		}))
	OpErfc = costly(unary("erfc", "1 − erf(x)", "special.Erfc(%[1]s)", special.Erfc,
		func(b *Builder, v *Value) *Value {
			x := arg(v)
			return b.Mul(b.Num(-2/math.Sqrt(math.Pi)), b.Map(OpExp, b.Neg(b.Mul(x, x))))
		}))
	OpNormalCDF = costly(unary("normal_cdf", "P(Z ≤ x) of a standard normal Z",
		"special.NormalCDF(%[1]s)", special.NormalCDF,
		func(b *Builder, v *Value) *Value {
			x := arg(v)
			return b.Map(OpExp, b.Sub(b.Mul(b.Num(-0.5), b.Mul(x, x)), b.Num(halfLog2Pi)))
		}))
	OpLogNormalCDF = unary("log_normal_cdf", "log P(Z ≤ x)",
		"special.LogNormalCDF(%[1]s)", special.LogNormalCDF,
		// φ/Φ in logs, so that the far tail stays finite
		func(b *Builder, v *Value) *Value {
			x := arg(v)
			return b.Map(OpExp, b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(x, x)), b.Num(halfLog2Pi)), v))
		})
}

// ½ log 2π
const halfLog2Pi = 0.918938533204672741780329736406
