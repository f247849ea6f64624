package special

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// logGammaCDF is P(a, e^y), also where e^y is no number: there it is
// e^(ay)/Γ(a + 1), as the first term of the series is all that is left.
func logGammaCDF(a, y float64) float64 {
	if y < -600 {
		return math.Exp(a*y - Lgamma(a+1))
	}
	return math.Exp(LogGammaP(a, math.Exp(y)))
}

// TestLogGammaVariate: for uniform numbers of a fixed seed, of all their bits
// and of as few as single precision has, the draws have the gamma law. √n times
// the distance of Kolmogorov and Smirnov is beyond 2.2 with probability 1.3e-4.
func TestLogGammaVariate(t *testing.T) {
	for k, a := range []float64{0.01, 0.3, 0.999, 1, 4.7, 1e4} {
		for _, single := range []bool{false, true} {
			r := rand.New(rand.NewPCG(21, uint64(k)))
			const n = 1 << 14
			y := make([]float64, n)
			for i := range y {
				u := r.Float64()
				if single {
					u = float64(r.Float32())
				}
				if y[i] = LogGammaVariate(a, u); y[i] != LogGammaVariate(a, u) {
					t.Fatalf("shape %v: the draw at %v is no function of it", a, u)
				}
			}
			slices.Sort(y)
			d := 0.0
			for i, v := range y {
				f := logGammaCDF(a, v)
				d = max(d, f-float64(i)/n, float64(i+1)/n-f)
			}
			if d *= math.Sqrt(n); !(d < 2.2) {
				t.Errorf("shape %v, single precision %v: Kolmogorov–Smirnov %v", a, single, d)
			}
		}
	}
}

// TestLogGammaVariateEnds: draws of shapes that are nearly 0 or very large are
// finite, though their exponentials may not be; what is no shape gives no number.
func TestLogGammaVariateEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 0))
	for _, a := range []float64{1e-300, 1e-20, 1e-5, 1e12, 1e300} {
		for range 200 {
			if y := LogGammaVariate(a, r.Float64()); math.IsNaN(y) || math.IsInf(y, 0) {
				t.Errorf("shape %v: %v", a, y)
			}
		}
	}
	for _, u := range []float64{0, 0x1p-53, math.Nextafter(1, 0), 1} {
		if y := LogGammaVariate(2.5, u); !(math.Abs(y) < 20) {
			t.Errorf("at %v: %v", u, y)
		}
	}
	for _, a := range []float64{0, -1, math.Inf(-1), math.NaN()} {
		if y := LogGammaVariate(a, 0.5); !math.IsNaN(y) {
			t.Errorf("shape %v: %v", a, y)
		}
	}
	if y := LogGammaVariate(math.Inf(1), 0.5); !math.IsInf(y, 1) {
		t.Errorf("shape +Inf: %v", y)
	}
}

// TestGeneratorOfBits: the generator has the uniform and the normal law, and its numbers
// one after another do not hang together.
func TestGeneratorOfBits(t *testing.T) {
	g := BitsOf(0.25)
	const n = 1 << 15
	u, x := make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = g.Uniform()
	}
	product := 0.0
	for i := 1; i < n; i++ {
		product += (u[i] - 0.5) * (u[i-1] - 0.5) * 12 / math.Sqrt(n)
	}
	if !(math.Abs(product) < 4) {
		t.Errorf("neighbours are correlated: %v standard errors", product)
	}
	for i := range x {
		x[i] = g.Normal()
	}
	for _, c := range []struct {
		x   []float64
		cdf func(x float64) float64
	}{{u, func(x float64) float64 { return x }}, {x, NormalCDF}} {
		slices.Sort(c.x)
		d := 0.0
		for i, v := range c.x {
			f := c.cdf(v)
			d = max(d, f-float64(i)/n, float64(i+1)/n-f)
		}
		if d *= math.Sqrt(n); !(d < 2.2) {
			t.Errorf("Kolmogorov–Smirnov %v", d)
		}
	}
}

func BenchmarkLogGammaVariate(b *testing.B) {
	for _, a := range []float64{0.3, 4.7} {
		b.Run(map[bool]string{true: "below 1", false: "above 1"}[a < 1], func(b *testing.B) {
			r, u, sum := rand.New(rand.NewPCG(23, 0)), make([]float64, 1<<12), 0.0
			for i := range u {
				u[i] = r.Float64()
			}
			for i := range b.N {
				sum += LogGammaVariate(a, u[i&(1<<12-1)])
			}
			if math.IsNaN(sum) {
				b.Fatal(sum)
			}
		})
	}
}
