package rng

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Bernoulli returns 1 with probability p, else 0.
func (g *Source) Bernoulli(p float64) int {
	if g.Float64() < p {
		return 1
	}
	return 0
}

// Geometric returns the number of failures before the first success of
// probability p.
func (g *Source) Geometric(p float64) int {
	if p >= 1 {
		return 0
	}
	return toInt(math.Floor(g.Exponential() / -special.Log1p(-p)))
}

// Poisson returns a Poisson of the given rate; by inversion below 10, else by
// PTRS, transformed rejection with squeeze (Hörmann, 1993), whose cost does
// not grow with the rate. A rate that is not positive gives 0, one beyond 2⁶²
// the largest int.
func (g *Source) Poisson(rate float64) int {
	switch {
	case !(rate > 0):
		return 0
	case rate < 10:
		return g.poissonSmall(rate)
	case rate > 0x1p62:
		return math.MaxInt
	}
	sd := math.Sqrt(rate)
	b := 0.931 + float64(2.53*sd)
	a := -0.059 + float64(0.02483*b)
	inv := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		u := g.Float64() - 0.5
		v := g.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/us+b)*u) + rate + 0.43)
		if us >= 0.07 && v <= vr {
			return toInt(k)
		}
		if k < 0 || us < 0.013 && v > us {
			continue
		}
		if special.Log(v*inv/(a/(us*us)+b)) <= special.LogPoisson(k, rate) {
			return toInt(k)
		}
	}
}

// poissonSmall walks the distribution function from 0.
func (g *Source) poissonSmall(rate float64) int {
	u := g.Float64()
	p := special.Exp(-rate)
	for k := 0; ; k++ {
		if u -= p; u < 0 || k > 200 {
			return k
		}
		p *= rate / float64(k+1)
	}
}

// Binomial returns a Binomial(n, p); by inversion where the mean of the rarer
// outcome is below 10, else by BTRS, transformed rejection with squeeze
// (Hörmann, 1993).
func (g *Source) Binomial(n int, p float64) int {
	switch {
	case n <= 0 || !(p > 0):
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - g.binomial(n, 1-p)
	}
	return g.binomial(n, p)
}

func (g *Source) binomial(n int, p float64) int {
	m := float64(n)
	if m*p < 10 {
		return g.binomialSmall(n, p)
	}
	t := special.NewBTRS(m, p)
	for {
		u := g.Float64()
		if k, ok := t.Try(u, g.Float64()); ok {
			return int(k)
		}
	}
}

// binomialSmall sums geometric gaps between successes: exact, and of a cost
// that follows the mean (Devroye, 1986, X.4.3).
func (g *Source) binomialSmall(n int, p float64) int {
	l := -special.Log1p(-p)
	left := float64(n)
	for k := 0; ; k++ {
		left -= math.Floor(g.Exponential()/l) + 1
		if left < 0 {
			return k
		}
	}
}

// NegBinomial2 returns a negative binomial of mean mu and variance
// mu + mu²/phi: a Poisson of a gamma rate.
func (g *Source) NegBinomial2(mu, phi float64) int {
	return g.Poisson(g.Gamma(phi) * (mu / phi))
}

// Hypergeometric returns how many of n draws without replacement from a marked
// and b others are marked; n at most a+b. By inversion from the mode outwards
// (Kemp & Kemp, 1991), of a cost that follows the standard deviation.
func (g *Source) Hypergeometric(n, a, b int) int {
	lo, hi := max(0, n-b), min(n, a)
	if lo >= hi {
		return lo
	}
	fn, fa, fb := float64(n), float64(a), float64(b)
	mode := min(max(int((fn+1)*((fa+1)/(fa+fb+2))), lo), hi)
	k := float64(mode)
	at := special.Exp((special.Lchoose(fa, k) + special.Lchoose(fb, fn-k)) -
		special.Lchoose(fa+fb, fn))
	u := g.Float64() - at
	up, down, i, j := at, at, mode, mode
	for u >= 0 && (i < hi || j > lo) {
		if i < hi {
			x := float64(i)
			up = float64(up * (((fa - x) / (x + 1)) * ((fn - x) / ((fb - fn) + (x + 1)))))
			i++
			if u -= up; u < 0 {
				return i
			}
		}
		if j > lo {
			x := float64(j)
			down = float64(down * ((x / ((fa - x) + 1)) * (((fb - fn) + x) / ((fn - x) + 1))))
			j--
			if u -= down; u < 0 {
				return j
			}
		}
	}
	return mode // also by rounding of the sum to below u
}

// Categorical returns an index with probability proportional to its weight.
// Weights are not negative and not all zero.
func (g *Source) Categorical(weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := g.Float64() * sum
	last := 0
	for i, w := range weights {
		if w > 0 {
			if last = i; u < w {
				return i
			}
			u -= w
		}
	}
	return last // by rounding alone
}

// CategoricalLogit returns an index with probability proportional to exp of
// its logit, which may be -∞: the largest of logit + Gumbel noise (Yellott,
// 1977). It consumes one uniform a logit.
func (g *Source) CategoricalLogit(logits []float64) int {
	best, at := math.Inf(-1), 0
	for i, l := range logits {
		if v := l + g.Gumbel(); v > best {
			best, at = v, i
		}
	}
	return at
}

// Multinomial fills dst with the counts of n draws with probabilities
// proportional to weights, by conditional binomials.
func (g *Source) Multinomial(dst []int, n int, weights []float64) {
	dst = dst[:len(weights)]
	rest := 0.0
	last := 0
	for i, w := range weights {
		rest += w
		if w > 0 {
			last = i
		}
	}
	for i, w := range weights {
		switch {
		case i == last:
			dst[i] = n
		case w > 0 && n > 0:
			dst[i] = g.Binomial(n, min(w/rest, 1))
		default:
			dst[i] = 0
		}
		n -= dst[i]
		rest = max(rest-w, 0)
	}
}

func toInt(k float64) int {
	if k >= math.MaxInt {
		return math.MaxInt
	}
	return int(k)
}
