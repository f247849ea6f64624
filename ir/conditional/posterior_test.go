package conditional_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"gonum.org/v1/gonum/integrate/quad"
)

// A sink keeps the draws of chains.
type sink [][][]float64

func (s sink) Draw(chain int, _ int64, out []float64, _ *sampler.Stats) error {
	s[chain] = append(s[chain], append([]float64(nil), out...))
	return nil
}
func (s sink) Progress(sampler.Progress)    {}
func (s sink) Checkpoint(int, []byte) error { return nil }

// drawn are draws of a model by Gibbs sampling, by chain.
func drawn(t *testing.T, m *model.Model, chains int, draws int64) sink {
	t.Helper()
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Draws, c.Seed = "gibbs", chains, 500, draws, 3
	s := make(sink, chains)
	if _, err := sampler.Run(context.Background(), m, c, s, sampler.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// hold holds the mean and the variance of a function of draws to the truth.
func (s sink) hold(
	t *testing.T, name string, of func(x []float64) float64, mean, variance float64,
) {
	t.Helper()
	one, two := make([][]float64, len(s)), make([][]float64, len(s))
	for c, chain := range s {
		for _, x := range chain {
			d := of(x) - mean
			one[c], two[c] = append(one[c], d), append(two[c], d*d-variance)
		}
	}
	for what, chains := range map[string][][]float64{"mean": one, "variance": two} {
		sum, n := 0.0, 0.0
		for _, c := range chains {
			for _, x := range c {
				sum += x
				n++
			}
		}
		mcse := diagnose.MCSEMean(chains)
		if z := sum / n / mcse; !(math.Abs(z) <= 4) {
			t.Errorf("%s: the %s is off by %g, z = %.1f", name, what, sum/n, z)
		}
		if bound := 0.02 * math.Sqrt(variance); what == "mean" && !(math.Abs(sum/n) <= bound) {
			t.Errorf("%s: the mean is off by %g, more than %g", name, sum/n, bound)
		}
	}
}

// file writes data for a model.
func file(t *testing.T, values map[string]any) string {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// moments integrates a log density of one number over (lo, hi).
func moments(log func(u float64) float64, lo, hi float64) (mean, variance float64) {
	const n = 3000
	top := math.Inf(-1)
	for i := range n {
		top = max(top, log(lo+(hi-lo)*(float64(i)+0.5)/n))
	}
	integral := func(f func(u float64) float64) float64 {
		weighted := func(u float64) float64 { return f(u) * math.Exp(log(u)-top) }
		return quad.Fixed(weighted, lo, hi, n, nil, 0)
	}
	mass := integral(func(float64) float64 { return 1 })
	mean = integral(func(u float64) float64 { return u }) / mass
	return mean, integral(func(u float64) float64 { return (u - mean) * (u - mean) }) / mass
}

// entry is an entry of a draw.
func entry(i int) func(x []float64) float64 { return func(x []float64) float64 { return x[i] } }

// TestMeanAndVariance: a normal mean and variance with independent priors, where one of them can be
// integrated out by hand and the other by quadrature.
func TestMeanAndVariance(t *testing.T) {
	y := []float64{1.2, 0.3, 2.5, 1.9, 0.8, 1.1, -0.4}
	m := compiled(t, "m.sg", `dim N
data y[N] : real
param mu : real ~ normal(1, 2)
param v : positive ~ inv_gamma(3, 2)
for n in N { y[n] ~ normal(mu, sqrt(v)) }`, file(t, map[string]any{"y": y}))
	s := drawn(t, m, 4, 15000)
	n, mean := float64(len(y)), 0.0
	for _, x := range y {
		mean += x / n
	}
	squares := func(mu float64) float64 {
		sum := 0.0
		for _, x := range y {
			sum += (x - mu) * (x - mu)
		}
		return sum
	}
	e, v := moments(func(mu float64) float64 {
		return -(mu-1)*(mu-1)/8 - (3+n/2)*math.Log(2+squares(mu)/2)
	}, -6, 8)
	s.hold(t, "mu", entry(0), e, v)
	e, v = moments(func(l float64) float64 { // of log v
		v := math.Exp(l)
		w := 4 + v/n // the variance of the mean
		return -(3+(n-1)/2)*l - (2+squares(mean)/2)/v - 0.5*math.Log(w) - (mean-1)*(mean-1)/(2*w)
	}, -5, 6)
	s.hold(t, "log v", func(x []float64) float64 { return math.Log(x[1]) }, e, v)
}

// TestRegression: with coefficients that are normal given the variance, all is known in closed
// form.
func TestRegression(t *testing.T) {
	x := [][]float64{{1, 0.2}, {1, -1}, {1, 1.4}, {1, 0.7}, {1, -0.3}, {1, 2}}
	y := []float64{0.7, -1.2, 2.9, 1.4, -0.1, 3.2}
	m := compiled(t, "m.sg", `dim N, P
data x[N, P] : real
data y[N] : real
param v : positive ~ inv_gamma(4, 3)
param w[P] : real ~ normal(0, 2 * sqrt(v))
for n in N { y[n] ~ normal(x[n] @ w, sqrt(v)) }`, file(t, map[string]any{"x": x, "y": y}))
	s := drawn(t, m, 4, 15000)
	// Λ = X'X + I/4, mean = Λ⁻¹X'y; v is inverse gamma of a and b, w a Student t.
	var l [4]float64
	var h [2]float64
	squares := 0.0
	for n, r := range x {
		squares += y[n] * y[n]
		for i := range r {
			h[i] += r[i] * y[n]
			for j := range r {
				l[2*i+j] += r[i] * r[j]
			}
		}
	}
	l[0], l[3] = l[0]+0.25, l[3]+0.25
	det := l[0]*l[3] - l[1]*l[2]
	mean := [2]float64{(l[3]*h[0] - l[1]*h[1]) / det, (l[0]*h[1] - l[2]*h[0]) / det}
	a := 4 + float64(len(y))/2
	b := 3 + (squares-mean[0]*h[0]-mean[1]*h[1])/2
	s.hold(t, "v", entry(0), b/(a-1), b*b/((a-1)*(a-1)*(a-2)))
	s.hold(t, "w[0]", entry(1), mean[0], b/(a-1)*l[3]/det)
	s.hold(t, "w[1]", entry(2), mean[1], b/(a-1)*l[0]/det)
}

// TestHierarchy: eight schools with an inverse gamma variance. Given the variance all is normal,
// and it is integrated over by quadrature.
func TestHierarchy(t *testing.T) {
	y := []float64{28, 8, -3, 7, -1, 1, 18, 12}
	sd := []float64{15, 10, 16, 11, 9, 11, 10, 18}
	m := compiled(t, "m.sg", `dim J
data y[J] : real
data sd[J] : positive
param mu : real ~ normal(0, 10)
param v : positive ~ inv_gamma(3, 60)
param theta[J] : real ~ normal(mu, sqrt(v))
for j in J { y[j] ~ normal(theta[j], sd[j]) }`, file(t, map[string]any{"y": y, "sd": sd}))
	s := drawn(t, m, 4, 12000)
	given := func(v float64) (log, mean, variance float64) { // of mu, and the evidence
		precision, h := 0.01, 0.0
		for j := range y {
			w := 1 / (v + sd[j]*sd[j])
			precision += w
			h += w * y[j]
			log += 0.5*math.Log(w) - 0.5*w*y[j]*y[j]
		}
		mean, variance = h/precision, 1/precision
		return log - 0.5*math.Log(precision) + 0.5*h*mean, mean, variance
	}
	prior := func(l float64) float64 { return -3*l - 60*math.Exp(-l) }
	weight := func(l float64) float64 { f, _, _ := given(math.Exp(l)); return f + prior(l) }
	e, v := moments(weight, 0.5, 12)
	s.hold(t, "log v", func(x []float64) float64 { return math.Log(x[1]) }, e, v)
	const n = 3000
	var mass, one, two, first float64
	for i := range n {
		l := 0.5 + 11.5*(float64(i)+0.5)/n
		w := math.Exp(weight(l) - weight(e))
		_, mean, variance := given(math.Exp(l))
		shrink := math.Exp(l) / (math.Exp(l) + sd[0]*sd[0])
		mass += w
		one += w * mean
		two += w * (variance + mean*mean)
		first += w * (shrink*y[0] + (1-shrink)*mean)
	}
	mean := one / mass
	s.hold(t, "mu", entry(0), mean, two/mass-mean*mean)
	sum, count := 0.0, 0.0
	for _, c := range s {
		for _, x := range c {
			sum += x[2]
			count++
		}
	}
	if d := sum/count - first/mass; !(math.Abs(d) < 0.15) {
		t.Errorf("theta[0]: the mean is %g off", d)
	}
}

// TestRates: counts with gamma rates and a rate of these that is gamma too. Given that, the rates
// are gamma, and counts negative binomial.
func TestRates(t *testing.T) {
	y := []float64{3, 0, 7, 2, 11}
	m := compiled(t, "m.sg", `dim N
data y[N] : count
param beta : positive ~ gamma(2, 1)
param lambda[N] : positive ~ gamma(1.5, beta)
for n in N { y[n] ~ poisson(lambda[n]) }`, file(t, map[string]any{"y": y}))
	s := drawn(t, m, 4, 15000)
	log := func(l float64) float64 { // of log beta
		b := math.Exp(l)
		f := 2*l - b
		for _, k := range y {
			f += 1.5*l - (1.5+k)*math.Log(1+b)
		}
		return f
	}
	e, v := moments(log, -8, 4)
	s.hold(t, "log beta", func(x []float64) float64 { return math.Log(x[0]) }, e, v)
	var mass, one, two float64
	const n = 3000
	for i := range n {
		l := -8 + 12*(float64(i)+0.5)/n
		w, mean := math.Exp(log(l)-log(e)), 8.5/(1+math.Exp(l))
		mass += w
		one += w * mean
		two += w * (mean/(1+math.Exp(l)) + mean*mean)
	}
	mean := one / mass
	s.hold(t, "lambda[2]", entry(3), mean, two/mass-mean*mean)
}

// TestMixture: two normals of known spread, with a local that says which a row is of. The truth is
// a sum over all assignments, and the priors keep the labels.
func TestMixture(t *testing.T) {
	y := []float64{-2.4, -1.1, 0.3, 1.9, 2.8, -1.7}
	m := compiled(t, "m.sg", `dim N
data y[N] : real
param p : unit ~ beta(2, 3)
param a : real ~ normal(-2, 1)
param b : real ~ normal(2, 1)
for n in N {
  local z : bool ~ bernoulli(p)
  y[n] ~ normal(if z then b else a, 1)
}`, file(t, map[string]any{"y": y}))
	s := drawn(t, m, 4, 30000)
	var mass float64
	var one, two [2]float64
	for bits := range 1 << len(y) {
		var n, sum [2]float64
		log := 0.0
		for i, x := range y {
			k := bits >> i & 1
			n[k]++
			sum[k] += x
			log -= 0.5 * x * x
		}
		var mean, variance [2]float64
		for k, m := range [2]float64{-2, 2} {
			precision, h := n[k]+1, sum[k]+m
			mean[k], variance[k] = h/precision, 1/precision
			log += 0.5*h*mean[k] - 0.5*math.Log(precision)
		}
		l1, _ := math.Lgamma(2 + n[1])
		l0, _ := math.Lgamma(3 + n[0])
		w := math.Exp(log + l1 + l0)
		mass += w
		p := (2 + n[1]) / (5 + float64(len(y)))
		one[0] += w * p
		two[0] += w * p * (3 + n[1]) / (6 + float64(len(y)))
		one[1] += w * mean[0]
		two[1] += w * (variance[0] + mean[0]*mean[0])
	}
	for i, name := range []string{"p", "a"} {
		mean := one[i] / mass
		s.hold(t, name, entry(i), mean, two[i]/mass-mean*mean)
	}
}

// TestTopics: a corpus of three documents, whose truth is a sum over all topics of its words. The
// topics may change places, so what is compared is the same for all orders.
func TestTopics(t *testing.T) {
	docs := [][]int{{0, 1, 1}, {2, 0}, {2, 2, 1, 0}}
	const k, v, alpha, beta = 2, 3, 0.7, 0.5
	m := compiled(t, "m.sg", topicModel, file(t, map[string]any{"V": v, "w": docs}))
	if law := m.Conditionals()[0].Law + m.Conditionals()[1].Law; !strings.Contains(string(law),
		string(target.TopicsLaw)) {
		t.Fatalf("no topic model is recognised: %s", law)
	}
	s := drawn(t, m, 4, 20000)
	lgamma := func(x float64) float64 { f, _ := math.Lgamma(x); return f }
	words := 0
	for _, d := range docs {
		words += len(d)
	}
	// same is Σ_k φ[k, 0] φ[k, 1], and most Σ_k φ[k, 2]².
	var mass float64
	var same, most [2]float64
	for bits := range 1 << words {
		var m [k][v]float64
		log, i := 0.0, 0
		for _, d := range docs {
			var n [k]float64
			for _, w := range d {
				z := bits >> i & 1
				i++
				n[z]++
				m[z][w]++
			}
			for _, x := range n {
				log += lgamma(alpha + x)
			}
		}
		// rising is a power of φ[z, ·] given the counts: E Π φ[w]^e.
		rising := func(z int, e [v]float64) float64 {
			f, all, sum := 0.0, 0.0, 0.0
			for w := range v {
				a := beta + m[z][w]
				f += lgamma(a+e[w]) - lgamma(a)
				all, sum = all+a, sum+e[w]
			}
			return math.Exp(f - lgamma(all+sum) + lgamma(all))
		}
		for z := range k {
			all := 0.0
			for w := range v {
				log += lgamma(beta + m[z][w])
				all += beta + m[z][w]
			}
			log -= lgamma(all)
		}
		weight := math.Exp(log)
		mass += weight
		for j, e := range [][v]float64{{1, 1, 0}, {0, 0, 2}} {
			to := &same
			if j == 1 {
				to = &most
			}
			double := e
			for w := range double {
				double[w] *= 2
			}
			a, b := rising(0, e), rising(1, e)
			to[0] += weight * (a + b)
			to[1] += weight * (rising(0, double) + rising(1, double) + 2*a*b)
		}
	}
	of := func(f func(phi []float64) float64) func(x []float64) float64 {
		return func(x []float64) float64 { return f(x[:v]) + f(x[v:]) }
	}
	mean := same[0] / mass
	s.hold(t, "same", of(func(p []float64) float64 { return p[0] * p[1] }), mean,
		same[1]/mass-mean*mean)
	mean = most[0] / mass
	s.hold(t, "most", of(func(p []float64) float64 { return p[2] * p[2] }), mean,
		most[1]/mass-mean*mean)
}
