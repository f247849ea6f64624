package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Hyperbolic is the space of constant curvature −1 as a sheet of the hyperboloid in R^n:
// x₀² − x₁² − … = 1 with x₀ > 0, of dimension n − 1. Its metric is that of Minkowski,
// −u₀² + u₁² + …, on tangent vectors. Densities are with respect to the volume of that metric.
//
// A velocity (0, w) stands for the tangent vector B(0, w), where B is the Lorentz boost that
// takes the apex (1, 0, …) to x:
//
//	B(0, w) = (s·w, w + s (s·w) / (1 + x₀)),  s = (x₁, x₂, …).
//
// Boosts keep the metric, so that w·w is the square of the speed.
//
// Source: Reynolds (1993), Hyperbolic geometry on a hyperboloid; the frame is that of Nagano et
// al. (2019), A wrapped normal distribution on hyperbolic space, equation 6.
type Hyperbolic struct{ n int }

func newHyperbolic(g target.Geometry) (Manifold, error) {
	if g.Dim < 2 {
		return nil, fmt.Errorf("a hyperbolic space needs at least 2 coordinates, not %d", g.Dim)
	}
	return Hyperbolic{g.Dim}, nil
}

// NewHyperbolic is the hyperboloid of R^n, n ≥ 2.
func NewHyperbolic(n int) Hyperbolic { return Hyperbolic{n} }

// Kind is the name of the row.
func (Hyperbolic) Kind() string { return "hyperbolic" }

// Dim is n − 1.
func (m Hyperbolic) Dim() int { return m.n - 1 }

// Ambient is n.
func (m Hyperbolic) Ambient() int { return m.n }

// Flow is x cosh αt + (u/α) sinh αt with u the tangent vector of v and α its length. The
// first coordinate of x follows from the others.
func (m Hyperbolic) Flow(x, v []float64, t float64) {
	s, w := x[1:], v[1:]
	size := maxAbs(w)
	if size == 0 || math.IsInf(size, 1) {
		if size != 0 {
			fill(x, math.NaN())
		}
		return
	}
	unit := math.Ldexp(1, -math.Ilogb(size)) // so that squares neither vanish nor overflow
	speed := 0.0
	for _, a := range w {
		speed += float64(float64(a*unit) * float64(a*unit))
	}
	speed = math.Sqrt(speed) / unit
	arc := float64(speed * t)
	sinh, cosh := special.Sinh(arc), special.Cosh(arc)
	sw := kernel.Dot(s, w) / speed // of the unit vector
	along, height := sw/(1+x[0]), sw
	// The unit tangent vector is (height, w/speed + s along). Moved by the flow it is
	// (x₀ sinh + height cosh, …).
	top := float64(x[0]*sinh) + float64(height*cosh)
	for i, p := range s {
		q := w[i]/speed + float64(p*along)
		s[i] = float64(p*cosh) + float64(q*sinh)
		w[i] = float64(p*sinh) + float64(q*cosh)
	}
	x[0] = apex(s)
	// Back into the frame at the new point, and to the length that it had.
	back := top / (1 + x[0])
	for i, p := range s {
		w[i] -= float64(p * back)
	}
	scale := speed / math.Sqrt(kernel.Dot(w, w))
	for i := range w {
		w[i] *= scale
	}
	v[0] = 0
}

// apex is the first coordinate of the point with the others s.
func apex(s []float64) float64 { return special.Hypot(1, math.Sqrt(kernel.Dot(s, s))) }

// Project sets the first number of a velocity, which stands for nothing, to 0.
func (Hyperbolic) Project(x, u []float64) { u[0] = 0 }

// Pull is Bᵀ: g_i + g₀ x_i + x_i (s·g) / (1 + x₀).
func (Hyperbolic) Pull(x, g []float64) {
	s, h := x[1:], g[1:]
	kernel.Axpy(g[0]+kernel.Dot(s, h)/(1+x[0]), s, h)
	g[0] = 0
}

// RandomPoint goes from the apex along a velocity that is uniform on (−radius, radius) in each
// coordinate.
func (m Hyperbolic) RandomPoint(src Source, radius float64, x []float64) {
	s := x[1:]
	Euclidean{m.n - 1}.RandomPoint(src, radius, s)
	r := math.Sqrt(kernel.Dot(s, s))
	if r > 0 {
		kernel.Axpy(special.Sinh(r)/r-1, s, s)
	}
	x[0] = apex(s)
}

// RandomTangent is standard normal in the frame.
func (m Hyperbolic) RandomTangent(src Source, x, v []float64) {
	v[0] = 0
	for i := range v[1:] {
		v[1+i] = src.Normal()
	}
}

// Residual is |x₀ / √(1 + x₁² + …) − 1|.
func (Hyperbolic) Residual(x []float64) float64 {
	return orInf(math.Abs(x[0]/apex(x[1:]) - 1))
}
