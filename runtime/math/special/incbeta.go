package special

import "math"

// betaLogDensity returns log(x^a y^b/B(a, b)) with x = w/(1+w) and y = 1-x, the
// log density of the log odds of a beta at log w.
func betaLogDensity(a, b, w float64) float64 {
	x, y := w/(1+w), 1/(1+w)
	if a < 10 || b < 10 {
		return (float64(a*logOf(x, w)) - float64(b*Log1p(w))) - Lbeta(a, b)
	}
	// From the distance to the mode: x(a+b)/a = 1 - λ/a, y(a+b)/b = 1 + λ/b.
	l := float64(a*y) - float64(b*x)
	inA, inB := log1pmx(-l/a), log1pmx(l/b)
	if l > 0.5*a { // far below the mode log x is the better
		inA = Log(x*((a+b)/a)) + l/a
	}
	if l < -0.5*b {
		inB = Log(y*((a+b)/b)) - l/b
	}
	return float64(a*inA) + float64(b*inB) +
		(float64(0.5*(Log(a)-Log1p(a/b))) - halfLog2Pi) -
		(stirling(a) + (stirling(b) - stirling(a+b)))
}

// logOf returns log(w/(1+w)), where x is that.
func logOf(x, w float64) float64 {
	if w > 1 {
		return -Log1p(1 / w)
	}
	return Log(x)
}

// incBeta returns the tails at the odds w > 0 of the odds of a beta(a, b), with
// derivatives in a and b. It stands on w <= 1; beyond, the odds 1/w of a
// beta(b, a) are looked at from above.
func incBeta(a, b, w float64) (t tails) {
	if w > 1 {
		t = incBetaLow(b, a, 1/w)
		t.logPa, t.logPb, t.logQa, t.logQb = t.logPb, t.logPa, t.logQb, t.logQa
		t.swap()
		return t
	}
	return incBetaLow(a, b, w)
}

// incBetaLow is incBeta for w <= 1, that is x <= ½.
//
//   - Small a and b x: P = x^a/(a B(a, b)) · (1 + aT), T = Σ (1-b)…(n-b) xⁿ/(n!(a+n))
//     (DLMF 8.17.7), in logs, so that Q = -expm1(log P) keeps its digits.
//   - (a+b)x not large: P = x^a y^b/(a B(a, b)) · Σ (a+b)…(a+b+n-1)/((a+1)…(a+n)) xⁿ
//     (8.17.8), whose terms are positive.
//   - Else, and where P is near 1, quadrature of a tail in the log odds s,
//     where the density exp(as - (a+b) log(1+e^s)) is log-concave; the derivatives in the
//     shapes are conditional expectations, as those of incGamma.
func incBetaLow(a, b, w float64) (t tails) {
	n := a + b
	x, y := w/(1+w), 1/(1+w)
	switch {
	case a <= 1 && float64(b*x) <= 1.5:
		T, Ta, Tb := 0.0, 0.0, 0.0
		c, cb := 1.0, 0.0
		for k := 1.0; k < 120; k++ {
			cb = float64((float64(cb*(k-b)) - c) / k * x)
			c = float64(c * ((k - b) / k * x))
			v := c / (a + k)
			T += v
			Ta -= v / (a + k)
			Tb += cb / (a + k)
			if k > b && math.Abs(v) <= 1e-18*math.Abs(T) && math.Abs(cb) <= 1e-18*math.Abs(Tb) {
				break
			}
		}
		lx := Log(x)
		t.logP = ((float64(a*lx) - lgamma1p(a)) + lgammaStep(b, a)) + Log1p(float64(a*T))
		t.logPa = (lx - Digamma(1+a)) + Digamma(n) + (T+float64(a*Ta))/(1+float64(a*T))
		t.logPb = digammaStep(b, a) + float64(a*Tb)/(1+float64(a*T))
		t.p = a * Exp(-b*Log1p(w)) / (1 + float64(a*T))
		t.fromLower()
		return t
	case float64(n*x) < 60:
		S, Sa, Sb, term, la, lb := 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
		for k := 0.0; k < 2000; k++ {
			term = float64(term * ((n + k) / (a + 1 + k) * x))
			lb += 1 / (n + k)
			la += 1/(n+k) - 1/(a+1+k)
			S += term
			Sa += float64(term * la)
			Sb += float64(term * lb)
			if term < 1e-17*S && float64((n+k)*x) < 0.9*(a+1+k) {
				break
			}
		}
		base := betaLogDensity(a, b, w)
		t.logP = (base - Log(a)) + Log(S)
		if t.logP < -0.1 {
			d := Digamma(n)
			t.logPa = (Log(x) - Digamma(a+1)) + d + Sa/S
			t.logPb = (d - Digamma(b)) - Log1p(w) + Sb/S
			t.p = a / S
			t.fromLower()
			return t
		}
	}
	if l := float64(a*y) - float64(b*x); l > 0 {
		t.logP, t.p, t.logPa, t.logPb = betaTail(a, b, w, -1)
		t.fromLower()
	} else {
		t.logP, t.p, t.logPa, t.logPb = betaTail(a, b, w, 1)
		t.fromLower()
		t.swap()
	}
	return t
}

// betaTail integrates the side of w that sign gives: with s = log w + v, and
// ℓ = log(1 + x(e^v - 1)), the exponent is av - (a+b)ℓ, which is formed from λ = ay - bx as
// λv - (a+b)((ℓ - x(e^v - 1)) + x(e^v - 1 - v)); w <= 1.
func betaTail(a, b, w, sign float64) (logTail, density, inA, inB float64) {
	n := a + b
	x, y := w/(1+w), 1/(1+w)
	l := float64(a*y) - float64(b*x)
	h := func(v float64) float64 {
		return float64(n*(log1pmx(float64(x*Expm1(v)))+float64(x*expm1mx(v)))) - float64(l*v)
	}
	u := tailLength(-sign*l, float64(n*x)*y, func(u float64) (value, slope float64) {
		v := float64(sign * u)
		e := float64(x * Expm1(v))
		return h(v), sign * (float64(n*(x+e))/(1+e) - a)
	})
	sum, first, second := 0.0, 0.0, 0.0
	for _, g := range gauss32 {
		v := float64(sign * u * g.x)
		f := float64(g.w * Exp(-h(v)))
		sum += f
		q := Log1p(float64(x * Expm1(v)))
		first += float64(f * (v - q))
		second += float64(f * q)
	}
	sum *= u
	// E[log x(s)] - ψ(a) + ψ(a+b) and E[log y(s)] - ψ(b) + ψ(a+b)
	d := Digamma(n)
	logX, logY := (Log(x)-Digamma(a))+d, (d-Digamma(b))-Log1p(w)
	if a >= 10 && b >= 10 {
		d = logMinusDigamma(n)
		logX = Log1p(-l/a) + (logMinusDigamma(a) - d)
		if l > 0.5*a {
			logX = Log(x*(n/a)) + (logMinusDigamma(a) - d)
		}
		logY = Log1p(l/b) + (logMinusDigamma(b) - d)
	}
	inA = logX + float64(first*u)/sum
	inB = logY - float64(second*u)/sum
	return betaLogDensity(a, b, w) + Log(sum), 1 / sum, inA, inB
}

// betaTails puts the ends around incBeta.
func betaTails(a, b, w float64) (t tails) {
	switch {
	case !(a >= 0) || !(b >= 0) || w != w || a == 0 && b == 0 ||
		math.IsInf(a, 1) && math.IsInf(b, 1):
		n := math.NaN()
		return tails{logP: n, logQ: n, p: n, q: n, logPa: n, logPb: n, logQa: n, logQb: n}
	case a == 0 || math.IsInf(b, 1) || math.IsInf(w, 1): // all at 0, or below w
		return tails{logP: 0, logQ: math.Inf(-1), q: b}
	case w <= 0 || b == 0 || math.IsInf(a, 1):
		return tails{logP: math.Inf(-1), logQ: 0, p: a}
	}
	return incBeta(a, b, w)
}

// betaLogit is betaTails at the log odds s, where exp(s) may leave the range: far
// down P is x^a/(a B(a, b)) with x = exp(s).
func betaLogit(a, b, s float64) (t tails) {
	ordinary := a > 0 && b > 0 && !math.IsInf(a, 1) && !math.IsInf(b, 1) && !math.IsInf(s, 0)
	switch {
	case ordinary && s > 700:
		t = betaLogit(b, a, -s)
		t.logPa, t.logPb, t.logQa, t.logQb = t.logPb, t.logPa, t.logQb, t.logQa
		t.swap()
		return t
	case ordinary && s < -700:
		c := -Log(a) - Lbeta(a, b)
		if a <= 1 {
			c = lgammaStep(b, a) - lgamma1p(a)
		}
		n := Digamma(a + b)
		t.logP, t.p = float64(a*s)+c, a
		t.logPa, t.logPb = (s-Digamma(1+a))+n, n-Digamma(b)
		t.fromLower()
		return t
	}
	return betaTails(a, b, Exp(s))
}

// LogBetaIncLogit returns log I(a, b) at sigmoid(s), the logarithm of the
// regularised incomplete beta function (DLMF 8.17.2) as a function of the log
// odds s, so that both ends keep their digits: the log of the probability that
// log G(a) - log G(b) <= s for independent gammas. The upper side is
// LogBetaIncLogit(b, a, -s).
func LogBetaIncLogit(a, b, s float64) float64 { return betaLogit(a, b, s).logP }

// LogBetaIncLogitA returns the derivative of LogBetaIncLogit in a.
func LogBetaIncLogitA(a, b, s float64) float64 { return betaLogit(a, b, s).logPa }

// LogBetaIncLogitB returns the derivative of LogBetaIncLogit in b.
func LogBetaIncLogitB(a, b, s float64) float64 { return betaLogit(a, b, s).logPb }

// LogBetaIncLogitS returns the derivative of LogBetaIncLogit in s.
func LogBetaIncLogitS(a, b, s float64) float64 { return betaLogit(a, b, s).p }
