package latent_test

import "github.com/sgppl/sgppl/runtime/engine/data"

// Bits whose terms cost much and share sums.
func init() {
	localCases = append(localCases,
		localCase{name: "bits of two terms with one predictor", text: `
dim N, A = 2, B = 2
data y[N] : bool
data x[N] : real
param w[A, B], c[A, B] : real ~ normal(0, 1)
for n in N {
  local h[A, B] : bool ~ bernoulli_logit(c) by gibbs
  let s = sum(h[a, b] * w[a, b] for a in A, b in B)
  y[n] ~ bernoulli_logit(s)
  x[n] ~ normal(s, 0.7)
  factor sum(h[0, b] * h[1, b] * w[0, b] for b in B)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 0}, 2),
			"x": data.Dense([]float64{-0.5, 1.5}, 2)}, values: map[string]int{"h": 2}},
		// Starts at random are impossible in these: a sum is 0 under a logarithm.
		localCase{name: "bits of counts without a background", text: `
dim N, V = 3, K = 3
data y[N, V] : count
data m[K, V] : real
param w[K], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ poisson((h * exp(w)) @ m)
}`, data: map[string]*data.Value{"y": data.Dense([]float64{2, 3, 0, 0, 2, 1}, 2, 3),
			"m": data.Dense([]float64{1, 0, 0, 0, 1, 0, 0, 0.5, 1}, 3, 3)}, values: map[string]int{"h": 2}},
		localCase{name: "bits that hold a probability off 0", text: `
dim N, K = 3
data y[N] : bool
param w[K], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ bernoulli(1 - exp(-(h @ exp(w))))
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 0, 1}, 3)},
			values: map[string]int{"h": 2}},
		localCase{name: "bits that hold several probabilities off 0", text: `
dim N, V = 3, K = 3
data y[N, V] : bool
data m[K, V] : real
param w[K], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ bernoulli(1 - exp(-((h * exp(w)) @ m)))
}`, data: map[string]*data.Value{"y": data.Dense([]float64{1, 1, 0, 1, 0, 1}, 2, 3),
			"m": data.Dense([]float64{1, 0, 0, 0, 1, 0, 0, 0.5, 1}, 3, 3)}, values: map[string]int{"h": 2}},
	)
}
