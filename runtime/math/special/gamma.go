package special

import "math"

// lgamma(2+t)/t on |t| <= ½; absolute error below 2e-17.
var lgammaC = [...]float64{
	0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a55760ap-4, 0x1.51322ac7d848ap-6,
	-0x1.e404fc218dbaep-8, 0x1.7add6eadb5317p-9, -0x1.38ac5c2d48207p-10, 0x1.0b36af8779cap-11,
	-0x1.d3fd4b679c1c4p-13, 0x1.a127afee53e7dp-14, -0x1.78de9ab752b81p-15, 0x1.580e0afa5585p-16,
	-0x1.3cb3be36ad88bp-17, 0x1.258f3057730fap-18, -0x1.1276ebd557fbp-19, 0x1.012012be3900ap-20,
	-0x1.ce17528bcf46p-22, 0x1.b40adb09a1e12p-23, -0x1.2009c1a550d0dp-23, 0x1.11fa5e7c86f7bp-24,
}

// ψ(1.5+t)/(1.5+t-x₀) on |t| <= ½, x₀ the positive zero of ψ; absolute error
// below 9e-17.
var digammaC = [...]float64{
	0x1.e6f0cbb873617p-1, -0x1.b1cb63005ee97p-2, 0x1.eca189b8e6da1p-3, -0x1.2feeeb98a7cd8p-3,
	0x1.8512e5905d18p-4, -0x1.fb442029cdbf4p-5, 0x1.4de9aa05d3418p-5, -0x1.b9f8b1367959dp-6,
	0x1.256475e5ac975p-6, -0x1.86355f6f68797p-7, 0x1.03c00801ba958p-7, -0x1.5a071c746535bp-8,
	0x1.cd3e42d157015p-9, -0x1.33661f9073563p-9, 0x1.980fc9c9f0be8p-10, -0x1.1002aaf6255f5p-10,
	0x1.7b3b41b0b38cdp-11, -0x1.f99f529bd0771p-12, 0x1.dc8ae08af0fc4p-13, -0x1.3db05b36d9a48p-13,
	0x1.104c9d0897b58p-12, -0x1.6b107f71aa124p-13,
}

const (
	digammaZero   = 0x1.762d86356be3fp+0
	digammaZeroLo = 0x1.b86a722197829p-54
	halfLog2Pi    = 0x1.d67f1c864beb5p-1
	logPi         = 0x1.250d048e7a1bdp+0
)

// Lgamma returns log|Γ(x)|. For x > 0 the relative error is a few ulp, also
// near the zeros at 1 and 2; near zeros on the negative axis the absolute
// error is small, not the relative.
func Lgamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0):
		return math.Inf(1)
	case x <= 0:
		if x == math.Floor(x) {
			return math.Inf(1)
		}
		if x > -0x1p-60 {
			return -Log(-x)
		}
		// Γ(x)·Γ(1-x) = π/sin(πx)
		return logPi - Log(math.Abs(sinPi(x))) - Lgamma(1-x)
	case x < 0.5:
		return float64(x*horner(lgammaC[:], x)) - Log(float64(x*(1+x)))
	case x < 1.5:
		t := x - 1
		return float64(t*horner(lgammaC[:], t)) - Log1p(t)
	case x < 2.5:
		t := x - 2
		return t * horner(lgammaC[:], t)
	case x < 9:
		p := 1.0
		for x >= 2.5 {
			x--
			p *= x
		}
		t := x - 2
		return Log(p) + float64(t*horner(lgammaC[:], t))
	}
	if x > 0x1p1000 {
		return x * (Log(x) - 1)
	}
	return (float64((x-0.5)*(Log(x)-1)) + (halfLog2Pi - 0.5)) + stirling(x)
}

// stirling returns log Γ(x) - ((x-½)log x - x + ½log 2π) for x >= 9: Stirling's
// series, Σ B₂ₙ/(2n(2n-1)x²ⁿ⁻¹), whose next term is below 1e-17 there.
func stirling(x float64) float64 {
	return horner(stirlingC[:], 1/(x*x)) / x
}

var stirlingC = [...]float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
	-691.0 / 360360, 1.0 / 156, -3617.0 / 122400, 43867.0 / 244188,
}

// Digamma returns ψ(x), the derivative of Lgamma; NaN at the poles.
func Digamma(x float64) float64 {
	switch {
	case x <= 0:
		if x == math.Floor(x) {
			return math.NaN()
		}
		// ψ(1-x) - ψ(x) = π/tan(πx)
		return Digamma(1-x) - math.Pi/tanPi(x)
	case x < 1:
		return digamma12(x+1, x) - 1/x
	case x <= 2:
		return digamma12(x, x-1)
	case x < 10:
		s := 0.0
		for x > 2 {
			x--
			s += 1 / x
		}
		return digamma12(x, x-1) + s
	}
	// log x - 1/(2x) - Σ B₂ₙ/(2n·x²ⁿ)
	z := 1 / (x * x)
	return Log(x) - (0.5/x + float64(z*horner(digammaAsymptotic[:], z)))
}

// digamma12 returns ψ(x) for x in [1, 2]; frac is x - 1, exactly.
func digamma12(x, frac float64) float64 {
	return float64(((x - digammaZero) - digammaZeroLo) * horner(digammaC[:], frac-0.5))
}

var digammaAsymptotic = [...]float64{
	1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132,
	-691.0 / 32760, 1.0 / 12, -3617.0 / 8160,
}

// Trigamma returns ψ′(x); +∞ at the poles.
func Trigamma(x float64) float64 {
	if x <= 0 {
		if x == math.Floor(x) {
			return math.Inf(1)
		}
		// ψ′(1-x) + ψ′(x) = (π/sin(πx))²
		s := math.Pi / sinPi(x)
		return float64(s*s) - Trigamma(1-x)
	}
	s := 0.0
	for x < 12 {
		s += 1 / (x * x)
		x++
	}
	// 1/x + 1/(2x²) + Σ B₂ₙ/x²ⁿ⁺¹
	z := 1 / (x * x)
	return s + ((float64(0.5*z) + float64(z*horner(trigammaAsymptotic[:], z))/x) + 1/x)
}

var trigammaAsymptotic = [...]float64{
	1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66,
	-691.0 / 2730, 7.0 / 6, -3617.0 / 510,
}

// Lbeta returns log B(a, b) for a, b > 0.
func Lbeta(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	if b < 10 {
		return (Lgamma(a) + Lgamma(b)) - Lgamma(a+b)
	}
	// Stirling on the large ones, so that what cancels is never formed:
	// lgamma(b) - lgamma(a+b) = -(b-½)·log1p(a/b) - a·log(a+b) + a + …
	l := Log1p(a / b)
	d := stirling(b) - stirling(a+b)
	if a < 10 {
		return (Lgamma(a) - float64(a*(Log(a+b)-1))) + (d - float64((b-0.5)*l))
	}
	return (halfLog2Pi - float64(0.5*Log(b))) + ((stirling(a) + d) - float64((a-0.5)*Log1p(b/a))) -
		float64(b*l)
}

// Lchoose returns the log of the binomial coefficient n over k, for reals with
// k > -1 and n-k > -1; elsewhere -∞, as the coefficients of integers there
// are 0.
func Lchoose(n, k float64) float64 {
	if k > n-k {
		k = n - k
	}
	switch {
	case k == 0:
		return 0
	case k == 1:
		return Log(n)
	case k <= -1:
		return math.Inf(-1)
	}
	return -Log(n+1) - Lbeta(k+1, (n-k)+1)
}
