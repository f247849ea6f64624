package special

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// positive is a grid from small to large arguments.
var positive = []float64{1e-3, 0.02, 0.3, 0.5, 1, 1.7, 2.5, 4, 9.3, 17, 40, 123}

// near compares relatively where a number is large, and absolutely where it is small.
func near(t *testing.T, what string, got, want, tol float64, at ...float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s at %v is %.17g, gonum's is %.17g", what, at, got, want)
	}
}

// TestGammaFunctionsOfGonum compares functions of Γ with those of gonum/mathext.
func TestGammaFunctionsOfGonum(t *testing.T) {
	for _, a := range positive {
		// gonum's digamma has about ten digits: at 1 it is 5e-11 from Euler's constant.
		near(t, "Digamma", Digamma(a), mathext.Digamma(a), 1e-10, a)
		near(t, "Digamma", Digamma(-a-0.4), mathext.Digamma(-a-0.4), 1e-10, -a-0.4)
		near(t, "Trigamma", Trigamma(a), mathext.Zeta(2, a), 1e-13, a)
		for n, factorial := 2.0, -2.0; n < 6; n++ {
			near(t, "Polygamma", Polygamma(n, a), factorial*mathext.Zeta(n+1, a), 1e-12, n, a)
			factorial *= -(n + 1)
		}
		for _, b := range positive {
			near(t, "Lbeta", Lbeta(a, b), mathext.Lbeta(a, b), 1e-13, a, b)
			near(t, "GammaP", math.Exp(LogGammaP(a, b)), mathext.GammaIncReg(a, b), 1e-11, a, b)
			near(t, "GammaQ", math.Exp(LogGammaQ(a, b)), mathext.GammaIncRegComp(a, b), 1e-11, a, b)
			for _, s := range []float64{-6, -1.5, 0, 0.7, 5} {
				got := math.Exp(LogBetaIncLogit(a, b, s))
				near(t, "BetaInc", got, mathext.RegIncBeta(a, b, 1/(1+math.Exp(-s))), 1e-11, a, b, s)
			}
		}
	}
}

// TestNormalOfGonum compares the normal law, and those near it, with gonum's.
func TestNormalOfGonum(t *testing.T) {
	unit := distuv.UnitNormal
	for _, p := range []float64{1e-12, 1e-4, 0.03, 0.3, 0.5, 0.61, 0.95, 0.999} {
		near(t, "NormalQuantile", NormalQuantile(p), mathext.NormalQuantile(p), 1e-13, p)
	}
	for _, z := range []float64{-9, -4, -1.3, -0.2, 0, 0.4, 2, 6} {
		near(t, "NormalCDF", NormalCDF(z), unit.CDF(z), 1e-14, z)
		for _, nu := range []float64{0.6, 1, 2.5, 7, 40} {
			law := distuv.StudentsT{Sigma: 1, Nu: nu}
			near(t, "StudentTCDF", math.Exp(LogStudentTCDF(nu, z)), law.CDF(z), 1e-11, nu, z)
		}
		for _, alpha := range []float64{-3, -0.5, 0, 1, 8} {
			density := func(x float64) float64 { return 2 * unit.Prob(x) * unit.CDF(alpha*x) }
			want := quad.Fixed(density, -12, z, 400, nil, 0)
			near(t, "SkewNormalCDF", math.Exp(LogSkewNormalCDF(z, alpha)), want, 1e-10, z, alpha)
		}
	}
}

// TestBesselOfQuadrature compares I_ν with its integral over the sphere (DLMF 10.32.2).
func TestBesselOfQuadrature(t *testing.T) {
	for _, nu := range []float64{0.5, 1.5, 3, 9, 24.5} {
		for _, x := range []float64{0.1, 1, 6, 30, 80} {
			log := func(nu float64) float64 {
				weight := func(c float64) float64 {
					return math.Exp(x*(c-1)) * math.Pow(1-c*c, nu-0.5)
				}
				sum := quad.Fixed(weight, -1, 1, 2000, nil, 0)
				g, _ := math.Lgamma(nu + 0.5)
				return nu*math.Log(x/2) - g - math.Log(math.Pi)/2 + x + math.Log(sum)
			}
			near(t, "LogBesselI", LogBesselI(nu, x), log(nu), 1e-9, nu, x)
			near(t, "BesselIRatio", BesselIRatio(nu, x), math.Exp(log(nu+1)-log(nu)), 1e-8, nu, x)
		}
	}
}

// TestCountsOfGonum compares probabilities of counts with those of gonum.
func TestCountsOfGonum(t *testing.T) {
	for _, k := range []float64{0, 1, 2, 7, 30} {
		for _, mu := range positive {
			near(t, "LogPoisson", LogPoisson(k, mu), distuv.Poisson{Lambda: mu}.LogProb(k), 1e-12, k, mu)
		}
		for _, n := range []float64{30, 41, 300} {
			for _, p := range []float64{0.001, 0.2, 0.5, 0.97} {
				law := distuv.Binomial{N: n, P: p}
				near(t, "LogBinomial", LogBinomial(k, n, p), law.LogProb(k), 1e-11, k, n, p)
			}
		}
	}
}
