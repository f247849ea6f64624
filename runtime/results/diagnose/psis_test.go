package diagnose

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// looCase is the log likelihood of normal observations under an
// autoregressive series of means: easy for the first, hopeless for the last.
func looCase() (loglik [][][]float64) {
	mu := series(250, 4)
	for _, y := range []float64{0, 0.5, 2, 4, 8, 20} {
		ll := make([][]float64, len(mu))
		for c := range mu {
			for _, m := range mu[c] {
				ll[c] = append(ll[c], -0.5*math.Log(2*math.Pi)-0.5*(y-3*m)*(y-3*m))
			}
		}
		loglik = append(loglik, ll)
	}
	return loglik
}

// The values were computed with the R package loo 2.5.1, functions psis, loo
// and waic, with the relative efficiencies given here.
func TestGoldenPSIS(t *testing.T) {
	reff := []float64{0.9, 0.5, 0.7, 1, 0.3, 0.25}
	want := map[string][]float64{
		"k": {0.339055490870514, 0.390667637484854, 0.668827965755584, 1.1856555389686,
			3.40300111923478, 7.45010523388793},
		"neff": {394.961585194997, 191.32036982042, 34.0681905979319, 15.3703170825485,
			2.70268106428611, 1.45904337815964},
		"elpd": {-1.74084091497632, -1.76570516598889, -5.3456719284829, -14.8664201525088,
			-47.4525882294899, -240.654602196337},
		"p": {0.401017326491068, 0.434618698453495, 3.39549524237116, 9.96791077321367,
			27.0807774825892, 82.9105931592817},
		"max": {-4.21637752197681, -4.26778429150205, -2.76058420723242, -1.99676858792357,
			-2.00663774061606, -1.69750714079021},
		"at 6": {-7.1218503395342, -6.45747574218501, -6.56610364499712, -7.83153919396931,
			-12.3770864500997, -24.9426665254926},
		"k of 40": {0.244334781539648, 0.504995658422663, 0.703700557991159, 1.06783709084418,
			1.82782190076528,
			4.00241171625568},
	}
	var w Workspace
	for i, ll := range looCase() {
		flat, lw := []float64{}, make([]float64, 1000)
		for _, c := range ll {
			for _, x := range c {
				flat = append(flat, -x)
			}
		}
		near(t, "k", w.PSIS(flat, reff[i], lw), want["k"][i], 1e-10)
		top, square := math.Inf(-1), 0.0
		for _, l := range lw {
			top = max(top, l)
			square += math.Exp(2 * l)
		}
		near(t, "largest weight", top, want["max"][i], 1e-10)
		near(t, "a weight", lw[6], want["at 6"][i], 1e-10)
		near(t, "n_eff", reff[i]/square, want["neff"][i], 1e-10)
		for k := range flat {
			flat[k] = -flat[k]
		}
		elpd := logSum(flat, lw)
		near(t, "elpd", elpd, want["elpd"][i], 1e-10)
		near(t, "p", logSum(flat, nil)-math.Log(1000)-elpd, want["p"][i], 1e-10)
		for k := range flat {
			flat[k] = -flat[k]
		}
		near(t, "k of 40", w.PSIS(flat[:40], 1, lw[:40]), want["k of 40"][i], 1e-10)
	}
}

// Sums, their errors and WAIC, by the same package.
func TestGoldenLOOSums(t *testing.T) {
	reff := []float64{0.9, 0.5, 0.7, 1, 0.3, 0.25}
	var w Workspace
	var points, other []LOOPoint
	for i, ll := range looCase() {
		p := w.LOO(ll)
		// loo's relative_eff does not split the chains.
		if want := []float64{0.7057, 0.5551, 0.41, 0.4063, 0.5489,
			0.8264}[i]; math.Abs(p.Reff-want) > 0.1*want {
			t.Errorf("relative efficiency %v, want about %v", p.Reff, want)
		}
		flat, lw := []float64{}, make([]float64, 1000)
		for _, c := range ll {
			for _, x := range c {
				flat = append(flat, -x)
			}
		}
		p.K = w.PSIS(flat, reff[i], lw)
		for k := range flat {
			flat[k] = -flat[k]
		}
		p.ELPD = logSum(flat, lw)
		points = append(points, p)
		p.ELPD += []float64{-0.1, 0.2, 0, -0.3, -0.1, -0.1}[i]
		other = append(other, p)
	}
	s := SumLOO(points, 1000)
	for _, c := range []struct {
		name      string
		got       Estimate
		value, se float64
	}{
		{"elpd_loo", s.ELPD, -311.825828587783, 230.3464243887121},
		{"p_loo", s.P, 124.190412682400, 78.5994672359618},
		{"looic", s.IC, 623.651657175567, 460.6928487774243},
		{"elpd_waic", s.WAIC, -685.453459328201, 554.228249642123},
		{"p_waic", s.PWAIC, 497.818043422818, 401.465065140073},
		{"waic", s.ICW, 1370.906918656402, 1108.456499284246},
		{"difference", DifferenceLOO(other, points), -0.4, 0.4},
	} {
		near(t, c.name, c.got.Value, c.value, 1e-10)
		near(t, c.name+"'s error", c.got.SE, c.se, 1e-10)
	}
	if s.Good != 2 || s.Bad != 1 || s.VeryBad != 3 || s.HighPWAIC != 5 || s.Worst != 5 ||
		!math.IsNaN(s.MCSE) {
		t.Errorf("%+v", s)
	}
	near(t, "threshold", s.Threshold, 1-1/math.Log10(1000), 1e-14)
	near(t, "threshold", KThreshold(1e6), 0.7, 0)
}

// TestLOOConjugate: y_i ~ N(θ, 1) with θ ~ N(0, 4) has a predictive
// distribution of y_i given the others in closed form. Independent draws of
// the posterior give it back within the Monte Carlo error that is stated.
func TestLOOConjugate(t *testing.T) {
	const prior, draws, chains = 4.0, 1000, 4
	y := []float64{0.3, -0.8, 1.9, 0.1, -0.4, 0.7, 2.4, -1.6, 0.2, 0.9}
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	post := func(n, sum float64) (m, v float64) { v = 1 / (n + 1/prior); return v * sum, v }
	m, v := post(float64(len(y)), sum)
	r := rand.New(rand.NewPCG(1, 2))
	theta := make([][]float64, chains)
	for c := range theta {
		for range draws {
			theta[c] = append(theta[c], m+math.Sqrt(v)*r.NormFloat64())
		}
	}
	var w Workspace
	var points []LOOPoint
	exact := 0.0
	for _, obs := range y {
		ll := make([][]float64, chains)
		for c := range ll {
			for _, th := range theta[c] {
				ll[c] = append(ll[c], -0.5*math.Log(2*math.Pi)-0.5*(obs-th)*(obs-th))
			}
		}
		p := w.LOO(ll)
		m, v := post(float64(len(y)-1), sum-obs)
		want := -0.5*math.Log(2*math.Pi*(v+1)) - 0.5*(obs-m)*(obs-m)/(v+1)
		exact += want
		if !(math.Abs(p.ELPD-want) < 4*p.MCSE) || !(p.MCSE < 0.02) || p.K > 0.5 {
			t.Errorf("y = %v: elpd %v ± %v, k %v; want %v", obs, p.ELPD, p.MCSE, p.K, want)
		}
		if math.Abs(p.WAIC-want) > 0.05 {
			t.Errorf("y = %v: WAIC %v, want about %v", obs, p.WAIC, want)
		}
		points = append(points, p)
	}
	if s := SumLOO(points, draws*chains); !(math.Abs(s.ELPD.Value-exact) < 4*s.MCSE) {
		t.Errorf("elpd %v ± %v, want %v", s.ELPD.Value, s.MCSE, exact)
	}
}

// TestGPDFit: the shape of generalised Pareto quantiles comes back, pulled a
// little towards 1/2.
func TestGPDFit(t *testing.T) {
	for _, k := range []float64{-0.3, 0.2, 0.7, 1.5} {
		x := make([]float64, 4000)
		for i := range x {
			x[i] = gpdQuantile((float64(i)+0.5)/float64(len(x)), k, 2)
		}
		got, sigma := gpdFit(x)
		if math.Abs(got-k) > 0.02 || math.Abs(sigma-2) > 0.05 {
			t.Errorf("k = %v, sigma = %v; want %v and 2", got, sigma, k)
		}
	}
	if x := gpdQuantile(0.5, 0, 3); math.Abs(x-3*math.Ln2) > 1e-15 {
		t.Error(x)
	}
}

// TestPSISEdges: ratios without a tail.
func TestPSISEdges(t *testing.T) {
	var w Workspace
	lw := make([]float64, 30)
	same := make([]float64, 30)
	if k := w.PSIS(same, 1, lw); k != 0 || math.Abs(lw[3]+math.Log(30)) > 1e-15 {
		t.Error("equal ratios:", k, lw[3])
	}
	if k := w.PSIS([]float64{1, 2, 3, 4}, 1, lw[:4]); !math.IsInf(k, 1) {
		t.Error("four draws:", k)
	}
	same[4] = math.Inf(1)
	if k := w.PSIS(same, 1, lw); !math.IsInf(k, 1) {
		t.Error("an infinite ratio:", k)
	}
	p := w.LOO([][]float64{{-1, -2, math.Inf(-1), -1, -3, -2, -1, -4, -1, -2}})
	if !math.IsInf(p.K, 1) || !(math.IsNaN(p.ELPD) || math.IsInf(p.ELPD, -1)) {
		t.Errorf("a likelihood of zero: %+v", p)
	}
	for n := 1; n < 12; n++ { // too few draws for a tail: no k, and no panic
		ll := make([]float64, n)
		for i := range ll {
			ll[i] = -1 - float64(i)/7
		}
		if p := w.LOO([][]float64{ll}); n > 1 && !math.IsInf(p.K, 1) || p.Reff != p.Reff {
			t.Errorf("%d draws: %+v", n, p)
		}
	}
	// A likelihood that is constant up to rounding: of an observation that the model is
	// sure of, and of one that does not depend on the unknowns, summed in another order.
	for name, at := range map[string]func(i int) float64{
		"zero":     func(i int) float64 { return 0 },
		"sure":     func(i int) float64 { return -math.Exp(-40 - float64(i%7)) },
		"smallest": func(i int) float64 { return -float64(i%3) * 5e-324 },
		"rounded":  func(i int) float64 { return -1000 - float64(i%5)*0x1p-43 },
	} {
		ll := [][]float64{make([]float64, 500), make([]float64, 500)}
		for i := range 1000 {
			ll[i/500][i%500] = at(i)
		}
		if p := w.LOO(ll); p.K != 0 || math.Abs(p.ELPD-at(0)) > 0x1p-40 ||
			math.Abs(p.LPD-p.ELPD) > 0x1p-40 || p.MCSE > 1e-12 {
			t.Errorf("%s: a constant likelihood: %+v", name, p)
		}
	}
	// One that varies more than rounding does is fitted.
	ll := make([]float64, 1000)
	for i := range ll {
		ll[i] = -1e-9 * math.Exp(math.Sin(float64(i*i)))
	}
	if p := w.LOO([][]float64{ll}); p.K == 0 || math.IsInf(p.K, 0) {
		t.Errorf("a likelihood that varies little: %+v", p)
	}
	// A tail of ties has nothing to fit.
	for i := range same {
		same[i] = float64(i / 15)
	}
	if k := w.PSIS(same, 1, lw); !math.IsInf(k, 1) {
		t.Error("ties:", k)
	}
}

// TestLargest: as by sorting all, with ties.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 60; n += 7 {
		x := make([]float64, 60)
		all := make([]ratio, len(x))
		for i := range x {
			x[i] = float64(r.IntN(12))
			all[i] = ratio{x[i], i}
		}
		slices.SortFunc(all, ratio.compare)
		if got := largest(nil, x, n); !slices.Equal(got, all[len(all)-n:]) {
			t.Errorf("the %d largest are %v, want %v", n, got, all[len(all)-n:])
		}
	}
}

func BenchmarkLOO(b *testing.B) {
	var w Workspace
	ll := looCase()[1]
	for b.Loop() {
		w.LOO(ll)
	}
}
