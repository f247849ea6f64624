package main

import (
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/data"
)

// A bench is a model with data made for it.
type bench struct {
	name  string
	model string
	make  func() map[string]*data.Value
	dims  map[string]int // that the data do not say
}

// cases are the posteriors of the bench, in the order of docs/tall-data.md.
func cases() []bench {
	out := []bench{
		{"logistic-1e4", regression("bool", "bernoulli_logit(x[n] @ w)"), func() map[string]*data.Value { return simulated(1e4, 20, 1, bernoulli) }, nil},
		{"logistic-1e5", regression("bool", "bernoulli_logit(x[n] @ w)"), func() map[string]*data.Value { return simulated(1e5, 20, 1, bernoulli) }, nil},
		{"logistic-1e6", regression("bool", "bernoulli_logit(x[n] @ w)"), func() map[string]*data.Value { return simulated(1e6, 20, 1, bernoulli) }, nil},
		{"poisson", regression("count", "poisson_log(x[n] @ w)"), func() map[string]*data.Value { return simulated(1e5, 10, 2, counts) }, nil},
		{"student", `dim N, P
data x[N, P], y[N] : real
param w[P] : real ~ normal(0, 5)
param s : positive ~ exponential(1)
for n in N { y[n] ~ student_t(4, x[n] @ w, s) }`, func() map[string]*data.Value { return simulated(1e5, 10, 3, heavy) }, nil},
		{"probit", `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P] : real ~ normal(0, 5)
for n in N { y[n] ~ bernoulli(normal.cdf(x[n] @ w, 0, 1)) }`, probit, nil},
		{"negbin", `dim N, P
data x[N, P] : real
data y[N] : count
param w[P] : real ~ normal(0, 5)
param r : positive ~ exponential(1)
for n in N { y[n] ~ neg_binomial_2(exp(x[n] @ w), r) }`, func() map[string]*data.Value { return simulated(1e5, 9, 4, overdispersed) }, nil},
		{"simplex", `dim N, K
data y[N] : index[K]
param p : simplex[K] ~ dirichlet(1)
for n in N { y[n] ~ categorical(p) }`, classes, map[string]int{"K": 20}},
		{"multinomial", `dim N, P, K
data x[N, P] : real
data y[N] : index[K]
param w[K - 1, P] : real ~ normal(0, 5)
for n in N { y[n] ~ categorical_logit(concat([0], w @ x[n])) }`, multinomial, map[string]int{"K": 4}},
		{"intercepts-0.1", varying, func() map[string]*data.Value { return groups(1e5, 200, 0.1) }, map[string]int{"J": 200}},
		{"intercepts-0.02", varying, func() map[string]*data.Value { return groups(1e5, 200, 0.02) }, map[string]int{"J": 200}},
		{"mixture-1e2", twoModes, func() map[string]*data.Value { return modes(100) }, nil},
		{"mixture-1e3", twoModes, func() map[string]*data.Value { return modes(1000) }, nil},
		{"mixture-1e5", twoModes, func() map[string]*data.Value { return modes(1e5) }, nil},
	}
	return out
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
func simulated(n, d int, seed uint64, law func(r *rand.Rand, eta float64) float64) map[string]*data.Value {
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
	return map[string]*data.Value{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// probit has correlated and skewed columns, and a binary one with 2e-4 ones.
func probit() map[string]*data.Value {
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
	return map[string]*data.Value{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// classes are 20, the last of a few counts.
func classes() map[string]*data.Value {
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
	return map[string]*data.Value{"y": {Shape: []int{n}, F64: y, Canonical: true}}
}

// multinomial has four classes, one of them rare.
func multinomial() map[string]*data.Value {
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
	return map[string]*data.Value{"x": data.Dense(x, n, d), "y": {Shape: []int{n}, F64: y, Canonical: true}}
}

func groups(n, j int, tau float64) map[string]*data.Value {
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
	return map[string]*data.Value{"g": {Shape: []int{n}, F64: g, Canonical: true}, "y": data.Dense(y, n)}
}

// modes are of Welling and Teh (2011), section 5.1.
func modes(n int) map[string]*data.Value {
	r := rand.New(rand.NewPCG(10, 7))
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sqrt2 * r.NormFloat64()
		if r.Float64() < 0.5 {
			y[i]++
		}
	}
	return map[string]*data.Value{"y": data.Dense(y, n)}
}
