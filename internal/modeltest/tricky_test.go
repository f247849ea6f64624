package modeltest

// tricky models, one shape of expression each.
var tricky = map[string]string{
	"index as a number": `
dim N
data y[N] : real
param a, b : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b * n, 1) }`,
	"diagonal of a matrix": `
dim N, K
data y[N] : real
param W[K, K] : real ~ normal(0, 1)
let d = [W[k, k] for k in K]
for n in N { y[n] ~ normal(sum(d) + W[0, 1], 1) }`,
	"lagged rows": `
dim N
data y[N] : real
param a : real ~ normal(0, 1)
for n in 1:N { y[n] ~ normal(a * y[n - 1], 1) }`,
	"two lags and a first row": `
dim N
data y[N] : real
param a, b, m : real ~ normal(0, 1)
y[0] ~ normal(m, 1)
for n in 2:N { y[n] ~ normal(m + a * y[n - 1] + b * y[n - 2], 1) }`,
	"crossed effects": `
dim N, J, K
data j[N] : index[J]
data k[N] : index[K]
data y[N] : bool
param u[J], v[K] : real ~ normal(0, 1)
param w[J, K] : real ~ normal(0, 0.5)
for n in N { y[n] ~ bernoulli_logit(u[j[n]] + v[k[n]] + w[j[n], k[n]]) }`,
	"varying slopes": `
dim N, J, P
data x[N] : real[P]
data j[N] : index[J]
data y[N] : real
param w[J, P] : real ~ normal(0, 1)
param s : positive ~ gamma(2, 1)
for n in N { y[n] ~ normal(x[n] @ w[j[n]], s) }`,
	"a matrix for every row": `
dim N, P, Q
data x[N] : real[P, Q]
data y[N] : real[P]
param w[Q] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ w, 1) }`,
	"batched in the middle": `
dim N, K, P
data x[N] : real[P]
data y[N] : real
param w[K, P], c[K] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(c[k] * tanh(sum((x[n, p] - w[k, p])^2 for p in P)) for k in K), 1) }`,
	"mixture of vectors": `
dim N, K, P
data x[N] : real[P]
param pi : simplex[K] ~ dirichlet(1)
param mu[K, P] : real ~ normal(0, 1)
for n in N { x[n] ~ mixture(pi, multi_normal(mu[k], identity(P)) for k in K) }`,
	"sparse rows and their sum": `
dim N, P
data x[N] : sparse real[P]
data y[N] : bool
param w[P], b, c : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + b + c * sum(x[n])) }`,
	"sparse times a matrix": `
dim N, P, H
data x[N] : sparse real[P]
data y[N] : bool
param W[P, H], v[H] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(tanh(x[n] @ W) @ v) }`,
	"softmax regression": `
dim N, P, C
data x[N] : real[P]
data y[N] : index[C]
param W[P, C], b[C] : real ~ normal(0, 1)
for n in N { y[n] ~ categorical_logit(x[n] @ W + b) }`,
	"standardised columns": `
dim N, P
data x[N, P] : real
data y[N] : real
param w[P] : real ~ normal(0, 1)
let m = [mean(x[n, p] for n in N) for p in P]
let s = [sd(x[n, p] for n in N) for p in P]
for n in N { y[n] ~ normal(sum((x[n, p] - m[p]) / s[p] * w[p] for p in P), 1) }`,
	"plate over part of a dim and a whole": `
dim N
data y[N] : real
data z[N] : count
param a, b : real ~ normal(0, 1)
for n in N { z[n] ~ poisson_log(a) }
for n in 2:N { y[n] ~ normal(b + z[n - 1], exp(a)) }`,
	"coupled rows": `
dim N
data y[N] : real
param f[N] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(f[n], 1) }
factor -0.5 * sum((f[n] - f[n - 1])^2 for n in 1:N)`,
	"guarded singular branch": `
dim N
data x[N] : real
data y[N] : real
param w, v : real ~ normal(0, 1)
for n in N { y[n] ~ normal((if x[n] > 0 then w * log(x[n]) else v) + (if w > 5 then sqrt(w - 5) * v else 0), 1) }`,
	"ends that depend on unknowns": `
dim N
data y[N] : real
param a : unit
param b : interval(0, 1 - a)
param c : interval(-inf, b) ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b + c, 1) }`,
	"families of charts": `
dim N, J, K
data y[N] : real
data j[N] : index[J]
param p[J] : simplex[K] ~ dirichlet(2)
param o[J] : ordered[K] ~ normal(0, 1)
param q[J] : positive_ordered[K] ~ exponential(1)
param z[J] : sum_to_zero[K]
for n in N { y[n] ~ normal(p[j[n], 0] + o[j[n], 0] * q[j[n], 0] + z[j[n], 0], 1) }`,
	"truncated and censored": `
dim N
data y[N] : positive
data stop[N] : positive
param m : real ~ normal(0, 1)
param s : positive ~ gamma(2, 1)
for n in N { y[n] ~ normal(m, s) truncated(0, inf) }
for n in N { stop[n] ~ weibull(s, exp(m)) censored(0, 1.5) }`,
	"running sums and products": `
dim N, K
data x[N] : real[K]
data y[N] : real
param w[K] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(cumsum(x[n] * w)) + prod(1 + 0.1 * w) + max(w) - log_sum_exp(x[n] + w), 1) }`,
	"two files of rows": `
dim N, M
data y[N] : real
data z[M] : real
param m : real ~ normal(0, 1)
for n in N { y[n] ~ normal(m, 1) }
for i in M { z[i] ~ normal(2 * m, 2) }`,
	"row axis second": `
dim N, P
data x[P, N] : real
data y[N] : real
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(sum(w[p] * x[p, n] for p in P), 1) }`,
	"a let over all rows": `
dim N, P
data X[N, P] : real
data y[N] : real
param w[P], b : real ~ normal(0, 1)
let eta = X @ w + b
let mu = exp(0.1 * eta)
y ~ normal(mu, 1 + mu^2)`,
	"constant along rows": `
dim N
data y[N] : real
param m : real ~ normal(0, 1)
for n in N { factor -m^2 }
for n in N { y[n] ~ normal(m, 1) }`,
}
