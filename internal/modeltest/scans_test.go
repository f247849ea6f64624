package modeltest

// Recurrences: alone, over several values, in plates, within each other, and
// with what can be computed for all steps at once.
func init() {
	for name, text := range map[string]string{
		"a scan of a number": `
dim T
data y[T] : real
param a : interval(-1, 1)
param m : real ~ normal(0, 1)
let h = scan t in 1:T from h = m { a * h + 0.1 * sin(h) * y[t - 1] + 0.01 * t }
y ~ normal(h, 1)`,
		"a scan of several values": `
dim T
data y[T] : real
param mu, phi, theta : real ~ normal(0, 0.5)
let (nu, err) = scan t in 1:T from (nu = mu + phi * mu, err = y[0] - mu - phi * mu) {
  let next = mu + phi * y[t - 1] + theta * err
  (next, y[t] - next)
}
y ~ normal(nu, 1)
factor -0.1 * err[T - 1]^2`,
		"a carried value that nothing reads": `
dim T
data y[T] : real
param mu, phi, theta : real ~ normal(0, 0.5)
let (nu, err) = scan t in 1:T from (nu = mu + phi * mu, err = y[0] - mu - phi * mu) {
  let next = mu + phi * y[t - 1] + theta * err
  (next, y[t] - next)
}
factor sum(normal.logpdf(err, 0, 1))`,
		"a scan whose values trade places": `
dim T
data y[T] : real
param a, b : real ~ normal(0, 1)
let (p, q) = scan t in T from (p = a, q = b) { (q, 0.3 * p + y[t]) }
factor -0.1 * p[T]^2 - 0.2 * sum(q[t] for t in T)`,
		"a scan that only shifts data": `
dim T
data y[T] : real
param a : real ~ normal(0, 1)
let h = scan t in T from h = a { y[t] }
factor -0.1 * sum(h[t]^2 for t in T + 1)`,
		"a scan of data alone": `
dim T
data y[T] : real
param a : real ~ normal(0, 1)
let level = scan t in T from l = y[0] { 0.5 * l + 0.5 * y[t] }
for t in T { y[t] ~ normal(a * level[t], 1) }`,
		"a scan over states": `
dim T, K
data y[T] : real
param A[K] : simplex[K] ~ dirichlet(1)
param mu[K] : real ~ normal(0, 3)
let lp = [normal.logpdf(y[t], mu[k], 1) for t in T, k in K]
let f = scan t in 1:T from f = lp[0] {
  [log_sum_exp(f[j] + log(A[j, k]) for j in K) + lp[t, k] for k in K]
}
factor log_sum_exp(f[T - 1])`,
		"a network that reads a sequence": `
dim T, P, H
data x[T] : real[P]
data y[T] : bool
param U[H, H], W[P, H], v[H] : real ~ normal(0, 0.5)
let h = scan t in T from h = zeros(H) { tanh(h @ U + x[t] @ W) }
for t in T { y[t] ~ bernoulli_logit(h[t] @ v) }`,
		"a scan in every row": `
dim N, T, H
data x[N, T] : real
data y[N] : real
param U[H, H], w[H], v[H] : real ~ normal(0, 0.5)
for n in N {
  let h = scan t in T from h = zeros(H) { tanh(h @ U + x[n, t] * w) }
  y[n] ~ normal(h[T] @ v, 1)
}`,
		"a matrix carried in every row": `
dim N, T, H
data x[N, T] : real[H]
data y[N] : real
param U[H, H], v[H] : real ~ normal(0, 0.3)
for n in N {
  let (C, s) = scan t in T from (C = identity(H), s = 0) { (0.5 * C @ U + [x[n, t, i] * v[j] for i in H, j in H], s + C[0, 0]) }
  y[n] ~ normal(sum(C[T]) + s[T], 1)
}`,
		"layers": `
dim N, H
const L = 3
data x[N] : real[H]
data y[N] : real
param W[L, H, H], v[H] : real ~ normal(0, 0.5)
for n in N {
  let h = scan l in L from h = x[n] { tanh(h @ W[l]) }
  y[n] ~ normal(h[L] @ v, 1)
}`,
		"groups along the axis of the rows": `
dim N
data x[N] : real
data g[N] : index[N]
param s : positive ~ lognormal(0, 0.3)
param q[N] : real ~ normal(0, 1)
let (a, b) = scan n in 2:N from (before = q[1], lag2 = q[0]) { (lag2 - 0.3 * before, before) }
let u = [if i > 0 then a[i - 1] else q[i] for i in N]
let w = -u[g]
let h = concat((w * q)[N - 1:], x[:N - 1])
let v = [if 1 == i then u[1] + s else u[i] for i in N]
factor -0.1 * ((v - 0.3) @ (v - 0.3))
factor -0.1 * ((w - 0.3) @ (w - 0.3))
factor -0.1 * ((h - 0.3) @ (h - 0.3))`,
		"a scan within a scan": `
dim S, T
data y[S, T] : real
param a, b : real ~ normal(0, 0.5)
let g = scan s in S from g = a {
  let h = scan t in T from h = g { 0.5 * h + b * tanh(h) * y[s, t] + 0.1 * g }
  0.3 * h[T] + 0.1 * g
}
factor -0.5 * sum(g[s]^2 for s in S + 1)`,
		"a scan under a branch": `
dim T
data y[T] : real
param a : real ~ normal(0, 1)
let h = scan t in T from h = a { if y[t] > 0 then sqrt(abs(h) + 1) else h / (1 + h^2) }
y ~ normal([if y[t] > 10 then log(h[t] - 100) else h[t] for t in T], 1)`,
		"two scans over one axis": `
dim T
data y[T] : real
param a, b : real ~ normal(0, 0.5)
let f = scan t in T from f = a { 0.5 * f + 0.1 * y[t] * b }
let g = scan t in T from g = b { 0.2 * g + f[t] * f[t + 1] }
factor -0.1 * sum(f[t] * g[t] for t in T + 1)`,
		"gathers in a scan": `
dim T, K
data s[T] : index[K]
data y[T] : real
param a[K], W[K, K] : real ~ normal(0, 0.5)
let h = scan t in T from h = a { 0.5 * W[s[t]] * h + h[s[t]] * a }
y ~ normal([h[t, s[t]] for t in T], 1)`,
	} {
		tricky[name] = text
	}
}
