package gibbs

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// normal draws from N(h/λ, 1/λ).
func (s *Sampler) normal(h, precision float64) (float64, string) {
	if !positive(precision) || !finite(h) {
		return 0, fmt.Sprintf("its precision is %g", precision)
	}
	return h/precision + s.source.Normal()/math.Sqrt(precision), ""
}

// jointNormal draws from N(Λ⁻¹ h, Λ⁻¹): with Λ = L Lᵀ it is L⁻ᵀ (L⁻¹ h + z).
func (s *Sampler) jointNormal(to, h, precision []float64) string {
	n := len(to)
	m := s.square
	m.N, m.A = n, m.A[:n*n]
	copy(m.A, precision)
	if !m.Cholesky() {
		return "its precision is no positive matrix"
	}
	copy(to, h)
	m.LowerSolve(to)
	for i := range to {
		to[i] += s.source.Normal()
	}
	for i := n - 1; i >= 0; i-- {
		x := to[i]
		for j := i + 1; j < n; j++ {
			x -= float64(m.At(j, i) * to[j])
		}
		to[i] = x / m.At(i, i)
	}
	for _, x := range to {
		if !finite(x) {
			return "its mean is not finite"
		}
	}
	return ""
}

// positiveNormal draws from exp(a u + b u²) on u > 0, a normal law that is cut at 0, by rejection:
// from the normal law itself where that is mostly above 0, else from an exponential one (Robert
// 1995, Simulation of truncated normal variables).
func (s *Sampler) positiveNormal(a, b float64) (float64, string) {
	switch {
	case b == 0 && a < 0:
		return clamp(s.source.Exponential() / -a), ""
	case !positive(-b) || !finite(a):
		return 0, fmt.Sprintf("it grows as exp(%g u + %g u²)", a, b)
	}
	sd := math.Sqrt(-0.5 / b)
	low := float64(a * sd) // the mean over the standard deviation
	if low > 0 {
		for {
			if z := low + s.source.Normal(); z > 0 {
				return clamp(sd * z), ""
			}
		}
	}
	// z > −low of a standard normal, by an exponential law of the best rate from there on.
	rate := float64(0.5 * (math.Sqrt(float64(low*low)+4) - low))
	for {
		z := s.source.Exponential() / rate
		d := z - low - rate
		if special.Log(s.source.Float64()) <= -0.5*float64(d*d) {
			return clamp(sd * z), ""
		}
	}
}

// gamma draws from u^a exp(b u^p): t = u^p is gamma of the shape (a + 1)/p and the rate −b.
func (s *Sampler) gamma(a, b, p float64) (float64, string) {
	shape := (a + 1) / p
	if !positive(shape) || !positive(-b) {
		return 0, fmt.Sprintf("it is gamma of shape %g and rate %g", shape, 0-b)
	}
	return clamp(special.Exp((s.source.LogGamma(shape) - special.Log(-b)) / p)), ""
}

// beta draws from u^a (1 − u)^b by two gamma draws, which in logarithms keep small shapes.
func (s *Sampler) beta(a, b float64) (float64, string) {
	if !positive(a+1) || !positive(b+1) {
		return 0, fmt.Sprintf("it is beta of %g and %g", a+1, b+1)
	}
	u := special.Sigmoid(s.source.LogGamma(a+1) - s.source.LogGamma(b+1))
	return min(clamp(u), 1-0x1p-53), ""
}

// dirichlet draws from Π u_k^{a_k} on a simplex.
func (s *Sampler) dirichlet(to, a []float64) string {
	top := math.Inf(-1)
	for k, x := range a {
		if !positive(x + 1) {
			return fmt.Sprintf("it is Dirichlet, and entry %d has the concentration %g", k, x+1)
		}
		to[k] = s.source.LogGamma(x + 1)
		top = max(top, to[k])
	}
	sum := 0.0
	for k, x := range to {
		to[k] = clamp(special.Exp(x - top))
		sum += to[k]
	}
	for k := range to {
		to[k] = clamp(to[k] / sum)
	}
	return ""
}

// direction draws from exp(h·u) on a sphere.
func (s *Sampler) direction(to, h []float64) string {
	sum := 0.0
	for _, x := range h {
		sum += float64(x * x)
	}
	kappa := math.Sqrt(sum)
	if !finite(kappa) {
		return "its concentration is not finite"
	}
	if kappa == 0 {
		s.source.UniformSphere(to)
		return ""
	}
	mean := s.block[:len(h)]
	for i, x := range h {
		mean[i] = x / kappa
	}
	s.source.VonMisesFisher(to, mean, kappa)
	return ""
}

// category draws a value from log weights, which it overwrites.
func (s *Sampler) category(weights []float64) (float64, string) {
	top := math.Inf(-1)
	for _, w := range weights {
		top = max(top, w)
	}
	if !finite(top) {
		return 0, "no value has a weight above 0"
	}
	sum := 0.0
	for k, w := range weights {
		sum += special.Exp(w - top)
		weights[k] = sum
	}
	u := s.source.Float64() * sum
	for k, w := range weights {
		if u < w {
			return float64(k), ""
		}
	}
	return float64(len(weights) - 1), ""
}

// clamp keeps a number above 0 off from 0 and from infinity, so that its logarithm is finite.
func clamp(x float64) float64 { return min(max(x, 1e-300), 1e300) }
