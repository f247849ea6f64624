package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"
)

// A gonumLaw is a distribution of the standard library that gonum has too: how its
// arguments are drawn, and the logarithms of gonum's density and distribution function.
type gonumLaw struct {
	name string
	args int
	law  func(a []float64) distuv.LogProber
	cdf  bool
	x    func(a []float64, u float64) float64 // a point, by a number in (0, 1)
}

// A logisticLaw is gonum's logistic law with the density for its location and scale: gonum's
// LogProb (v0.17.0) is that of the location 0 and the scale 1, whatever these are.
type logisticLaw struct{ distuv.Logistic }

func (l logisticLaw) LogProb(x float64) float64 {
	return l.Logistic.LogProb((x-l.Mu)/l.S) - math.Log(l.S)
}

func onLine(_ []float64, u float64) float64    { return 8*u - 4 }
func abovezero(_ []float64, u float64) float64 { return -3 * math.Log(u) }
func counted(_ []float64, u float64) float64   { return math.Floor(20 * u) }

var gonumLaws = []gonumLaw{
	{"normal", 2, func(a []float64) distuv.LogProber {
		return distuv.Normal{Mu: a[0], Sigma: a[1]}
	}, true, onLine},
	{"student_t", 3, func(a []float64) distuv.LogProber {
		return distuv.StudentsT{Nu: a[0], Mu: a[1], Sigma: a[2]}
	}, true, onLine},
	{"double_exponential", 2, func(a []float64) distuv.LogProber {
		return distuv.Laplace{Mu: a[0], Scale: a[1]}
	}, true, onLine},
	{"logistic", 2, func(a []float64) distuv.LogProber {
		return logisticLaw{distuv.Logistic{Mu: a[0], S: a[1]}}
	}, true, onLine},
	{"gumbel", 2, func(a []float64) distuv.LogProber {
		return distuv.GumbelRight{Mu: a[0], Beta: a[1]}
	}, true, onLine},
	{"exponential", 1, func(a []float64) distuv.LogProber { return distuv.Exponential{Rate: a[0]} },
		true, abovezero},
	{"gamma", 2, func(a []float64) distuv.LogProber {
		return distuv.Gamma{Alpha: a[0], Beta: a[1]}
	}, true, abovezero},
	{"inv_gamma", 2, func(a []float64) distuv.LogProber {
		return distuv.InverseGamma{Alpha: a[0], Beta: a[1]}
	}, true, abovezero},
	{"chi_square", 1, func(a []float64) distuv.LogProber { return distuv.ChiSquared{K: a[0]} },
		true, abovezero},
	{"lognormal", 2, func(a []float64) distuv.LogProber {
		return distuv.LogNormal{Mu: a[0], Sigma: a[1]}
	}, true, abovezero},
	{"weibull", 2, func(a []float64) distuv.LogProber {
		return distuv.Weibull{K: a[0], Lambda: a[1]}
	}, true, abovezero},
	{"pareto", 2, func(a []float64) distuv.LogProber {
		return distuv.Pareto{Xm: a[0], Alpha: a[1]}
	}, true,
		func(a []float64, u float64) float64 { return a[0] + 0.01 - 3*math.Log(u) }},
	{"beta", 2, func(a []float64) distuv.LogProber {
		return distuv.Beta{Alpha: a[0], Beta: a[1]}
	}, true,
		func(_ []float64, u float64) float64 { return u }},
	{"poisson", 1, func(a []float64) distuv.LogProber { return distuv.Poisson{Lambda: a[0]} }, true,
		counted},
}

// TestLawsOfGonum compares the densities and the distribution functions of the standard
// library, compiled and run, with gonum's at random arguments and points.
func TestLawsOfGonum(t *testing.T) {
	const points = 60
	r := rand.New(rand.NewPCG(11, 12))
	for _, l := range gonumLaws {
		t.Run(l.name, func(t *testing.T) {
			x, args := make([]float64, points), make([][]float64, l.args)
			for k := range args {
				args[k] = make([]float64, points)
			}
			at := func(i int) []float64 {
				a := make([]float64, l.args)
				for k := range a {
					a[k] = args[k][i]
				}
				return a
			}
			values := map[string]any{"x": x}
			for i := range x {
				for k := range args {
					args[k][i] = math.Exp(1.5 * r.NormFloat64())
				}
				x[i] = l.x(at(i), r.Float64())
			}
			var declared, given []string
			for k := range args {
				name := fmt.Sprintf("a%d", k)
				declared = append(declared, name+"[N] : real")
				given = append(given, name+"[i]")
				values[name] = args[k]
			}
			list := strings.Join(given, ", ")
			kind := "real"
			if l.name == "poisson" {
				kind = "count"
			}
			text := fmt.Sprintf("dim N\ndata x[N] : "+kind+
				"\ndata %s\nparam z : real ~ normal(0, 1)\n"+
				"track f = [%s.logpdf(x[i], %s) for i in N]\n"+
				"track c = [%s.cdf(x[i], %s) for i in N]\n",
				strings.Join(declared, ", "), l.name, list, l.name, list)
			out := tracked(t, text, values)
			for i, f := range out["f"] {
				law := l.law(at(i))
				if want := law.LogProb(x[i]); !(math.Abs(f-want) <= 1e-9*(1+math.Abs(want))) {
					t.Errorf("log density of %v at %v: %v, gonum has %v", at(i), x[i], f, want)
				}
				if want := law.(interface{ CDF(float64) float64 }).CDF(x[i]); l.cdf &&
					!(math.Abs(out["c"][i]-want) <= 1e-9) {
					t.Errorf("distribution function of %v at %v: %v, gonum has %v", at(i), x[i],
						out["c"][i], want)
				}
			}
		})
	}
}

// TestVectorLawsOfGonum compares densities of vectors and matrices with gonum's.
func TestVectorLawsOfGonum(t *testing.T) {
	const k = 3
	mu, x := []float64{0.3, -1, 2}, []float64{1, -0.2, 0.5}
	sigma := []float64{2, 0.4, -0.3, 0.4, 1, 0.2, -0.3, 0.2, 1.5}
	w := []float64{3, 0.1, 0.2, 0.1, 2, -0.5, 0.2, -0.5, 4}
	alpha, p := []float64{0.5, 2, 3}, []float64{0.2, 0.5, 0.3}
	square := func(a []float64) [][]float64 { return [][]float64{a[:3], a[3:6], a[6:]} }
	out := tracked(t, `dim K
data x[K], mu[K], alpha[K], p[K] : real
data S[K, K], W[K, K] : real
param z : real ~ normal(0, 1)
track normals = multi_normal.logpdf(x, mu, S)
track student = multi_student_t.logpdf(x, 4.5, mu, S)
track shares = dirichlet.logpdf(p, alpha)
track matrix = wishart.logpdf(W, 6.5, S)
`, map[string]any{"x": x, "mu": mu, "alpha": alpha, "p": p, "S": square(sigma), "W": square(w)})
	s := mat.NewSymDense(k, sigma)
	normal, _ := distmv.NewNormal(mu, s, nil)
	student, _ := distmv.NewStudentsT(mu, s, 4.5, nil)
	wishart, _ := distmat.NewWishart(s, 6.5, nil)
	for name, want := range map[string]float64{
		"normals": normal.LogProb(x),
		"student": student.LogProb(x),
		"shares":  distmv.NewDirichlet(alpha, nil).LogProb(p),
		"matrix":  wishart.LogProbSym(mat.NewSymDense(k, w)),
	} {
		closeTo(t, name, out[name], []float64{want}, 1e-12)
	}
}
