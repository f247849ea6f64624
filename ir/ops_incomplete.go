package ir

import "github.com/sgppl/sgppl/runtime/special"

// Ops of this file: distribution functions in logs, their derivatives, and what
// closes the chain lgamma, digamma, trigamma.
var (
	OpPolygamma, OpNormalQuantile                                     *Op
	OpLogGammaP, OpLogGammaPShape, OpLogGammaPDeriv                   *Op
	OpLogGammaQ, OpLogGammaQShape, OpLogGammaQDeriv                   *Op
	OpLogBetaPrime, OpLogBetaPrimeA, OpLogBetaPrimeB, OpLogBetaPrimeW *Op
	OpLogSkewNormalCDF, OpLogSkewNormalCDFShape, OpLogSkewNormalCDFZ  *Op
)

const noSecond = "its second derivative in a shape is not written"

// function makes the row of a function of several numbers, given in package
// special. Its partial derivatives are partials[i]; without any, why says so.
func function(name, gocode, doc string, arity int, f func(x [3]float64) float64, why string, partials ...func(b *Builder, v *Value) *Value) *Op {
	op := Op{Name: name, Class: Map, Arity: arity, Go: gocode, Doc: doc, Eval: f, NoGradient: why, Singular: true}
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
	OpPolygamma = function("polygamma", "special.Polygamma(%[1]s, %[2]s)", "the derivative of order n of digamma", 2,
		func(x [3]float64) float64 { return special.Polygamma(x[0], x[1]) }, "",
		nil, func(b *Builder, v *Value) *Value {
			return b.Map(OpPolygamma, b.Add(v.Args[0], b.Num(1)), v.Args[1])
		})
	OpPolygamma.SizeArg = true
	OpNormalQuantile = singular(unary("normal_quantile", "special.NormalQuantile(%[1]s)", special.NormalQuantile,
		func(b *Builder, v *Value) *Value { // 1/φ(v)
			return b.Map(OpExp, b.Add(b.Mul(b.Num(0.5), b.Mul(v, v)), b.Num(halfLog2Pi)))
		}))
	OpNormalQuantile.Doc = "the x with P(Z ≤ x) = p for a standard normal Z"
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
				return b.Mul(v, b.Sub(b.Sub(b.Map(OpLog, x), b.Map(OpDigamma, a)), b.Map(*shape, a, x)))
			},
			func(b *Builder, v *Value) *Value {
				a, x := v.Args[0], v.Args[1]
				return b.Mul(v, b.Sub(b.Sub(b.Div(b.Sub(a, b.Num(1)), x), b.Num(1)), v))
			},
		}
	}
	OpLogGammaP = function("log_gamma_p", "special.LogGammaP(%[1]s, %[2]s)", "log P(a, x), of the regularised lower incomplete gamma function", 2,
		func(x [3]float64) float64 { return special.LogGammaP(x[0], x[1]) }, "", at(&OpLogGammaPShape), at(&OpLogGammaPDeriv))
	OpLogGammaPShape = function("log_gamma_p_shape", "special.LogGammaPShape(%[1]s, %[2]s)", "∂ log P(a, x)/∂a", 2,
		func(x [3]float64) float64 { return special.LogGammaPShape(x[0], x[1]) }, noSecond)
	OpLogGammaPDeriv = function("log_gamma_p_derivative", "special.LogGammaPDeriv(%[1]s, %[2]s)", "∂ log P(a, x)/∂x", 2,
		func(x [3]float64) float64 { return special.LogGammaPDeriv(x[0], x[1]) }, "", deriv(&OpLogGammaPShape)...)
	OpLogGammaQ = function("log_gamma_q", "special.LogGammaQ(%[1]s, %[2]s)", "log Q(a, x) = log(1 − P(a, x))", 2,
		func(x [3]float64) float64 { return special.LogGammaQ(x[0], x[1]) }, "", at(&OpLogGammaQShape), at(&OpLogGammaQDeriv))
	OpLogGammaQShape = function("log_gamma_q_shape", "special.LogGammaQShape(%[1]s, %[2]s)", "∂ log Q(a, x)/∂a", 2,
		func(x [3]float64) float64 { return special.LogGammaQShape(x[0], x[1]) }, noSecond)
	OpLogGammaQDeriv = function("log_gamma_q_derivative", "special.LogGammaQDeriv(%[1]s, %[2]s)", "∂ log Q(a, x)/∂x", 2,
		func(x [3]float64) float64 { return special.LogGammaQDeriv(x[0], x[1]) }, "", deriv(&OpLogGammaQShape)...)
}

// betaOps are log I at the odds w (DLMF 8.17.2), and its derivatives. With r
// that in w, f'/f = (a-1)/w - (a+b)/(1+w).
func betaOps() {
	const call = "(%[1]s, %[2]s, %[3]s)"
	OpLogBetaPrime = function("log_beta_prime_cdf", "special.LogBetaPrimeCDF"+call, "log I(a, b) at w/(1 + w), of the regularised incomplete beta function", 3,
		func(x [3]float64) float64 { return special.LogBetaPrimeCDF(x[0], x[1], x[2]) }, "", at(&OpLogBetaPrimeA), at(&OpLogBetaPrimeB), at(&OpLogBetaPrimeW))
	OpLogBetaPrimeA = function("log_beta_prime_cdf_a", "special.LogBetaPrimeCDFA"+call, "∂ log_beta_prime_cdf/∂a", 3,
		func(x [3]float64) float64 { return special.LogBetaPrimeCDFA(x[0], x[1], x[2]) }, noSecond)
	OpLogBetaPrimeB = function("log_beta_prime_cdf_b", "special.LogBetaPrimeCDFB"+call, "∂ log_beta_prime_cdf/∂b", 3,
		func(x [3]float64) float64 { return special.LogBetaPrimeCDFB(x[0], x[1], x[2]) }, noSecond)
	inShape := func(i int, own **Op) func(b *Builder, v *Value) *Value {
		return func(b *Builder, v *Value) *Value {
			w := v.Args[2]
			density := b.Sub(b.Map(OpDigamma, b.Add(v.Args[0], v.Args[1])), b.Add(b.Map(OpDigamma, v.Args[i]), b.Map(OpLog1p, w)))
			if i == 0 {
				density = b.Add(density, b.Map(OpLog, w))
			}
			return b.Mul(v, b.Sub(density, b.Map(*own, v.Args...)))
		}
	}
	OpLogBetaPrimeW = function("log_beta_prime_cdf_w", "special.LogBetaPrimeCDFW"+call, "∂ log_beta_prime_cdf/∂w", 3,
		func(x [3]float64) float64 { return special.LogBetaPrimeCDFW(x[0], x[1], x[2]) }, "",
		inShape(0, &OpLogBetaPrimeA), inShape(1, &OpLogBetaPrimeB), func(b *Builder, v *Value) *Value {
			a, c, w := v.Args[0], v.Args[1], v.Args[2]
			slope := b.Sub(b.Div(b.Sub(a, b.Num(1)), w), b.Div(b.Add(a, c), b.Add(b.Num(1), w)))
			return b.Mul(v, b.Sub(slope, v))
		})
}

// skewNormalOps are the log distribution function of 2φ(t)Φ(αt) at z and its
// derivatives; m is φ/Φ at αz.
func skewNormalOps() {
	mills := func(b *Builder, v *Value) *Value {
		s := b.Mul(v.Args[0], v.Args[1])
		return b.Map(OpExp, b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(s, s)), b.Num(halfLog2Pi)), b.Map(OpLogNormalCDF, s)))
	}
	OpLogSkewNormalCDF = function("log_skew_normal_cdf", "special.LogSkewNormalCDF(%[1]s, %[2]s)", "log P(Z ≤ z) of a skew normal Z of density 2φ(t)Φ(αt)", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDF(x[0], x[1]) }, "", at(&OpLogSkewNormalCDFZ), at(&OpLogSkewNormalCDFShape))
	OpLogSkewNormalCDFZ = function("log_skew_normal_cdf_z", "special.LogSkewNormalCDFZ(%[1]s, %[2]s)", "∂ log_skew_normal_cdf/∂z", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDFZ(x[0], x[1]) }, "",
		func(b *Builder, v *Value) *Value {
			return b.Mul(v, b.Sub(b.Sub(b.Mul(v.Args[1], mills(b, v)), v.Args[0]), v))
		},
		func(b *Builder, v *Value) *Value {
			return b.Mul(v, b.Sub(b.Mul(v.Args[0], mills(b, v)), b.Map(OpLogSkewNormalCDFShape, v.Args...)))
		})
	OpLogSkewNormalCDFShape = function("log_skew_normal_cdf_shape", "special.LogSkewNormalCDFShape(%[1]s, %[2]s)", "∂ log_skew_normal_cdf/∂α", 2,
		func(x [3]float64) float64 { return special.LogSkewNormalCDFShape(x[0], x[1]) }, noSecond)
}
