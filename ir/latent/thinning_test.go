package latent_test

import (
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Locals whose full conditional is a gamma law, once counts are parted among
// the classes of their rates.
func init() {
	localCases = append(localCases,
		localCase{name: "a gamma rate", text: `
dim N
data y[N] : count
data e[N] : positive
param a, b : real ~ normal(0, 1)
for n in N {
  local rate : positive ~ gamma(exp(a) + 0.5, exp(b)) by gibbs
  y[n] ~ poisson(rate * e[n])
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0, 2, 5}, 3),
			"e": data.Dense([]float64{1, 0.5, 2}, 3)}, span: 14},
		localCase{name: "a gamma rate times that of a class", text: `
dim N, K = 3
data y[N] : count
param w[K], v[K], a : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical_logit(v) by gibbs
  local rate : positive ~ gamma(exp(a) + 1, exp(w[z])) by gibbs
  y[n] ~ poisson(rate * exp(2 * w[z]))
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0, 2, 7}, 3)},
			values: map[string]int{"z": 3}, span: 14},
		localCase{name: "gamma rates of classes in ragged rows", text: `
dim N, T(N), K = 2
data y[N, T] : positive
param w[K] : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical_logit(w) by gibbs
  local rate : positive ~ gamma(2, exp(w[z])) by gibbs
  for t in T { y[n, t] ~ exponential(rate * exp(w[z]) / 2) }
}`, data: map[string]*data.Value{"y": data.Ragged([]float64{0.3, 1, 2, 0.1, 0.2},
			[][]int{{2}, {3, 2}})}, values: map[string]int{"z": 2}, span: 14},
		localCase{name: "a gamma scale of a gamma factor", text: `
dim N, J = 2
data y[N, J] : count
param a[J] : real ~ normal(0, 1)
for n in N {
  local s : positive ~ gamma(2, 1) by gibbs
  local f : positive ~ gamma(1.5, 1)
  y[n] ~ poisson(s * f * exp(a))
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0, 2, 5, 1}, 2, 2)}, span: 12,
			points: 150},
		localCase{name: "gamma rates that classes of entries choose", text: `
dim N, T(N), K = 2
data y[N, T] : count
param a[K] : real ~ normal(0, 1)
for n in N {
  local u[K] : positive ~ gamma(1.5, 1)
  for t in T {
    local z : index[K] ~ categorical_logit(a) by gibbs
    y[n, t] ~ poisson(u[z] * exp(a[z]))
  }
}`, data: map[string]*data.Value{"y": data.Ragged([]float64{0, 3, 5}, [][]int{{2}, {2, 1}})},
			values: map[string]int{"z": 2}, span: 12, points: 150},
		localCase{name: "gamma factors of counts", text: `
dim N, V = 3, K = 2
data y[N, V] : count
param eta[K, V] : real ~ normal(0, 1)
param a[K] : real ~ normal(0, 1)
for n in N {
  local theta[K] : positive ~ gamma(exp(a) + 0.5, 1)
  y[n] ~ poisson(theta @ exp(eta))
}`, data: map[string]*data.Value{"y": data.Dense([]float64{0, 2, 5, 1, 0, 0}, 2, 3)}, span: 12,
			points: 120},
		localCase{name: "gamma factors of bags and their bits", text: `
dim N, V = 3, K = 2
data y[N] : bag[V]
param eta[K, V] : real ~ normal(0, 1)
param a[K], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c)
  local theta[K] : positive ~ gamma(exp(a) + 0.5, 1) by gibbs
  y[n] ~ poisson((theta * h) @ exp(eta))
}`, data: map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 3}, {1, 0, 0}, {0, 0, 0}})},
			values: map[string]int{"h": 2}, span: 12, points: 100},
		localCase{name: "deep factors of bags", text: `
dim N, V = 3, K = 2, L = 2
data y[N] : bag[V]
param eta[K, V] : real ~ normal(0, 1)
param W[K, L], a[K], b[K], c[L] : real ~ normal(0, 1)
for n in N {
  local top[L] : bool ~ bernoulli_logit(c)
  local h[K] : bool ~ bernoulli_logit(W @ top + b)
  local theta[K] : positive ~ gamma(exp(a) + 0.5, 1) by gibbs
  y[n] ~ poisson((theta * h) @ exp(eta))
}`, data: map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 3}, {1, 0, 0}})},
			values: map[string]int{"h": 2, "top": 2}, span: 12, points: 60},
		localCase{name: "log rates of bags that are predictors", text: `
dim N, V = 3
data y[N] : bag[V]
param eta[V], b[V], m : real ~ normal(0, 1)
for n in N {
  local u : real ~ normal(m, 1) by gmc
  y[n] ~ poisson_log(u * eta + b)
}`, data: map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 3}, {1, 0, 0}, {0, 0, 0}})},
			span: 8},
		localCase{name: "log rates of bags that are predictors of bits", text: `
dim N, V = 3, K = 3
data y[N] : bag[V]
param eta[K, V], c[K] : real ~ normal(0, 1)
for n in N {
  local h[K] : bool ~ bernoulli_logit(c) by gibbs
  y[n] ~ poisson_log(h @ eta)
}`, data: map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 3}, {1, 0, 0}, {0, 0, 0}})},
			values: map[string]int{"h": 2}},
		localCase{name: "classes of bags with more variance", text: `
dim N, V = 3, K = 3
data y[N] : bag[V]
param eta[K, V], w[K], a : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical_logit(w) by gibbs
  y[n] ~ neg_binomial_2_log(eta[z], exp(a))
}`, data: map[string]*data.Value{"y": irtest.Bag([][]float64{{0, 2, 3}, {1, 0, 0}, {0, 0, 0}})},
			values: map[string]int{"z": 3}},
	)
}
