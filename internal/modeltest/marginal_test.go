package modeltest

// Discrete unknowns that are summed out.
func init() {
	for name, text := range map[string]string{
		"a latent class of a row": `
dim N, K
data y[N] : real
param pi : simplex[K] ~ dirichlet(1)
param mu[K] : real ~ normal(0, 1)
for n in N {
  local z : index[K] ~ categorical(pi)
  y[n] ~ normal(mu[z], 1 + z)
}`,
		"presence of what is seen several times": `
dim N, T
data y[N, T] : bool
param omega, p : unit
for i in N {
  local here : bool ~ bernoulli(omega) by marginal
  for t in T { y[i, t] ~ bernoulli(if here then p else 0.01) }
}`,
		"two latent values of one row": `
dim N, K
data y[N], x[N] : real
param pi : simplex[K] ~ dirichlet(1)
param A[K] : simplex[3] ~ dirichlet(1)
param mu[3], b[K] : real ~ normal(0, 1)
for n in N {
  local a : index[K] ~ categorical(pi)
  local c : index[3] ~ categorical(A[a])
  y[n] ~ normal(mu[c] + b[a] * x[n], 1)
  x[n] ~ normal(b[a], 2)
}`,
		"latent values within latent values": `
dim D, W, V, K
data w[D, W] : index[V]
param theta[D] : simplex[K] ~ dirichlet(1)
param phi[K] : simplex[V] ~ dirichlet(1)
param q : unit
for d in D {
  local odd : bool ~ bernoulli(q)
  for i in W {
    local z : index[K] ~ categorical(theta[d])
    w[d, i] ~ categorical(if odd then 1 / V + 0 * phi[z] else phi[z])
  }
}`,
		"a discrete param": `
dim N, K
data y[N] : real
param k : index[K] ~ categorical(ones(K) / K) by marginal
param a, b : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b * k, 1) }`,
		"the law of a latent value as a statement": `
dim N
data y[N] : real
param p : unit
param a, b : real ~ normal(0, 1)
for n in N {
  local z : bool by marginal
  z ~ bernoulli(p)
  y[n] ~ normal(if z then a else b, 1)
}`,
	} {
		tricky[name] = text
	}
}
