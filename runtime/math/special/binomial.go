package special

import "math"

// A BTRS draws from a binomial law by transformed rejection with squeeze, at a
// cost that does not grow with n. Source: Hörmann (1993), The generation of
// binomial random variates, Journal of Statistical Computation and Simulation
// 46, algorithm BTRS.
type BTRS struct {
	n, p, a, b, c, vr, alpha, atMode float64
}

// NewBTRS makes it for n trials of probability p ≤ ½ with n·p ≥ 10.
func NewBTRS(n, p float64) BTRS {
	sd := math.Sqrt(n * p * (1 - p))
	b := 1.15 + float64(2.53*sd)
	return BTRS{
		n: n, p: p, b: b,
		a:      (-0.0873 + float64(0.0248*b)) + float64(0.01*p),
		c:      float64(n*p) + 0.5,
		vr:     0.92 - 4.2/b,
		alpha:  (2.83 + 5.1/b) * sd,
		atMode: LogBinomial(math.Floor((n+1)*p), n, p),
	}
}

// Try is the draw that two uniform numbers propose, and whether it is one.
func (t *BTRS) Try(u, v float64) (k float64, ok bool) {
	u -= 0.5
	us := 0.5 - math.Abs(u)
	k = math.Floor(float64((2*t.a/us+t.b)*u) + t.c)
	if us >= 0.07 && v <= t.vr {
		return k, true
	}
	if k < 0 || k > t.n {
		return 0, false
	}
	return k, Log(v*t.alpha/(t.a/(us*us)+t.b)) <= LogBinomial(k, t.n, t.p)-t.atMode
}

// Binomial is how many of n trials, a whole number, have an outcome of
// probability p; 0 and n where p is beyond 0 and 1. Where the rarer outcome is
// expected less than ten times, the gaps between its occurrences are drawn
// (Devroye 1986, Non-Uniform Random Variate Generation, §X.4.3), else see BTRS.
func (g *Bits) Binomial(n, p float64) float64 {
	switch {
	case !(n >= 1) || !(p > 0):
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - g.binomial(n, 1-p)
	}
	return g.binomial(n, p)
}

func (g *Bits) binomial(n, p float64) float64 {
	if n*p >= 10 {
		t := NewBTRS(n, p)
		for {
			u := g.Uniform()
			if k, ok := t.Try(u, g.Uniform()); ok {
				return k
			}
		}
	}
	l, left := Log1p(-p), n
	for k := 0.0; ; k++ {
		if left -= math.Floor(Log(g.Uniform())/l) + 1; left < 0 {
			return k
		}
	}
}
