package special

import "math"

// tails describe a distribution at a point: the logs of the lower and the upper probability P and
// Q; p and q, the density of log x divided by each; and the derivatives of the logs with respect
// to the first shape and the second.
type tails struct {
	logP, logQ, p, q float64
	logPa, logQa     float64
	logPb, logQb     float64
}

// fromLower fills the upper side by Q = 1 - P.
func (t *tails) fromLower() {
	t.logQ = Log1mExp(t.logP)
	odds := Exp(t.logP - t.logQ)
	t.q, t.logQa, t.logQb = t.p*odds, -t.logPa*odds, -t.logPb*odds
}

// swap exchanges lower and upper.
func (t *tails) swap() {
	t.logP, t.logQ, t.p, t.q = t.logQ, t.logP, t.q, t.p
	t.logPa, t.logQa, t.logPb, t.logQb = t.logQa, t.logPa, t.logQb, t.logPb
}

// gammaLogDensity returns log(x^a e^-x/Γ(a)), the log density of the logarithm
// of a gamma at log x. For large a it is formed from the distance to the mode.
func gammaLogDensity(a, x float64) float64 {
	if a < 10 {
		return (float64(a*Log(x)) - x) - Lgamma(a)
	}
	d := (x - a) / a
	if d > 1 || d < -0.5 { // far from the mode log(x/a) is the better, and d may overflow
		return float64(a*(Log(x/a)+1)) - x + (float64(0.5*Log(a)) - halfLog2Pi) - stirling(a)
	}
	return float64(a*log1pmx(d)) + (float64(0.5*Log(a)) - halfLog2Pi) - stirling(a)
}

// incGamma returns the tails of a gamma of shape a > 0 and rate 1 at x > 0.
//
//   - Small a and x: P = x^a/Γ(1+a) · (1 + aT), T = Σ (-x)ⁿ/(n!(a+n)) (DLMF
//     8.7.1), in logs, so that Q = -expm1(log P) keeps its digits.
//   - x below a moderate a: P = x^a e^-x/Γ(1+a) · Σ xⁿ/((a+1)…(a+n)) (8.11.4).
//   - Else quadrature of the smaller tail in s = log x, where the density
//     exp(as - e^s) is log-concave: the derivative of log P in a is
//     E[s | s < log x] - ψ(a), an integral of the same kind.
func incGamma(a, x float64) (t tails) {
	switch {
	case a < 1.1 && x < 1.1:
		T, Ta := 0.0, 0.0
		term := 1.0
		for n := 1.0; n < 40; n++ {
			term = float64(term * (-x / n))
			v := term / (a + n)
			T += v
			Ta -= v / (a + n)
			if math.Abs(v) < 1e-18*math.Abs(T) {
				break
			}
		}
		lx := Log(x)
		lg, psi := 0.0, Digamma(1+a)
		if a <= 1 {
			lg = lgamma1p(a)
		} else {
			lg = Lgamma(1 + a)
		}
		t.logP = (float64(a*lx) - lg) + Log1p(float64(a*T))
		t.logPa = (lx - psi) + (T+float64(a*Ta))/(1+float64(a*T))
		t.p = a * Exp(-x) / (1 + float64(a*T))
		t.fromLower()
	case a < 60 && x < a:
		S, Sa, term, logTermA := 1.0, 0.0, 1.0, 0.0
		for n := 1.0; n < 500; n++ {
			term = float64(term * (x / (a + n)))
			logTermA -= 1 / (a + n)
			S += term
			Sa += float64(term * logTermA)
			if term < 1e-17*S {
				break
			}
		}
		t.logP = (gammaLogDensity(a, x) - Log(a)) + Log(S)
		t.logPa = (Log(x) - Digamma(a+1)) + Sa/S
		t.p = a / S
		t.fromLower()
	case x < a:
		t.logP, t.p, t.logPa = gammaTail(a, x, -1)
		t.fromLower()
	default:
		t.logP, t.p, t.logPa = gammaTail(a, x, 1)
		t.fromLower()
		t.swap()
	}
	return t
}

// gammaTail integrates the side of x that sign gives: with s = log x + v, the
// exponent is (a-x)v - x(e^v - 1 - v).
func gammaTail(a, x, sign float64) (logTail, density, shape float64) {
	u := tailLength(sign*(x-a), x, func(u float64) (h, slope float64) {
		v := float64(sign * u)
		return float64((x-a)*v) + float64(x*expm1mx(v)), sign * ((x - a) + float64(x*Expm1(v)))
	})
	sum, first := 0.0, 0.0
	for _, g := range gauss32 {
		v := float64(sign * u * g.x)
		f := float64(g.w * Exp(float64((a-x)*v)-float64(x*expm1mx(v))))
		sum += f
		first += float64(f * v)
	}
	logX := Log(x) - Digamma(a) // E[s] - ψ(a) at v = 0
	if a >= 10 {
		logX = Log(x/a) + logMinusDigamma(a)
		if d := (x - a) / a; d > -0.5 && d < 1 {
			logX = Log1p(d) + logMinusDigamma(a)
		}
	}
	sum *= u
	return gammaLogDensity(a, x) + Log(sum), 1 / sum, logX + float64(first*u)/sum
}

// gammaTails puts the ends around incGamma; ok is false at them, where every
// derivative is given as 0.
func gammaTails(a, x float64) (t tails, ok bool) {
	switch {
	case a != a || x != x || a < 0 || math.IsInf(a, 1) && math.IsInf(x, 1):
		n := math.NaN()
		return tails{logP: n, logQ: n, p: n, q: n, logPa: n, logQa: n}, false
	case a == 0 || math.IsInf(x, 1): // all at 0, or below x
		return tails{logP: 0, logQ: math.Inf(-1)}, false
	case x <= 0 || math.IsInf(a, 1):
		return tails{logP: math.Inf(-1), logQ: 0, p: a}, false
	}
	return incGamma(a, x), true
}

// LogGammaP returns log P(a, x), the logarithm of the regularised lower
// incomplete gamma function, for a > 0 and x >= 0 (DLMF 8.2.4): the log of the
// distribution function of a gamma of shape a and rate 1.
func LogGammaP(a, x float64) float64 { t, _ := gammaTails(a, x); return t.logP }

// LogGammaQ returns log Q(a, x) = log(1 - P(a, x)).
func LogGammaQ(a, x float64) float64 { t, _ := gammaTails(a, x); return t.logQ }

// LogGammaPShape returns the derivative of LogGammaP in a.
func LogGammaPShape(a, x float64) float64 { t, _ := gammaTails(a, x); return t.logPa }

// LogGammaQShape returns the derivative of LogGammaQ in a.
func LogGammaQShape(a, x float64) float64 { t, _ := gammaTails(a, x); return t.logQa }

// LogGammaPDeriv returns the derivative of LogGammaP in x, the density over P.
func LogGammaPDeriv(a, x float64) float64 {
	if t, _ := gammaTails(a, x); x > 0 {
		return t.p / x
	}
	return math.Inf(1)
}

// LogGammaQDeriv returns the derivative of LogGammaQ in x, minus the hazard.
func LogGammaQDeriv(a, x float64) float64 {
	t, _ := gammaTails(a, x)
	switch {
	case x > 0 && !math.IsInf(x, 1):
		return -t.q / x
	case a == 0:
		return 0
	case x > 0 || a == 1:
		return -1 // the hazard nears that of an exponential
	case a < 1:
		return math.Inf(-1)
	}
	return 0 * a
}
