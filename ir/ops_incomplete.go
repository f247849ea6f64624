package ir

import "github.com/sgppl/sgppl/runtime/math/special"

// Ops of this file: distribution functions in logs, their derivatives, and what
// closes the chain lgamma, digamma, trigamma.
var (
	OpPolygamma, OpNormalQuantile                                    *Op
	OpLogGammaP, OpLogGammaPShape, OpLogGammaPDeriv                  *Op
	OpLogGammaQ, OpLogGammaQShape, OpLogGammaQDeriv                  *Op
	OpLogBetaInc, OpLogBetaIncA, OpLogBetaIncB, OpLogBetaIncS        *Op
	OpLogStudentTCDF, OpLogStudentTCDFNu                             *Op
	OpLogErfcx, OpLogErfcxDeriv                                      *Op
	OpLogSkewNormalCDF, OpLogSkewNormalCDFShape, OpLogSkewNormalCDFZ *Op
)

const noSecond = "its second derivative in a shape is not written"

// function makes the row of a function of several numbers, given in package
// special. Its partial derivatives are partials[i]; without any, why says so.
func function(
	name, gocode, doc string, arity int, f func(x [3]float64) float64, why string,
	partials ...func(b *Builder, v *Value) *Value,
) *Op {
	op := Op{Name: name, Class: Map, Arity: arity, Go: gocode, Doc: doc, Eval: f, NoGradient: why,
		Singular: true, Costly: true}
	if partials != nil {
		op.Partial = func(b *Builder, v *Value, i int) *Value {
			if partials[i] == nil {
				return nil
			}
			return partials[i](b, v)
		}
	}
	return row(op)
}

// at is the op of a derivative at the same arguments.
func at(op **Op) func(b *Builder, v *Value) *Value {
	return func(b *Builder, v *Value) *Value { return b.Map(*op, v.Args...) }
}

func init() {
	OpPolygamma = function("polygamma", "special.Polygamma(%[1]s, %[2]s)",
		"the derivative of order n of digamma", 2,
		func(x [3]float64) float64 { return special.Polygamma(x[0], x[1]) }, "",
		nil, func(b *Builder, v *Value) *Value {
			return b.Map(OpPolygamma, b.Add(v.Args[0], b.Num(1)), v.Args[1])
		})
	OpPolygamma.SizeArg = true
	OpNormalQuantile = costly(singular(unary("normal_quantile",
		"the x with P(Z ≤ x) = p for a standard normal Z",
		"special.NormalQuantile(%[1]s)", special.NormalQuantile,
		func(b *Builder, v *Value) *Value { // 1/φ(v)
			return b.Map(OpExp, b.Add(b.Mul(b.Num(0.5), b.Mul(v, v)), b.Num(halfLog2Pi)))
		})))
	OpLogErfcx = function("log_erfcx", "special.LogErfcx(%[1]s)", "log(exp(x²) erfc(x))", 1,
		func(x [3]float64) float64 { return special.LogErfcx(x[0]) }, "", at(&OpLogErfcxDeriv))
	OpLogErfcxDeriv = function("log_erfcx_derivative", "special.LogErfcxDeriv(%[1]s)",
		"the derivative of log_erfcx", 1,
		func(x [3]float64) float64 { return special.LogErfcxDeriv(x[0]) }, "",
		func(b *Builder, v *Value) *Value { // d = 2x - m with m = 2/(√π erfcx), m' = -m d
			m := b.Sub(b.Mul(b.Num(2), arg(v)), v)
			return b.Add(b.Num(2), b.Mul(m, v))
		})
	gammaOps()
	betaOps()
	skewNormalOps()
}

// gammaOps are log P(a, x) and log Q(a, x) of a gamma of shape a (DLMF 8.2.4).
// With r the derivative in x, f'/f = (a-1)/x - 1 and ∂ log f/∂a = log x - ψ(a).
func gammaOps() {
	deriv := func(shape **Op) []func(b *Builder, v *Value) *Value {
		return []func(b *Builder, v *Value) *Value{
			func(b *Builder, v *Value) *Value {
				a, x := v.Args[0], v.Args[1]
				return b.Mul(v,
					b.Sub(b.Sub(b.Map(OpLog, x), b.Map(OpDigamma, a)), b.Map(*shape, a, x)))
			},
			func(b *Builder, v *Value) *Value {
				a, x := v.Args[0], v.Args[1]
				return b.Mul(v, b.Sub(b.Sub(b.Div(b.Sub(a, b.Num(1)), x), b.Num(1)), v))
			},
		}
	}
	OpLogGammaP = function("log_gamma_p", "special.LogGammaP(%[1]s, %[2]s)",
		"log P(a, x), of the regularised lower incomplete gamma function", 2,
		func(x [3]float64) float64 { return special.LogGammaP(x[0], x[1]) }, "",
		at(&OpLogGammaPShape), at(&OpLogGammaPDeriv))
	OpLogGammaPShape = function("log_gamma_p_shape", "special.LogGammaPShape(%[1]s, %[2]s)",
		"∂ log P(a, x)/∂a", 2,
		func(x [3]float64) float64 { return special.LogGammaPShape(x[0], x[1]) }, noSecond)
	OpLogGammaPDeriv = function("log_gamma_p_derivative", "special.LogGammaPDeriv(%[1]s, %[2]s)",
		"∂ log P(a, x)/∂x", 2,
		func(x [3]float64) float64 { return special.LogGammaPDeriv(x[0], x[1]) }, "",
		deriv(&OpLogGammaPShape)...)
	OpLogGammaQ = function("log_gamma_q", "special.LogGammaQ(%[1]s, %[2]s)",
		"log Q(a, x) = log(1 − P(a, x))", 2,
		func(x [3]float64) float64 { return special.LogGammaQ(x[0], x[1]) }, "",
		at(&OpLogGammaQShape), at(&OpLogGammaQDeriv))
	OpLogGammaQShape = function("log_gamma_q_shape", "special.LogGammaQShape(%[1]s, %[2]s)",
		"∂ log Q(a, x)/∂a", 2,
		func(x [3]float64) float64 { return special.LogGammaQShape(x[0], x[1]) }, noSecond)
	OpLogGammaQDeriv = function("log_gamma_q_derivative", "special.LogGammaQDeriv(%[1]s, %[2]s)",
		"∂ log Q(a, x)/∂x", 2,
		func(x [3]float64) float64 { return special.LogGammaQDeriv(x[0], x[1]) }, "",
		deriv(&OpLogGammaQShape)...)
}

// betaOps are log I at the log odds s (DLMF 8.17.2), and its derivatives. With r
// that in s, f'/f = a - (a+b) x with x = sigmoid(s), and ∂ log f/∂a = log x - ψ(a) + ψ(a+b).
func betaOps() {
	const call = "(%[1]s, %[2]s, %[3]s)"
	OpLogBetaInc = function("log_beta_inc_logit", "special.LogBetaIncLogit"+call,
		"log I(a, b) at sigmoid(s), of the regularised incomplete beta function", 3,
		func(x [3]float64) float64 { return special.LogBetaIncLogit(x[0], x[1], x[2]) }, "",
		at(&OpLogBetaIncA), at(&OpLogBetaIncB), at(&OpLogBetaIncS))
	OpLogBetaIncA = function("log_beta_inc_logit_a", "special.LogBetaIncLogitA"+call,
		"∂ log_beta_inc_logit/∂a", 3,
		func(x [3]float64) float64 { return special.LogBetaIncLogitA(x[0], x[1], x[2]) }, noSecond)
	OpLogBetaIncB = function("log_beta_inc_logit_b", "special.LogBetaIncLogitB"+call,
		"∂ log_beta_inc_logit/∂b", 3,
		func(x [3]float64) float64 { return special.LogBetaIncLogitB(x[0], x[1], x[2]) }, noSecond)
	inShape := func(i int, own **Op) func(b *Builder, v *Value) *Value {
		return func(b *Builder, v *Value) *Value {
			s := v.Args[2]
			if i == 1 {
				s = b.Neg(s)
			}
			density := b.Add(b.Map(OpLogSigmoid, s),
				b.Sub(b.Map(OpDigamma, b.Add(v.Args[0], v.Args[1])), b.Map(OpDigamma, v.Args[i])))
			return b.Mul(v, b.Sub(density, b.Map(*own, v.Args...)))
		}
	}
	OpLogBetaIncS = function("log_beta_inc_logit_s", "special.LogBetaIncLogitS"+call,
		"∂ log_beta_inc_logit/∂s", 3,
		func(x [3]float64) float64 { return special.LogBetaIncLogitS(x[0], x[1], x[2]) }, "",
		inShape(0, &OpLogBetaIncA), inShape(1, &OpLogBetaIncB), func(b *Builder, v *Value) *Value {
			a, c, s := v.Args[0], v.Args[1], v.Args[2]
			return b.Mul(v, b.Sub(b.Sub(a, b.Mul(b.Add(a, c), b.Map(OpSigmoid, s))), v))
		})
	OpLogStudentTCDF = function("log_student_t_cdf", "special.LogStudentTCDF(%[1]s, %[2]s)",
		"log P(T ≤ z) of a Student t T of ν degrees of freedom", 2,
		func(x [3]float64) float64 { return special.LogStudentTCDF(x[0], x[1]) }, "",
		at(&OpLogStudentTCDFNu),
		func(b *Builder, v *Value) *Value { // the density over P
			nu, z := v.Args[0], v.Args[1]
			kernel := b.Mul(b.Mul(b.Num(-0.5), b.Add(nu, b.Num(1))),
				b.Map(OpLog1p, b.Div(b.Mul(z, z), nu)))
			norm := b.Add(b.Map(OpLbeta, b.Mul(b.Num(0.5), nu), b.Num(0.5)),
				b.Mul(b.Num(0.5), b.Map(OpLog, nu)))
			return b.Map(OpExp, b.Sub(b.Sub(kernel, norm), v))
		})
	OpLogStudentTCDFNu = function("log_student_t_cdf_nu", "special.LogStudentTCDFNu(%[1]s, %[2]s)",
		"∂ log_student_t_cdf/∂ν", 2,
		func(x [3]float64) float64 { return special.LogStudentTCDFNu(x[0], x[1]) }, noSecond)
}

// skewNormalOps are the log distribution function of 2φ(t)Φ(αt) at z and its
// derivatives; m is φ/Φ at αz.
func skewNormalOps() {
	mills := func(b *Builder, v *Value) *Value {
		s := b.Mul(v.Args[0], v.Args[1])
		return b.Map(OpExp, b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(s, s)), b.Num(halfLog2Pi)),
			b.Map(OpLogNormalCDF, s)))
	}
	OpLogSkewNormalCDF = function("log_skew_normal_cdf", "special.LogSkewNormalCDF(%[1]s, %[2]s)",
		"log P(Z ≤ z) of a skew normal Z of density 2φ(t)Φ(αt)", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDF(x[0], x[1]) }, "",
		at(&OpLogSkewNormalCDFZ), at(&OpLogSkewNormalCDFShape))
	OpLogSkewNormalCDFZ = function("log_skew_normal_cdf_z",
		"special.LogSkewNormalCDFZ(%[1]s, %[2]s)", "∂ log_skew_normal_cdf/∂z", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDFZ(x[0], x[1]) }, "",
		func(b *Builder, v *Value) *Value {
			return b.Mul(v, b.Sub(b.Sub(b.Mul(v.Args[1], mills(b, v)), v.Args[0]), v))
		},
		func(b *Builder, v *Value) *Value {
			return b.Mul(v, b.Sub(b.Mul(v.Args[0], mills(b, v)),
				b.Map(OpLogSkewNormalCDFShape, v.Args...)))
		})
	OpLogSkewNormalCDFShape = function("log_skew_normal_cdf_shape",
		"special.LogSkewNormalCDFShape(%[1]s, %[2]s)", "∂ log_skew_normal_cdf/∂α", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDFShape(x[0], x[1]) }, noSecond)
}
