package rng

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// tangentCDF is the distribution function of t = μ·x where the density of t is
// proportional to exp(f(t)) (1−t²)^{(d−3)/2}: by the angle, which has no
// singularity, with Simpson's rule on 4,000 intervals around the mass.
func tangentCDF(d float64, f func(t, gap float64) float64) func(gap float64) float64 {
	const n = 4000
	g := func(a float64) float64 {
		s := math.Sin(a / 2)
		return f(math.Cos(a), 2*s*s) + (d-2)*math.Log(math.Sin(a))
	}
	if d == 2 {
		g = func(a float64) float64 { s := math.Sin(a / 2); return f(math.Cos(a), 2*s*s) }
	}
	// The interval where the density is above e^−45 of its top.
	top, at := math.Inf(-1), 0.0
	for i := 1; i < 20000; i++ {
		a := math.Pi * math.Pow(float64(i)/20000, 3) // fine near 0
		if v := g(a); v > top {
			top, at = v, a
		}
	}
	edge := func(lo, hi float64) float64 { // g at lo is below, at hi above
		for range 100 {
			if m := (lo + hi) / 2; g(m) < top-45 {
				lo = m
			} else {
				hi = m
			}
		}
		return lo
	}
	lo, hi := 0.0, math.Pi
	if d > 2 {
		lo = edge(0, at)
	}
	if g(math.Pi*0.999999) < top-45 {
		hi = edge(math.Pi*0.999999, at)
	}
	cum := make([]float64, n+1)
	h := (hi - lo) / n
	e := func(a float64) float64 {
		return math.Exp(g(min(max(a, 1e-300), math.Pi*(1-1e-16))) - top)
	}
	for i := range n {
		a := lo + float64(i)*h
		cum[i+1] = cum[i] + (e(a)+4*e(a+h/2)+e(a+h))/6
	}
	return func(gap float64) float64 { // P(1 − t < gap)
		a := (2*math.Asin(math.Sqrt(gap/2)) - lo) / h
		switch {
		case !(a > 0):
			return 0
		case a >= n:
			return 1
		}
		i := int(a)
		return (cum[i] + (a-float64(i))*(cum[i+1]-cum[i])) / cum[n]
	}
}

// TestVMFGap: the law of 1 − μ·x from the circle to 100,000 dimensions and
// from κ = 0 to 1e7, with mean and variance of the closed forms.
func TestVMFGap(t *testing.T) {
	for _, d := range []float64{2, 3, 20, 1000, 100000} {
		for _, kappa := range []float64{0, 0.5, 10, 1000, 1e7} {
			g := New(21, 0, Test).At(uint64(d))
			x := make([]float64, 4000)
			for i := range x {
				x[i] = g.VMFGap(d, kappa)
			}
			a, v := special.VMFRatio(d, kappa), special.VMFRatioDeriv(d, kappa)
			mean := 1 - a
			if kappa > 1e6 && d < 100 { // 1 − A ≈ (d−1)/(2κ) without cancellation
				mean = (d - 1) / (2 * kappa)
			}
			moments(t, "gap", x, mean, v)
			cdf := tangentCDF(d, func(_, gap float64) float64 { return -kappa * gap })
			if k := kolmogorov(x, cdf); !(k < ksBound) {
				t.Errorf("d = %v, κ = %v: Kolmogorov–Smirnov %v", d, kappa, k)
			}
		}
	}
}

// TestVonMises: both signs alike, and the law on the circle.
func TestVonMises(t *testing.T) {
	for _, kappa := range []float64{0, 0.3, 5, 1e6} {
		g := New(22, 0, Test).At(0)
		x, gaps := make([]float64, 8000), make([]float64, 8000)
		for i := range x {
			x[i] = g.VonMises(kappa)
			s := math.Sin(x[i] / 2)
			gaps[i] = 2 * s * s
		}
		moments(t, "angle", x, 0, nan)
		if kappa == 0 {
			if k := kolmogorov(x, func(a float64) float64 { return a/(2*math.Pi) + 0.5 }); !(k < ksBound) {
				t.Errorf("uniform: Kolmogorov–Smirnov %v", k)
			}
		}
		if k := kolmogorov(gaps, tangentCDF(2,
			func(_, gap float64) float64 { return -kappa * gap })); !(k < ksBound) {
			t.Errorf("κ = %v: Kolmogorov–Smirnov %v", kappa, k)
		}
	}
	for _, kappa := range []float64{-1, nan, math.Inf(1)} {
		g := New(22, 0, Test).At(0)
		if x := g.VonMises(kappa); x == x {
			t.Errorf("κ = %v gives %v", kappa, x)
		}
	}
}

// TestVonMisesFisher: unit vectors of mean A μ, with variance A/κ across μ and
// no preferred direction there; the same for the power spherical.
func TestVonMisesFisher(t *testing.T) {
	for _, c := range []struct {
		d     int
		kappa float64
	}{{2, 4}, {3, 0}, {3, 50}, {20, 15}, {2000, 1e6}} {
		g := New(23, 0, Test).At(uint64(c.d))
		mu, e, x := make([]float64, c.d), make([]float64, c.d), make([]float64, c.d)
		g.UniformSphere(mu)
		g.UniformSphere(e)
		dot := 0.0
		for i := range e {
			dot += e[i] * mu[i]
		}
		for i := range e {
			e[i] -= dot * mu[i]
		}
		scale(e, 1/math.Sqrt(sumSquares(e)))
		along, across := make([]float64, 4000), make([]float64, 4000)
		for k := range along {
			g.VonMisesFisher(x, mu, c.kappa)
			if n := sumSquares(x); math.Abs(n-1) > 1e-14 {
				t.Fatalf("%v: the length is off by %v", c, n-1)
			}
			for i := range x {
				along[k] += x[i] * mu[i]
				across[k] += x[i] * e[i]
			}
		}
		d := float64(c.d)
		moments(t, "along μ", along, special.VMFRatio(d, c.kappa),
			special.VMFRatioDeriv(d, c.kappa))
		variance := 1 / d
		if c.kappa > 0 {
			variance = special.VMFRatio(d, c.kappa) / c.kappa
		}
		moments(t, "across μ", across, 0, variance)
		if r := correlation(along, across); math.Abs(r) > 5 {
			t.Errorf("%v: correlation %v standard errors", c, r)
		}
		// E μ·x of the power spherical is κ/(d−1+κ).
		for k := range along {
			g.PowerSpherical(x, mu, c.kappa)
			along[k], across[k] = 0, 0
			for i := range x {
				along[k] += x[i] * mu[i]
				across[k] += x[i] * e[i]
			}
		}
		moments(t, "power spherical", along, c.kappa/(d-1+c.kappa), nan)
		moments(t, "power spherical across", across, 0, nan)
	}
	g := New(23, 0, Test).At(1)
	gaps, x, mu := make([]float64, 4000), make([]float64, 5), []float64{0, 0, 1, 0, 0}
	for i := range gaps {
		g.PowerSpherical(x, mu, 7)
		gaps[i] = 1 - x[2]
	}
	if k := kolmogorov(gaps, tangentCDF(5, func(_,
		gap float64) float64 {
		return 7 * math.Log1p(1-gap)
	})); !(k < ksBound) {
		t.Errorf("power spherical: Kolmogorov–Smirnov %v", k)
	}
}

// TestUniformStiefel: orthonormal columns; a coordinate of a uniform unit
// vector in R^d is 2B−1 with B a beta((d−1)/2, (d−1)/2), of every column; the
// determinant of a square one is ±1 alike.
func TestUniformStiefel(t *testing.T) {
	for _, c := range [][2]int{{5, 1}, {5, 3}, {4, 4}} {
		g := New(24, 0, Test).At(uint64(c[0]))
		rows, cols := c[0], c[1]
		x := make([]float64, rows*cols)
		first, last := make([]float64, 4000), make([]float64, 4000)
		for k := range first {
			g.UniformStiefel(x, rows, cols)
			for a := range cols {
				for b := range cols {
					dot := 0.0
					for i := range rows {
						dot += x[i*cols+a] * x[i*cols+b]
					}
					if a == b {
						dot--
					}
					if math.Abs(dot) > 1e-15 {
						t.Fatalf("%v: columns %d, %d: %v", c, a, b, dot)
					}
				}
			}
			first[k], last[k] = x[0], x[len(x)-1]
		}
		h := float64(rows-1) / 2
		for _, s := range [][]float64{first, last} {
			if k := kolmogorov(s, func(v float64) float64 {
				return incompleteBeta(h, h,
					(1+v)/2)
			}); !(k < ksBound) {
				t.Errorf("%v: Kolmogorov–Smirnov %v", c, k)
			}
		}
		if cols > 1 {
			if r := correlation(first, last); math.Abs(r) > 5 {
				t.Errorf("%v: correlation %v standard errors", c, r)
			}
		}
	}
}

// TestSphereBits pins the draws.
func TestSphereBits(t *testing.T) {
	g := New(25, 0, Test).At(0)
	h := fnv.New64a()
	put := func(x []float64) {
		for _, v := range x {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
	}
	x, mu := make([]float64, 6), make([]float64, 6)
	for i := range 50 {
		g.UniformSphere(mu)
		put(mu)
		g.VonMisesFisher(x, mu, float64(i*i))
		put(x)
		g.PowerSpherical(x, mu, float64(i))
		put(x)
		g.UniformStiefel(x, 3, 2)
		put(x)
		put([]float64{g.VonMises(float64(i))})
	}
	const want = 0x14ff0d92fa298c5d
	if got := h.Sum64(); got != want {
		t.Errorf("the draws hash to %#x, want %#x", got, uint64(want))
	}
	if n := testing.AllocsPerRun(20, func() {
		g.UniformSphere(mu)
		g.VonMisesFisher(x, mu, 3)
		g.UniformStiefel(x, 3, 2)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
