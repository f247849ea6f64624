package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// newCases are models and data that no constant of the planner was chosen by.
func newCases() []bench {
	return []bench{
		{name: "ordinal", fresh: true, weights: 2000, make: simple(ordinal), dims: map[string]int{"K": 5},
			model: `dim N, P, K
data x[N, P] : real
data y[N] : index[K]
param w[P] : real ~ normal(0, 5)
param c : ordered[K - 1] ~ normal(0, 5)
for n in N { y[n] ~ ordered_logistic(x[n] @ w, c) }`},
		{name: "gamma", fresh: true, weights: 2000, make: simple(gammas), model: `dim N, P
data x[N, P] : real
data y[N] : positive
param w[P] : real ~ normal(0, 5)
param k : positive ~ exponential(1)
for n in N { y[n] ~ gamma(k, k * exp(-x[n] @ w)) }`},
		{name: "weibull", fresh: true, weights: 2000, make: simple(survival), model: `dim N, P
data x[N, P] : real
data t[N] : positive
data died[N] : bool
param w[P] : real ~ normal(0, 5)
param k : positive ~ exponential(1)
for n in N {
  let z = k * (log(t[n]) - x[n] @ w)
  factor (if died[n] then log(k) + z - log(t[n]) else 0) - exp(z)
}`},
		{name: "robust", fresh: true, weights: 2000, make: simple(robust), model: `dim N, P
data x[N, P], y[N] : real
param w[P] : real ~ student_t(2, 0, 0.05)
param s : positive ~ exponential(1)
for n in N { y[n] ~ student_t(3, x[n] @ w, s) }`},
		{name: "inflated", fresh: true, either: true, weights: 2000, make: simple(inflated),
			model: `dim N, P
data x[N, P] : real
data y[N] : count
param w[P], v[P] : real ~ normal(0, 5)
for n in N {
  let q = x[n] @ v
  let l = x[n] @ w
  factor if y[n] == 0 then log_sum_exp([q, -exp(l)]) - log1p_exp(q) else poisson_log.logpdf(y[n], l) - log1p_exp(q)
}`},
		{name: "saturating", fresh: true, weights: 2000, make: simple(saturating), model: `dim N
data x[N] : positive
data y[N] : real
param top, half, s : positive ~ exponential(1)
for n in N { y[n] ~ normal(top * x[n] / (half + x[n]), s * (0.2 + x[n])) }`},
		{name: "crossed", fresh: true, either: true, nuts: 10000,
			make: simple(func() values { return crossed(2e5, 60, 30) }),
			dims: map[string]int{"J": 60, "K": 30},
			small: &cells{crossedCells, simple(func() values {
				return crossedCounts(crossed(2e5, 60,
					30))
			})}, model: `dim N, J, K
data g[N] : index[J]
data h[N] : index[K]
data y[N] : bool
param m : real ~ normal(0, 5)
param tau, rho : positive ~ exponential(1)
param a[J] : real ~ normal(0, tau)
param b[K] : real ~ normal(0, rho)
for n in N { y[n] ~ bernoulli_logit(m + a[g[n]] + b[h[n]]) }`},
	}
}

const crossedCells = `dim C, J, K
data g[C] : index[J]
data h[C] : index[K]
data k[C], t[C] : count
param m : real ~ normal(0, 5)
param tau, rho : positive ~ exponential(1)
param a[J] : real ~ normal(0, tau)
param b[K] : real ~ normal(0, rho)
for c in C { k[c] ~ binomial_logit(t[c], m + a[g[c]] + b[h[c]]) }`

// uniforms are covariates that are neither normal nor shifted exponentials of normals: an
// intercept, uniform ones, and rare spikes.
func uniforms(r *rand.Rand, n, d int) []float64 {
	x := make([]float64, n*d)
	for i := range n {
		x[i*d] = 1
		for j := 1; j < d; j++ {
			switch {
			case j%4 == 0 && r.Float64() < 0.002:
				x[i*d+j] = 3
			case j%4 != 0:
				x[i*d+j] = 2*r.Float64() - 1 + 0.5*x[i*d+j-1]
			}
		}
	}
	return x
}

// regressed makes covariates, and y of each row by a law of its linear predictor.
func regressed(
	n, d int, seed uint64, scale float64, law func(r *rand.Rand, i int, eta float64) float64,
) values {
	r := rand.New(rand.NewPCG(seed, 8))
	x, y, w := uniforms(r, n, d), make([]float64, n), make([]float64, d)
	for j := range w {
		w[j] = scale * r.NormFloat64()
	}
	for i := range y {
		eta := 0.0
		for j := range d {
			eta += x[i*d+j] * w[j]
		}
		y[i] = law(r, i, eta)
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

func ordinal() values {
	cuts := []float64{-2.5, -0.5, 1, 4}
	v := regressed(1e5, 8, 21, 0.7, func(r *rand.Rand, _ int, eta float64) float64 {
		u := r.Float64()
		at, k := eta+math.Log(u/(1-u)), 0.0
		for _, c := range cuts {
			if at > c {
				k++
			}
		}
		return k
	})
	// Cut points and the intercept say the same.
	x := v["x"]
	for i := range x.Shape[0] {
		x.F64[i*x.Shape[1]] = math.Mod(float64(i)*0.618033988749895, 1) - 0.5
	}
	v["y"] = &data.Value{Shape: v["y"].Shape, F64: v["y"].F64, Canonical: true}
	return v
}

func gammas() values {
	return regressed(6e4, 12, 22, 0.5, func(r *rand.Rand, _ int, eta float64) float64 {
		g := 0.0 // of shape 3/2
		u := r.NormFloat64()
		g += u*u/2 + r.ExpFloat64()
		return max(g*math.Exp(eta)/1.5, 1e-300)
	})
}

func survival() values {
	died := make([]float64, 80000)
	v := regressed(80000, 9, 23, 0.4, func(r *rand.Rand, i int, eta float64) float64 {
		t := math.Exp(eta) * math.Pow(r.ExpFloat64(), 1/1.7)
		end := 0.3 + 1.2*r.Float64()
		if t < end {
			died[i] = 1
			return t
		}
		return end
	})
	return values{"x": v["x"], "t": v["y"], "died": data.Dense(died, len(died))}
}

func robust() values {
	return regressed(5e4, 20, 24, 0, func(r *rand.Rand, i int, eta float64) float64 {
		e := r.NormFloat64()
		if r.Float64() < 0.05 {
			e *= 20
		}
		return 0.8 + 0.4*e
	})
}

func inflated() values {
	return regressed(1e5, 6, 25, 0.5, func(r *rand.Rand, _ int, eta float64) float64 {
		if r.Float64() < 0.35 {
			return 0
		}
		return poisson(r, math.Exp(0.5+eta))
	})
}

func saturating() values {
	const n = 150000
	r := rand.New(rand.NewPCG(26, 8))
	x, y := make([]float64, n), make([]float64, n)
	for i := range y {
		x[i] = 0.05 + r.ExpFloat64()
		y[i] = 2.5*x[i]/(0.8+x[i]) + 0.6*(0.2+x[i])*r.NormFloat64()
	}
	return values{"x": data.Dense(x, n), "y": data.Dense(y, n)}
}

func crossed(n, j, k int) values {
	r := rand.New(rand.NewPCG(27, 8))
	a, b := make([]float64, j), make([]float64, k)
	for i := range a {
		a[i] = 0.6 * r.NormFloat64()
	}
	for i := range b {
		b[i] = 0.3 * r.NormFloat64()
	}
	g, h, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		u := r.Float64()
		p, q := int(float64(j)*u*u), r.IntN(k)
		g[i], h[i], y[i] = float64(p), float64(q), bernoulli(r, -1+a[p]+b[q])
	}
	return values{"g": {Shape: []int{n}, F64: g, Canonical: true},
		"h": {Shape: []int{n}, F64: h, Canonical: true}, "y": data.Dense(y, n)}
}

func crossedCounts(v values) values {
	g, h, y := v["g"].F64, v["h"].F64, v["y"].F64
	at := map[string]int{}
	var cg, ch, k, t []float64
	for i := range y {
		key := fmt.Sprint(g[i], h[i])
		c, is := at[key]
		if !is {
			c = len(k)
			at[key] = c
			cg, ch, k, t = append(cg, g[i]), append(ch, h[i]), append(k, 0), append(t, 0)
		}
		k[c], t[c] = k[c]+y[i], t[c]+1
	}
	n := len(k)
	return values{"g": {Shape: []int{n}, F64: cg, Canonical: true},
		"h": {Shape: []int{n}, F64: ch, Canonical: true}, "k": data.Dense(k, n),
		"t": data.Dense(t, n)}
}
