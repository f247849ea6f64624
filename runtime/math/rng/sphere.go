package rng

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// UniformSphere fills dst with a uniform point of the unit sphere in
// R^len(dst): normals, divided by their length (Muller, 1959).
func (g *Source) UniformSphere(dst []float64) {
	for {
		for i := range dst {
			dst[i] = g.Normal()
		}
		if n := sumSquares(dst); n > 0 || len(dst) == 0 {
			scale(dst, 1/math.Sqrt(n))
			return
		}
	}
}

// UniformStiefel fills dst, rows × cols with the row index first and
// 1 ≤ cols ≤ rows, with a uniform (Haar) matrix of orthonormal columns: the Q
// of the QR decomposition of normals whose R has a positive diagonal (Stewart,
// 1980), by Gram and Schmidt's process, each column twice, which is enough.
func (g *Source) UniformStiefel(dst []float64, rows, cols int) {
	for i := range dst {
		dst[i] = g.Normal()
	}
	for c := range cols {
		for range 2 {
			for b := range c {
				dot := 0.0
				for i := range rows {
					dot += float64(dst[i*cols+b] * dst[i*cols+c])
				}
				for i := range rows {
					dst[i*cols+c] -= float64(dot * dst[i*cols+b])
				}
			}
			n := 0.0
			for i := range rows {
				n += float64(dst[i*cols+c] * dst[i*cols+c])
			}
			n = 1 / math.Sqrt(n)
			for i := range rows {
				dst[i*cols+c] *= n
			}
		}
	}
}

// VonMises returns an angle in [−π, π] with density proportional to
// exp(κ cos θ); NaN unless κ ≥ 0.
func (g *Source) VonMises(kappa float64) float64 {
	// 1 − cos θ = 2 sin²(θ/2)
	angle := 2 * special.Asin(math.Sqrt(min(float64(0.5*g.VMFGap(2, kappa)), 1)))
	return math.Copysign(angle, math.Float64frombits(g.Uint64()))
}

// VonMisesFisher fills dst with a draw of density proportional to
// exp(κ μ·x) on the unit sphere in R^len(mu), len(mu) ≥ 2, for a unit vector
// mu. dst and mu must not overlap. NaN unless κ ≥ 0.
func (g *Source) VonMisesFisher(dst, mu []float64, kappa float64) {
	g.tangentNormal(dst, mu, g.VMFGap(float64(len(mu)), kappa))
}

// PowerSpherical fills dst with a draw of density proportional to
// (1 + μ·x)^κ (De Cao & Aziz, 2020): (1 + μ·x)/2 is a beta of parameters
// (d−1)/2 + κ and (d−1)/2. As VonMisesFisher otherwise.
func (g *Source) PowerSpherical(dst, mu []float64, kappa float64) {
	a := float64(0.5 * float64(len(mu)-1))
	x := g.Gamma(a)
	g.tangentNormal(dst, mu, 2*(x/(x+g.Gamma(a+kappa))))
}

// VMFGap returns 1 − μ·x under von Mises and Fisher's law on S^{d−1}, d ≥ 2: the
// gap to 1 of the cosine, which keeps its digits where the cosine is near 1. NaN
// unless 0 ≤ κ < ∞. It is the rejection of Wood (1994), after Ulrich (1984): with
//
//	b = (d−1)/(2κ + √(4κ² + (d−1)²)),  Z = G₁/(G₁+G₂) beta((d−1)/2, (d−1)/2),
//
// the proposal is W = (1−(1+b)Z)/(1−(1−b)Z), accepted with the probability
// exp(κW + (d−1) log(1−x₀W) − c), where x₀ = (1−b)/(1+b). In terms of the two
// gammas that is 1 − W = 2bG₁/(G₂+bG₁), and since (d−1)(1−b²) = 4κb the
// exponent is (d−1)(e + log(1−e)) with e = (1−b)(G₂−G₁)/(2(G₂+bG₁)): nothing
// large is subtracted, whatever d and κ.
func (g *Source) VMFGap(d, kappa float64) float64 {
	if !(kappa >= 0) || math.IsInf(kappa, 1) {
		return math.NaN()
	}
	m := d - 1
	r := m / kappa // so that no κ overflows
	b := 1.0
	if kappa > 0 {
		b = r / (2 + math.Sqrt(4+float64(r*r)))
	}
	if math.IsInf(r, 1) || r > 1e150 {
		b = 1
	}
	for {
		x, y := g.Gamma(float64(0.5*m)), g.Gamma(float64(0.5*m))
		w := y + float64(b*x)
		e := float64(0.5*(1-b)*(y-x)) / w
		if float64(m*(e+special.Log1p(-e))) >= special.Log(g.Float64()) {
			return 2 * b * x / w
		}
	}
}

// tangentNormal writes (1−gap) μ + √(gap (2−gap)) ξ with ξ uniform on the unit
// sphere orthogonal to μ. Projecting twice keeps ξ orthogonal also where the
// normals nearly point along μ.
func (g *Source) tangentNormal(dst, mu []float64, gap float64) {
	dst = dst[:len(mu)]
	for i := range dst {
		dst[i] = g.Normal()
	}
	for range 2 {
		dot := 0.0
		for i, m := range mu {
			dot += float64(m * dst[i])
		}
		for i, m := range mu {
			dst[i] -= float64(dot * m)
		}
		scale(dst, 1/math.Sqrt(sumSquares(dst)))
	}
	along, across := 1-gap, math.Sqrt(float64(gap*(2-gap)))
	for i, m := range mu {
		dst[i] = float64(along*m) + float64(across*dst[i])
	}
}

func sumSquares(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += float64(v * v)
	}
	return s
}

func scale(x []float64, a float64) {
	for i := range x {
		x[i] *= a
	}
}
