package rng

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

var nan = math.NaN()

// TestContinuous compares every generator with its distribution function, and
// with mean and variance where they (and the fourth moment) exist.
func TestContinuous(t *testing.T) {
	gamma := func(a float64) func(float64) float64 {
		return func(x float64) float64 { return incompleteGamma(a, x) }
	}
	studentT := func(nu float64) func(float64) float64 {
		return func(x float64) float64 {
			p := 0.5 * incompleteBeta(nu/2, 0.5, nu/(nu+x*x))
			if x > 0 {
				return 1 - p
			}
			return p
		}
	}
	for _, c := range []struct {
		name           string
		draw           func(g *Source) float64
		cdf            func(x float64) float64
		mean, variance float64
	}{
		{"Normal", (*Source).Normal, special.NormalCDF, 0, 1},
		{"Exponential", (*Source).Exponential, func(x float64) float64 {
			return -math.Expm1(-x)
		}, 1, 1},
		{"Cauchy", (*Source).Cauchy, func(x float64) float64 { return math.Atan(x)/math.Pi + 0.5 },
			nan, nan},
		{"Laplace", (*Source).Laplace, func(x float64) float64 {
			if x < 0 {
				return 0.5 * math.Exp(x)
			}
			return 1 - 0.5*math.Exp(-x)
		}, 0, 2},
		{"Logistic", (*Source).Logistic, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
			0, math.Pi * math.Pi / 3},
		{"Gumbel", (*Source).Gumbel, func(x float64) float64 { return math.Exp(-math.Exp(-x)) },
			0.5772156649015329, math.Pi * math.Pi / 6},
		{"Weibull(0.7)", func(g *Source) float64 { return g.Weibull(0.7) },
			func(x float64) float64 { return -math.Expm1(-math.Pow(x, 0.7)) },
			math.Gamma(1 + 1/0.7), nan},
		{"Weibull(3)", func(g *Source) float64 { return g.Weibull(3) },
			func(x float64) float64 { return -math.Expm1(-x * x * x) }, math.Gamma(4. / 3),
			math.Gamma(5./3) - math.Gamma(4./3)*math.Gamma(4./3)},
		{"Gamma(0.001)", func(g *Source) float64 { return g.Gamma(0.001) }, nil, 0.001, nan},
		{"Gamma(0.3)", func(g *Source) float64 { return g.Gamma(0.3) }, gamma(0.3), 0.3, 0.3},
		{"Gamma(1)", func(g *Source) float64 { return g.Gamma(1) }, gamma(1), 1, 1},
		{"Gamma(2.5)", func(g *Source) float64 { return g.Gamma(2.5) }, gamma(2.5), 2.5, 2.5},
		{"Gamma(400)", func(g *Source) float64 { return g.Gamma(400) }, gamma(400), 400, 400},
		// log G(a)·a tends to minus an exponential.
		{"LogGamma(1e-9)", func(g *Source) float64 { return g.LogGamma(1e-9) * 1e-9 },
			func(x float64) float64 { return math.Exp(min(x, 0)) }, -1, 1},
		{"LogGamma(0.02)", func(g *Source) float64 { return g.LogGamma(0.02) }, func(x float64) float64 {
			if x < -30 { // the first term of the series
				return math.Exp(0.02*x - special.Lgamma(1.02))
			}
			return incompleteGamma(0.02, math.Exp(x))
		}, special.Digamma(0.02), special.Trigamma(0.02)},
		{"InvGamma(6)", func(g *Source) float64 { return g.InvGamma(6) },
			func(x float64) float64 { return 1 - incompleteGamma(6, 1/x) }, 1. / 5, 1. / 100},
		{"InvGamma(0.5)", func(g *Source) float64 { return g.InvGamma(0.5) },
			func(x float64) float64 { return 1 - incompleteGamma(0.5, 1/x) }, nan, nan},
		{"ChiSquare(3)", func(g *Source) float64 { return g.ChiSquare(3) },
			func(x float64) float64 { return incompleteGamma(1.5, x/2) }, 3, 6},
		{"Beta(0.2,0.5)", func(g *Source) float64 { return g.Beta(0.2, 0.5) },
			func(x float64) float64 { return incompleteBeta(0.2, 0.5, x) }, 2. / 7,
			0.1 / (0.49 * 1.7)},
		{"Beta(3,7)", func(g *Source) float64 { return g.Beta(3, 7) },
			func(x float64) float64 { return incompleteBeta(3, 7, x) }, 0.3, 21. / 1100},
		{"Beta(1e-4,1e-4)", func(g *Source) float64 { return g.Beta(1e-4, 1e-4) }, nil, 0.5,
			0.25 / 1.0002},
		{"StudentT(1)", func(g *Source) float64 { return g.StudentT(1) },
			func(x float64) float64 { return math.Atan(x)/math.Pi + 0.5 }, nan, nan},
		{"StudentT(3.5)", func(g *Source) float64 {
			return g.StudentT(3.5)
		}, studentT(3.5), 0, nan},
		{"StudentT(12)", func(g *Source) float64 { return g.StudentT(12) }, studentT(12), 0, 1.2},
	} {
		g := New(11, 0, Test).At(0)
		x := make([]float64, 20000)
		for i := range x {
			x[i] = c.draw(&g)
		}
		moments(t, c.name, x, c.mean, c.variance)
		if c.cdf == nil {
			continue
		}
		if d := kolmogorov(x, c.cdf); !(d < ksBound) {
			t.Errorf("%s: Kolmogorov–Smirnov %v", c.name, d)
		}
	}
}

// TestDiscrete compares every generator with its probabilities.
func TestDiscrete(t *testing.T) {
	poisson := func(mu float64) func(k float64) float64 {
		return func(k float64) float64 {
			return math.Exp(k*math.Log(mu) - mu - special.Lgamma(k+1))
		}
	}
	hypergeometric := func(n, a, b float64) func(k float64) float64 {
		return func(k float64) float64 {
			return math.Exp(special.Lchoose(a, k) + special.Lchoose(b, n-k) -
				special.Lchoose(a+b, n))
		}
	}
	binomial := func(n, p float64) func(k float64) float64 {
		return func(k float64) float64 {
			if k > n {
				return 0
			}
			return math.Exp(special.Lchoose(n, k) + k*math.Log(p) + (n-k)*math.Log1p(-p))
		}
	}
	weights := []float64{0, 3, 0.5, 0, 1.5, 0}
	logits := []float64{math.Inf(-1), math.Log(3) + 900, math.Log(0.5) + 900, math.Inf(-1),
		math.Log(1.5) + 900}
	pick := func(k float64) float64 {
		if int(k) < len(weights) {
			return weights[int(k)] / 5
		}
		return 0
	}
	for _, c := range []struct {
		name           string
		draw           func(g *Source) int
		pmf            func(k float64) float64
		mean, variance float64
	}{
		{"Poisson(0.3)", func(g *Source) int { return g.Poisson(0.3) }, poisson(0.3), 0.3, 0.3},
		{"Poisson(9.9)", func(g *Source) int { return g.Poisson(9.9) }, poisson(9.9), 9.9, 9.9},
		{"Poisson(10)", func(g *Source) int { return g.Poisson(10) }, poisson(10), 10, 10},
		{"Poisson(47.3)", func(g *Source) int {
			return g.Poisson(47.3)
		}, poisson(47.3), 47.3, 47.3},
		{"Poisson(1234)", func(g *Source) int {
			return g.Poisson(1234)
		}, poisson(1234), 1234, 1234},
		{"Binomial(5,0.3)", func(g *Source) int { return g.Binomial(5, 0.3) }, binomial(5, 0.3),
			1.5, 1.05},
		{"Binomial(40,0.9)", func(g *Source) int { return g.Binomial(40, 0.9) }, binomial(40, 0.9),
			36, 3.6},
		{"Binomial(40,0.5)", func(g *Source) int {
			return g.Binomial(40, 0.5)
		}, binomial(40, 0.5), 20, 10},
		{"Binomial(1000,0.77)", func(g *Source) int { return g.Binomial(1000, 0.77) },
			binomial(1000, 0.77), 770, 177.1},
		{"Bernoulli(0.2)", func(g *Source) int {
			return g.Bernoulli(0.2)
		}, binomial(1, 0.2), 0.2, 0.16},
		{"Geometric(0.15)", func(g *Source) int { return g.Geometric(0.15) },
			func(k float64) float64 { return 0.15 * math.Pow(0.85, k) }, 0.85 / 0.15,
			0.85 / 0.0225},
		{"NegBinomial2(7,0.8)", func(g *Source) int { return g.NegBinomial2(7, 0.8) },
			func(k float64) float64 {
				return math.Exp(special.Lchoose(k+0.8-1, k) + 0.8*math.Log(0.8/7.8) + k*math.Log(7/7.8))
			}, 7, 7 + 49/0.8},
		{"Hypergeometric(6,5,9)", func(g *Source) int { return g.Hypergeometric(6, 5, 9) },
			hypergeometric(6, 5, 9), 15.0 / 7, 6 * 45 * 8 / (14. * 14 * 13)},
		{"Hypergeometric(90,400,60)", func(g *Source) int { return g.Hypergeometric(90, 400, 60) },
			hypergeometric(90, 400, 60), 1800. / 23, nan},
		{"Categorical", func(g *Source) int { return g.Categorical(weights) }, pick, nan, nan},
		{"CategoricalLogit", func(g *Source) int {
			return g.CategoricalLogit(logits)
		}, pick, nan, nan},
		{"Multinomial", func(g *Source) int {
			var d [6]int
			g.Multinomial(d[:], 40, weights)
			if d[0]+d[3]+d[5] != 0 || d[1]+d[2]+d[4] != 40 {
				return 1000 // an outcome without probability
			}
			return d[4]
		}, binomial(40, 0.3), 12, 8.4},
	} {
		const draws = 40000
		g := New(12, 0, Test).At(0)
		x := make([]float64, draws)
		counts, expected := make([]int, 2000), make([]float64, 2000)
		for i := range x {
			k := c.draw(&g)
			x[i] = float64(k)
			if p := c.pmf(x[i]); !(p > 0) {
				t.Fatalf("%s: drew %d, of probability %v", c.name, k, p)
			}
			counts[min(k, len(counts)-1)]++
		}
		for k := range expected {
			expected[k] = draws * c.pmf(float64(k))
		}
		moments(t, c.name, x, c.mean, c.variance)
		if z := chiSquare(counts, expected); !(math.Abs(z) < 4.5) {
			t.Errorf("%s: chi-square off by %v standard errors", c.name, z)
		}
	}
}

// TestLargeCounts: at rates where a logarithm of the probability would be a
// difference of huge numbers, the standardised draws are normal.
func TestLargeCounts(t *testing.T) {
	g := New(13, 0, Test).At(0)
	x := make([]float64, 20000)
	for _, mu := range []float64{1e8, 1e12, 1e15} {
		if mu > math.MaxInt/2 {
			continue // where int has 32 bits
		}
		for i := range x {
			x[i] = (float64(g.Poisson(mu)) - mu) / math.Sqrt(mu)
		}
		if d := kolmogorov(x, special.NormalCDF); d > ksBound {
			t.Errorf("Poisson(%v): Kolmogorov–Smirnov %v", mu, d)
		}
		for i := range x {
			x[i] = (float64(g.Binomial(int(mu), 0.25)) - 0.25*mu) / math.Sqrt(0.1875*mu)
		}
		if d := kolmogorov(x, special.NormalCDF); d > ksBound {
			t.Errorf("Binomial(%v): Kolmogorov–Smirnov %v", mu, d)
		}
	}
	for _, mu := range []float64{1e30, math.Inf(1)} {
		if k := g.Poisson(mu); k != math.MaxInt {
			t.Errorf("Poisson(%v) = %d", mu, k)
		}
	}
	for _, shape := range []float64{0, -0.5, -3, nan} {
		if x := g.Gamma(shape); x == x {
			t.Errorf("Gamma(%v) = %v", shape, x)
		}
	}
	if g.Poisson(0) != 0 || g.Binomial(0, 0.5) != 0 || g.Binomial(9, 0) != 0 ||
		g.Binomial(9, 1) != 9 || g.Hypergeometric(3, 0, 5) != 0 || g.Hypergeometric(7, 4, 3) != 4 ||
		g.Hypergeometric(0, 4, 3) != 0 {
		t.Error("a certain outcome did not come")
	}
}

// TestDirichlet: margins are betas, and tiny concentrations give points of the
// simplex with the right chances.
func TestDirichlet(t *testing.T) {
	g := New(14, 0, Test).At(0)
	alpha := []float64{0.5, 2, 3.5}
	margins := make([][]float64, 3)
	d := make([]float64, 3)
	for range 20000 {
		g.Dirichlet(d, alpha)
		if s := d[0] + d[1] + d[2]; math.Abs(s-1) > 1e-15 {
			t.Fatalf("the sum is %v", s)
		}
		for i, v := range d {
			margins[i] = append(margins[i], v)
		}
	}
	for i, a := range alpha {
		if k := kolmogorov(margins[i], func(x float64) float64 {
			return incompleteBeta(a, 6-a,
				x)
		}); k > ksBound {
			t.Errorf("margin %d: Kolmogorov–Smirnov %v", i, k)
		}
	}
	counts := make([]int, 3)
	for range 10000 {
		g.Dirichlet(d, []float64{1e-8, 2e-8, 3e-8})
		for i, v := range d {
			if math.IsNaN(v) {
				t.Fatal("NaN")
			}
			if v > 0.5 {
				counts[i]++
			}
		}
	}
	if z := chiSquare(counts, []float64{10000. / 6, 10000. / 3, 5000}); math.Abs(z) > 4.5 {
		t.Errorf("vertices: chi-square off by %v standard errors", z)
	}
}

// TestSaddle compares Loader's probabilities with direct logarithms where
// those are still good.
func TestSaddle(t *testing.T) {
	for _, mu := range []float64{0.5, 3, 17, 200} {
		for k := 0.0; k < 300; k++ {
			want := k*special.Log(mu) - mu - special.Lgamma(k+1)
			if got := special.LogPoisson(k, mu); math.Abs(got-want) >
				1e-13*(1+k*math.Abs(math.Log(mu))+special.Lgamma(k+1)) {
				t.Errorf("LogPoisson(%v, %v) = %v, want %v", k, mu, got, want)
			}
		}
	}
	for _, n := range []float64{1, 7, 40, 300} {
		for k := 0.0; k <= n; k++ {
			want := special.Lchoose(n, k) + k*special.Log(0.3) + (n-k)*special.Log1p(-0.3)
			if got := special.LogBinomial(k, n, 0.3); math.Abs(got-want) >
				1e-13*(1+math.Abs(want)) {
				t.Errorf("LogBinomial(%v, %v) = %v, want %v", k, n, got, want)
			}
		}
	}
}
