package main

import (
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// values are the data of a model.
type values = map[string]*data.Value

// A bench is a model with data made for it, or data of files.
type bench struct {
	name  string
	model string
	make  func() (values, error)
	dims  map[string]int // that the data do not say
	files func() ([]string, error)

	// The truth: importance draws, or draws of each of four chains of nuts; on other data
	// that have the same posterior, where small is there.
	weights, nuts int
	small         *cells

	nutsWanted bool    // full passes are what is right
	either     bool    // full passes are right too
	per        float64 // effective draws for 10⁶ rows of the design's prototype; 0: it has none
	fresh      bool    // no constant was chosen by it
	surrogate  []int   // --rows of surrogates that are run: 0 for the default, −1 for none
	seeds      int     // at least so many where there are several; 0: as many as asked for

	// A control changes what the rule says.
	settings func(*tall.Settings)
	change   func(*tall.Setup)
}

// cells are the same posterior from data that are counts.
type cells struct {
	model string
	make  func() (values, error)
}

// simple makes data that cannot fail.
func simple(of func() values) func() (values, error) {
	return func() (values, error) { return of(), nil }
}

// cases are the posteriors of the bench, the cheap ones first.
func cases() []bench {
	logit := regression("bool", "bernoulli_logit(x[n] @ w)")
	student := `dim N, P
data x[N, P], y[N] : real
param w[P] : real ~ normal(0, 5)
param s : positive ~ exponential(1)
for n in N { y[n] ~ student_t(4, x[n] @ w, s) }`
	dense := func(n, d int, seed uint64, law func(*rand.Rand, float64) float64) func() (values,
		error) {
		return simple(func() values { return simulated(n, d, seed, law) })
	}
	out := []bench{
		{name: "logistic-1e4", model: logit, make: dense(1e4, 20, 1, bernoulli), weights: 20000,
			per: 908},
		{name: "skin", model: sparseLogit, make: skin, weights: 2000, per: 7911},
		{name: "logistic-1e5", model: logit, make: dense(1e5, 20, 1, bernoulli), weights: 2000,
			per: 997},
		{name: "poisson", model: regression("count", "poisson_log(x[n] @ w)"),
			make: dense(1e5, 10, 2, counts), weights: 2000, per: 2533},
		{name: "student", model: student, make: dense(1e5, 10, 3, heavy), weights: 2000, per: 1459},
		{name: "ijcnn1", model: sparseLogit, files: libsvm("tall", "ijcnn1.gz"), weights: 8000,
			per: 501, surrogate: []int{-1, 0, 8000}},
		{name: "negbin", model: `dim N, P
data x[N, P] : real
data y[N] : count
param w[P] : real ~ normal(0, 5)
param r : positive ~ exponential(1)
for n in N { y[n] ~ neg_binomial_2(exp(x[n] @ w), r) }`, make: dense(1e5, 9, 4, overdispersed),
			weights: 2000, per: 1217},
		{name: "multinomial", model: `dim N, P, K
data x[N, P] : real
data y[N] : index[K]
param w[K - 1, P] : real ~ normal(0, 5)
for n in N { y[n] ~ categorical_logit(concat([0], w @ x[n])) }`, make: simple(multinomial),
			dims: map[string]int{"K": 4}, weights: 2000, per: 1209},
		{name: "simplex", model: `dim N, K
data y[N] : index[K]
param p : simplex[K] ~ dirichlet(1)
for n in N { y[n] ~ categorical(p) }`, make: simple(classes), dims: map[string]int{"K": 20},
			nutsWanted: true},
		{name: "simplex-by-rows", model: `dim N, K
data y[N] : index[K], e[N] : real
param p : simplex[K] ~ dirichlet(1)
for n in N { factor log(p[y[n]] + e[n]) }`, make: simple(classesByRows),
			dims: map[string]int{"K": 20}, small: &cells{`dim N, K
data y[N] : index[K]
param p : simplex[K] ~ dirichlet(1)
for n in N { y[n] ~ categorical(p) }`, simple(classes)}, nuts: 10000, per: 2224},
		{name: "probit", model: `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P] : real ~ normal(0, 5)
for n in N { y[n] ~ bernoulli(normal.cdf(x[n] @ w, 0, 1)) }`, make: simple(probit), weights: 2000,
			per: 1443},
		{name: "mixture-1e2", model: twoModes, make: simple(func() values { return modes(100) }),
			nutsWanted: true, seeds: 10},
		{name: "mixture-2.5e3", model: twoModes, make: simple(func() values { return modes(2500) }),
			nutsWanted: true, seeds: 10},
		{name: "mixture-1e4", model: twoModes, make: simple(func() values { return modes(1e4) }),
			nutsWanted: true, seeds: 10},
		{name: "mixture-1e5", model: twoModes, make: simple(func() values { return modes(1e5) }),
			nutsWanted: true, seeds: 10},
		{name: "network", model: network, make: simple(networkData), dims: map[string]int{"H": 20},
			nutsWanted: true},
		{name: "linear-1e4", model: linearGaussian,
			make: simple(func() values { return linearData(1e4) }), nutsWanted: true},
		{name: "linear-1e6", model: linearGaussian,
			make: simple(func() values { return linearData(1e6) }), nutsWanted: true},
	}
	out = append(out, newCases()...)
	out = append(out, curvedCases()...)
	varied := func(name string, tau float64) bench {
		return bench{name: name, model: varying,
			make: simple(func() values { return groups(1e5, 200, tau) }),
			dims: map[string]int{"J": 200},
			small: &cells{varyingCells,
				simple(func() values { return groupSums(groups(1e5, 200, tau), 200) })},
			nuts: 20000}
	}
	mild, funnel := varied("intercepts-0.1", 0.1), varied("intercepts-0.02", 0.02)
	mild.either, funnel.nutsWanted = true, true
	out = append(out,
		bench{name: "a9a", model: sparseLogit, files: libsvm("a9a", "a9a.gz"), nuts: 400, per: 47,
			surrogate: []int{8000}},
		mild, funnel,
		bench{name: "logistic-1e6", model: logit, make: dense(1e6, 20, 1, bernoulli), weights: 1000,
			per: 924},
		bench{name: "hierarchy", model: hierarchical,
			make: simple(func() values { return unequal(1e6, 1000) }),
			dims: map[string]int{"J": 1000},
			small: &cells{hierarchicalCells,
				simple(func() values { return cellsOf(unequal(1e6, 1000)) })}, nuts: 2500,
			per: 10.7},
	)
	return append(out, controls(out)...)
}

// controls are cases in which one thing of the rule is changed.
func controls(of []bench) (out []bench) {
	control := func(from, name string, change func(*bench)) {
		for _, b := range of {
			if b.name == from {
				b.name, b.per = name, 0
				change(&b)
				out = append(out, b)
				return
			}
		}
	}
	control("logistic-1e5", "logistic-1e5, rows drawn evenly",
		func(b *bench) { b.settings = func(s *tall.Settings) { s.Even, s.Anyway = true, true } })
	out = append(out, bench{name: "logistic-1e7, rows drawn evenly",
		model: regression("bool", "bernoulli_logit(x[n] @ w)"),
		make:  simple(func() values { return simulated(1e7, 20, 1, bernoulli) }), weights: 500,
		per:      414,
		settings: func(s *tall.Settings) { s.Even, s.Anyway = true, true }})
	control("poisson", "poisson, rows drawn evenly",
		func(b *bench) { b.settings = func(s *tall.Settings) { s.Even, s.Anyway = true, true } })
	control("logistic-1e5", "logistic-1e5, share 0.2",
		func(b *bench) { b.settings = func(s *tall.Settings) { s.Share = 0.2 } })
	control("logistic-1e5", "logistic-1e5, noise without growth",
		func(b *bench) { b.change = constantNoise })
	control("a9a", "a9a, noise without growth", func(b *bench) { b.change = constantNoise })
	return out
}

// constantNoise has the same noise taken out everywhere: that of the mean over states.
func constantNoise(s *tall.Setup) {
	v := s.Noise()
	if v.Matrix != nil {
		d := float64(len(v.Diag))
		for i := range v.Diag {
			v.Matrix[i*len(v.Diag)+i] += v.Radial * v.Square / d
		}
	}
	v.Square, v.Radial, v.Own = 0, 0, 0
}

func regression(kind, law string) string {
	return `dim N, P
data x[N, P] : real
data y[N] : ` + kind + `
param w[P] : real ~ normal(0, 5)
for n in N { y[n] ~ ` + law + ` }`
}

const varying = `dim N, J
data g[N] : index[J]
data y[N] : real
param m : real ~ normal(0, 5)
param tau, s : positive ~ exponential(1)
param a[J] : real ~ normal(m, tau)
track log_tau = log(tau)
for n in N { y[n] ~ normal(a[g[n]], s) }`

const twoModes = `dim N
data y[N] : real
param a : real ~ normal(0, sqrt(10))
param b : real ~ normal(0, 1)
for n in N { factor log_sum_exp([normal.logpdf(y[n], a, sqrt(2)), normal.logpdf(y[n], a + b, sqrt(2))]) }`

func bernoulli(r *rand.Rand, eta float64) float64 {
	if r.Float64() < 1/(1+math.Exp(-eta)) {
		return 1
	}
	return 0
}

func counts(r *rand.Rand, eta float64) float64 {
	return poisson(r, math.Exp(math.Min(eta, 5)))
}

func poisson(r *rand.Rand, rate float64) float64 {
	if rate > 30 {
		return math.Max(0, math.Round(rate+math.Sqrt(rate)*r.NormFloat64()))
	}
	limit, p, k := math.Exp(-rate), r.Float64(), 0.0
	for p > limit {
		p *= r.Float64()
		k++
	}
	return k
}

func heavy(r *rand.Rand, eta float64) float64 {
	chi := 0.0
	for range 4 {
		u := r.NormFloat64()
		chi += u * u
	}
	return eta + 0.5*r.NormFloat64()/math.Sqrt(chi/4)
}

func overdispersed(r *rand.Rand, eta float64) float64 {
	g := 0.0 // gamma of shape 2
	for range 2 {
		g += r.ExpFloat64()
	}
	return poisson(r, math.Exp(math.Min(eta, 4))*g/2)
}

// simulated is a regression with an intercept and covariates, a third of them skewed.
func simulated(n, d int, seed uint64, law func(r *rand.Rand, eta float64) float64) values {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y, w := make([]float64, n*d), make([]float64, n), make([]float64, d)
	for j := range w {
		w[j] = 0.3 * r.NormFloat64()
	}
	for i := range y {
		eta := 0.0
		for j := range d {
			v := 1.0
			if j > 0 {
				if v = r.NormFloat64(); j%3 == 0 {
					v = math.Exp(v) - 1.6
				}
			}
			x[i*d+j] = v
			eta += v * w[j]
		}
		y[i] = law(r, eta)
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// probit has correlated and skewed columns, and a binary one with 2e-4 ones.
func probit() values {
	const n, d = 200000, 15
	r := rand.New(rand.NewPCG(5, 7))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		common, eta := r.NormFloat64(), 0.0
		for j := range d {
			v := 0.0
			switch {
			case j == 0:
				v = 1
			case j == d-1:
				if r.Float64() < 2e-4 {
					v = 1
				}
			default:
				v = 0.6*common + 0.8*r.NormFloat64()
				if j%4 == 0 {
					v = math.Exp(v) - 1.6
				}
			}
			x[i*d+j] = v
			eta += v * (0.3 - 0.05*float64(j%7))
		}
		if r.NormFloat64() < eta {
			y[i] = 1
		}
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// classes are 20, the last of a few counts.
func classes() values {
	const n, k = 100000, 20
	r := rand.New(rand.NewPCG(6, 7))
	p, sum := make([]float64, k), 0.0
	for i := range p {
		p[i] = math.Exp(-float64(i) * 9.5 / (k - 1))
		sum += p[i]
	}
	y := make([]float64, n)
	for i := range y {
		u, c := r.Float64()*sum, 0
		for u > p[c] && c < k-1 {
			u -= p[c]
			c++
		}
		y[i] = float64(c)
	}
	for c := range k { // every class is there
		y[c] = float64(c)
	}
	return values{"y": {Shape: []int{n}, F64: y, Canonical: true}}
}

// multinomial has four classes, one of them rare.
func multinomial() values {
	const n, d, k = 100000, 8, 4
	r := rand.New(rand.NewPCG(8, 7))
	w := make([]float64, k*d)
	for i := range w {
		w[i] = 0.5 * r.NormFloat64()
	}
	w[3*d] = -5
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		best, at := math.Inf(-1), 0
		for j := range d {
			x[i*d+j] = 1
			if j > 0 {
				x[i*d+j] = r.NormFloat64()
			}
		}
		for c := range k {
			eta := -math.Log(r.ExpFloat64())
			if c > 0 {
				for j := range d {
					eta += w[c*d+j] * x[i*d+j]
				}
			}
			if eta > best {
				best, at = eta, c
			}
		}
		y[i] = float64(at)
	}
	return values{"x": data.Dense(x, n, d), "y": {Shape: []int{n}, F64: y, Canonical: true}}
}

func groups(n, j int, tau float64) values {
	r := rand.New(rand.NewPCG(9, 7))
	a := make([]float64, j)
	for i := range a {
		a[i] = 0.5 + tau*r.NormFloat64()
	}
	g, y := make([]float64, n), make([]float64, n)
	for i := range y {
		k := i % j
		if i >= j {
			u := r.Float64()
			k = int(float64(j) * u * u)
		}
		g[i], y[i] = float64(k), a[k]+r.NormFloat64()
	}
	return values{"g": {Shape: []int{n}, F64: g, Canonical: true}, "y": data.Dense(y, n)}
}

// modes are of Welling and Teh (2011), section 5.1.
func modes(n int) values {
	r := rand.New(rand.NewPCG(10, 7))
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sqrt2 * r.NormFloat64()
		if r.Float64() < 0.5 {
			y[i]++
		}
	}
	return values{"y": data.Dense(y, n)}
}
