package sampler

import (
	"math"
	"math/cmplx"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// narrowKnown is how much narrower than the posterior the draws may be, relative to their standard
// deviation, before the verdict is unsure; narrowOff is the limit for off.
const (
	narrowKnown = 0.1
	narrowOff   = 0.15
)

// reshuffles reports whether the minibatches of a pass together contain every row once, so that
// their noise adds up to zero over the pass.
func (c *Chain) reshuffles() bool {
	return c.batches != nil && c.cfg.Batch < c.target.Rows() && c.cfg.BatchOrder != "replace"
}

// squares adds to Σ(x − x̄)² of the coordinates from at on, with x̄ the mean over the steps so far.
func (h *observer) squares(x, mean []float64, at int) {
	xx := h.xx.open(at, at+len(x))
	// mean is the new mean m; with it (x − m_old)(x − m) = (x − m)² n/(n − 1).
	scale := 0.0
	if h.n > 1 {
		scale = h.n / (h.n - 1)
	}
	kernel.WatchSquares(x, mean, xx, scale)
	h.xx.close(at, xx)
}

// narrowing judges how much reshuffled passes narrow the draws of a thermostat. Over a pass the
// noise of the gradient adds up to 0. The velocity v forgets fast, so the share φ_v of the noise
// still heats it, and the thermostat raises ξ from D to D + E. The position x is heated by a
// smaller share φ_x. The draws have the temperature
//
//	T (D + E φ_x/φ_v)/(D + E)
//
// in place of T. Both φ go from 0, for coordinates that move little in a pass, to 1, for
// coordinates that forget within a small part of a pass; see survives.
func (q *thermoHealth) narrowing(excess float64) string {
	if excess <= 0 {
		return "ok"
	}
	if q.sdRatio(excess, 1) >= 1-narrowKnown {
		return "ok"
	}
	if sure := 1 - 4*q.mcse/excess; sure > 0 && q.sdRatio(excess, sure) < 1-narrowOff {
		return "off"
	}
	return "unsure"
}

// sdRatio returns the mean standard deviation of the draws of a block divided by that of the
// posterior, if the given part of each excess of ξ over D comes from the gradient's noise. In a
// large block it uses only some of the coordinates.
func (q *thermoHealth) sdRatio(excess, part float64) float64 {
	c, f := q.c, q.f
	d, t := q.p.cfg.Friction, q.p.cfg.Temperature
	cut := c.batches.Cut()
	left := cut.Leftover()
	if c.cfg.BatchOrder == string(batch.Sequential) {
		// noise that is equal in every pass shifts x but does not heat it
		left = 0
	}
	pass := float64(cut.Batches) * float64(c.cfg.InnerSteps) * c.lastSize(q.p)
	one := f.Grain == flow.Coordinate && q.theoryError(1) < 0.1*d // ξ_i is known accurately enough
	curved := q.curvedVariance()
	sum, n := 0.0, 0.0
	for i := 0; i < f.Len; i += 1 + f.Len/1000 {
		n++
		e, v := excess, curved
		if one {
			e = q.average(func(h *observer) float64 { return h.xi.at(f.XiAt + i) }) - d
		}
		if f.Flat {
			at := f.Offset + i
			v = q.average(func(h *observer) float64 { return h.xx.at(at) / h.n }) +
				spread(q.chains,
					func(h *observer) (float64, float64, bool) { return h.x.at(at), h.x.at(at), h.n > 0 })
		}
		e = max(e*part, 0)
		if d+e == 0 {
			sum++
			continue
		}
		ratio := 1.0
		for range 4 { // the stiffness refers to the posterior, v to the draws
			x, w := survives(ratio*t/v, d+e, pass)
			x, w = left+float64((1-left)*x), left+float64((1-left)*w)
			ratio = (d + float64(e*min(x/max(w, 1e-9), 1))) / (d + e)
		}
		sum += math.Sqrt(ratio)
	}
	return sum / n
}

func (q *thermoHealth) average(of func(*observer) float64) float64 {
	sum := 0.0
	for _, c := range q.chains {
		if c.health.n > 0 {
			sum += of(c.health) / q.count
		}
	}
	return sum
}

// curvedVariance approximates the variance of x along one dimension of a point's tangent space by
// ρ²(1 − R²)/d, with R the mean resultant length along the direction that the warm-up found; +Inf
// without such a direction.
func (q *thermoHealth) curvedVariance() float64 {
	f := q.f
	if f.Flat {
		return math.Inf(1)
	}
	m := f.Space.Ambient()
	length, along, square, n := 0.0, 0.0, 0.0, 0.0
	for _, c := range q.chains {
		h := c.health
		if h.n == 0 {
			continue
		}
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			length += math.Sqrt(flow.SumSquares(h.x.wide[at : at+m]))
			square += flow.SumSquares(c.state.X[at : at+m])
			n++
		}
		along += h.blocks[q.k].along.Mean()
	}
	if length == 0 || along <= 0 {
		return math.Inf(1)
	}
	square /= n
	r := along / length // R·ρ
	return max(square-float64(r*r), 1e-12*square) / float64(f.Space.Dim())
}

// survives returns φ_x and φ_v, the parts of the noise of a pass that heat the position and the
// velocity of an oscillator of stiffness k and friction ξ. Noise that adds up to zero over each
// pass P has the autocorrelation of white noise minus (1 − |s|/P)/P, |s| < P. φ is one minus the
// integral of the latter times the oscillator's autocorrelation,
//
//	(λ₂ e^{−λ₁ s} − λ₁ e^{−λ₂ s})/(λ₂ − λ₁) of x, (λ₁ e^{−λ₁ s} − λ₂ e^{−λ₂ s})/(λ₁ − λ₂) of v,
//
// λ² − ξ λ + k = 0.
func survives(k, xi, pass float64) (x, v float64) {
	if !(k > 0) || math.IsInf(k, 1) || pass == 0 {
		return 0, 1
	}
	root := cmplx.Sqrt(complex(float64(float64(xi*xi)/4)-k, 0))
	if cmplx.Abs(root) < 1e-4*xi {
		root = complex(1e-4*xi, 0)
	}
	a := complex(float64(xi/2), 0) + root
	b := complex(k, 0) / a // avoids cancellation
	p := complex(pass, 0)
	ga, gb := triangle(times(a, p)), triangle(times(b, p))
	x = 1 - real((times(b, ga)-times(a, gb))/(b-a))
	v = 1 - real((times(a, ga)-times(b, gb))/(a-b))
	return min(max(x, 0), 1), min(max(v, 0), 1)
}

// times is a complex product without fused multiply-adds, so that all machines give the same bits.
func times(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)),
		float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// triangle returns ∫ (1 − |s|) e^{−z|s|} ds over |s| < 1.
func triangle(z complex128) complex128 {
	if cmplx.Abs(z) < 1e-3 {
		return 1 - z/3
	}
	return times(2, z-1+cmplx.Exp(-z)) / times(z, z)
}

// spread returns the covariance of two means over chains, where chains have both; 0 for fewer than
// two chains.
func spread(chains []*Chain, of func(*observer) (a, b float64, ok bool)) float64 {
	n, a, b, ab := 0.0, 0.0, 0.0, 0.0
	for _, c := range chains {
		x, y, ok := of(c.health)
		if !ok {
			continue
		}
		n++
		dx := x - a
		a += dx / n
		b += (y - b) / n
		ab += float64(dx * (y - b))
	}
	if n < 2 {
		return 0
	}
	return ab / (n - 1)
}
