package rng

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Gamma returns a gamma of the given shape and rate 1. It may underflow to 0
// for tiny shapes; LogGamma does not. Both are NaN unless shape > 0.
func (g *Source) Gamma(shape float64) float64 {
	if shape >= 1 {
		return g.gammaAbove1(shape)
	}
	return special.Exp(g.LogGamma(shape))
}

// LogGamma returns the logarithm of a gamma of the given shape and rate 1.
// Below 1, G(a) = G(a+1)·U^(1/a) (Stuart's theorem), in logarithms.
func (g *Source) LogGamma(shape float64) float64 {
	if shape >= 1 {
		return special.Log(g.gammaAbove1(shape))
	}
	if !(shape > 0) {
		return math.NaN()
	}
	x := special.Log(g.gammaAbove1(shape + 1))
	return x - g.Exponential()/shape
}

// gammaAbove1 is the method of Marsaglia & Tsang (2000) for shapes from 1.
func (g *Source) gammaAbove1(shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := g.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		u := g.Float64()
		x2 := x * x
		if u < 1-float64(float64(0.0331*x2)*x2) {
			return d * v
		}
		if special.Log(u) < float64(0.5*x2)+float64(d*((1-v)+special.Log(v))) {
			return d * v
		}
	}
}

// InvGamma returns 1/G with G a gamma of the given shape: an inverse gamma of
// scale 1.
func (g *Source) InvGamma(shape float64) float64 {
	if shape >= 1 {
		return 1 / g.gammaAbove1(shape)
	}
	return special.Exp(-g.LogGamma(shape))
}

// ChiSquare returns a chi-square of nu degrees of freedom.
func (g *Source) ChiSquare(nu float64) float64 { return 2 * g.Gamma(nu/2) }

// Beta returns a beta of parameters a and b: G(a)/(G(a) + G(b)), from the
// logarithms, so that small parameters give 0 or 1 and never NaN.
func (g *Source) Beta(a, b float64) float64 {
	x := g.LogGamma(a)
	return special.Sigmoid(x - g.LogGamma(b))
}

// StudentT returns a Student t of nu degrees of freedom.
func (g *Source) StudentT(nu float64) float64 {
	z := g.Normal()
	return z * special.Exp(-0.5*(g.LogGamma(nu/2)+special.Log(2/nu)))
}

// Dirichlet fills dst with a draw of the Dirichlet distribution of
// concentrations alpha, all positive: gammas in logarithms, normalised after
// the largest, so that tiny concentrations give a vertex and never NaN. dst
// may be alpha.
func (g *Source) Dirichlet(dst, alpha []float64) {
	dst = dst[:len(alpha)]
	top := math.Inf(-1)
	for i, a := range alpha {
		dst[i] = g.LogGamma(a)
		top = max(top, dst[i])
	}
	sum := 0.0
	for i, x := range dst {
		dst[i] = special.Exp(x - top)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}
