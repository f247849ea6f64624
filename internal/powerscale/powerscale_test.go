package powerscale

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// conjugate is the posterior of the mean of n normal observations with average y and standard
// deviation 1, with the prior normal(0, 1), where the prior and the likelihood have powers.
func conjugate(n, y, prior, likelihood float64) distuv.Normal {
	precision := prior + likelihood*n
	return distuv.Normal{Mu: likelihood * n * y / precision, Sigma: 1 / math.Sqrt(precision)}
}

// between is the distance between two distributions on a range, by integration.
func between(p, q distuv.Normal, lo, hi float64) float64 {
	const steps = 10000
	up, down, upper, lower := 0.0, 0.0, 0.0, 0.0
	d := (hi - lo) / steps
	for i := range steps {
		x := lo + (float64(i)+0.5)*d
		a, b := p.CDF(x), q.CDF(x)
		up, upper = up+d*divergence(a, b), upper+d*(a+b)
		down, lower = down+d*divergence(1-a, 1-b), lower+d*(2-a-b)
	}
	return math.Sqrt(math.Max(up/upper, down/lower))
}

// TestEffect holds distances, means and standard deviations to those of the exact posteriors
// of a conjugate model, whose prior or likelihood has each of the powers.
func TestEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		n, y float64
		want string
	}{{5, 0.3, "-"}, {5, 6, "prior-data conflict"}, {0.04, 40, "prior-data conflict"},
		{100, 1, "-"}, {100, 0, "-"}, {0.01, 0, "weak likelihood"}} {
		base := conjugate(c.n, c.y, 1, 1)
		const chains, each = 4, 5000
		var x []float64
		prior, like := make([][]float64, chains), make([][]float64, chains)
		for k := range chains * each {
			theta := base.Mu + base.Sigma*r.NormFloat64()
			x = append(x, theta)
			prior[k/each] = append(prior[k/each], -theta*theta/2)
			like[k/each] = append(like[k/each], -c.n*(theta-c.y)*(theta-c.y)/2)
		}
		lo, hi := x[0], x[0]
		for _, v := range x {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		var found [2]float64
		for part, values := range [][][]float64{prior, like} {
			scaled := Scale(values)
			e := scaled.Effect(x)
			found[part] = e.Sensitivity
			for i, power := range Powers {
				exact := conjugate(c.n, c.y, power, 1)
				if part == 1 {
					exact = conjugate(c.n, c.y, 1, power)
				}
				if scaled.K[i] > 0.5 {
					t.Errorf("n %g, y %g, part %d, power %g: k is %g", c.n, c.y, part, power,
						scaled.K[i])
				}
				// of reweighted draws, compared with those of the draws
				error := 5 * base.Sigma / math.Sqrt(chains*each)
				mean := e.Mean[i] - base.Mu
				if want := exact.Mu - base.Mu; math.Abs(mean-want) > 2*error {
					t.Errorf("n %g, y %g, part %d, power %g: the mean moves by %.4f, expected %.4f",
						c.n, c.y, part, power, mean, want)
				}
				if math.Abs(e.SD[i]/exact.Sigma-1) > 0.06 {
					t.Errorf("n %g, y %g, part %d, power %g: sd %.4f, expected %.4f", c.n, c.y,
						part, power, e.SD[i], exact.Sigma)
				}
				if want := between(base, exact, lo, hi); math.Abs(e.Distance[i]-want) > 0.002+
					0.05*want {
					t.Errorf("n %g, y %g, part %d, power %g: distance %.5f, expected %.5f", c.n,
						c.y, part, power, e.Distance[i], want)
				}
			}
		}
		if got := Diagnose(found[0], found[1]); got != c.want {
			t.Errorf("n %g, y %g: sensitivities %.3f and %.3f: %s, expected %s", c.n, c.y, found[0],
				found[1], got, c.want)
		}
	}
}

// TestDistance tries what is known without integration: the same distribution, weights that
// leave one end, and draws that are all equal.
func TestDistance(t *testing.T) {
	order := []int{0, 1}
	if got := Distance([]float64{0, 1}, order, []float64{0.5, 0.5}); got != 0 {
		t.Errorf("equal weights: %g", got)
	}
	// P = 1/2 and Q = 1 on one interval: p log2(2p/(p+q)) + q log2(2q/(p+q)) over p + q.
	want := math.Sqrt(math.Max((0.5*math.Log2(2./3)+math.Log2(4./3))/1.5, 1))
	if got := Distance([]float64{0, 1}, order, []float64{1, 0}); math.Abs(got-want) > 1e-15 {
		t.Errorf("one draw: %g, expected %g", got, want)
	}
	if got := Distance([]float64{2, 2}, order, []float64{1, 0}); !math.IsNaN(got) && got != 0 {
		t.Errorf("equal draws: %g", got)
	}
	if Diagnose(0.04, 1) != "-" || Diagnose(0.06, 0.04) != "weak likelihood" ||
		Diagnose(math.NaN(), 1) != "-" {
		t.Error("the diagnosis is wrong")
	}
}
