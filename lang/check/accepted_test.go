package check_test

// accepted are programs of forms that the models of the corpus lack.
var accepted = []string{
	"dim S, T(S)\ndata x[S, T], m[S] : real\nparam b : real\nx ~ normal(m + b, 1)\n",
	"dim S, T(S)\ndata x[S, T] : real\n" +
		"let m = [sum(x[s, t] for t in T) / T(s) for s in S]\nparam b : real\n" +
		"for s in S { for t in T { x[s, t] ~ normal(m[s] * b, 1) } }\n",
	"dim S, T(S)\ndata x[S, T] : real\nlet y = [x[s, t]^2 for s in S, t in T]\nlet z = x + y\n",
	"dim S, T(S)\ndata x[S, T] : real\nparam b : real\n" +
		"let h = [scan t in T from h = b { h + x[s, t] } for s in S]\n",
	"dim N\ndata y[N] : real\nfn twice(a : real, s : positive = 2) -> real { a * s }\n" +
		"let z = twice(y)\nlet u = twice(y, s = 3)\n",
	"dim N\ndata y[N] : real\nfn pair(a : real) -> (real, real) { (a, a^2) }\n" +
		"let (p, q) = pair(y)\nlet r = p + q + y\n",
	"use nn\nconst L = 3, H = 4\ndim N\ndata x[N] : real[H]\ndata y[N] : real\n" +
		"layer hid[L] = Dense(H, H, prior ~ normal(0, 0.1)), out = Dense(H, 1)\n" +
		"for n in N {\n  let h = scan l in L from h = x[n] { relu(hid[l](h)) }\n" +
		"  y[n] ~ normal(out(h[L])[0] + sum(hid.W), 1)\n}\n",
	"layer Scale(n, by = 2, prior ~ normal(0, 1 / sqrt(n))) {\n  param w[n] : real ~ prior\n" +
		"  param b[n] : real ~ normal(0, by)\n  let v = exp(w)\n" +
		"  fn apply(x : real[n]) -> real[n] { x * v + b }\n}\n" +
		"dim N\ndata x[N] : real[5]\ndata y[N] : real[5]\n" +
		"layer s = Scale(5), t = Scale(5, 3)\nfor n in N { y[n] ~ normal(t(s(x[n])), 1) }\n",
	"dim N, K\ndata y[N] : real\ndata g[N] : index[K] from 1\n" +
		"param a[K] : real ~ normal(0, 1)\nparam s[K] : positive ~ normal(0, 1)\n" +
		"y ~ normal(a[g], s[g])\n",
	"dim N, K\ndata y[N, K] : real\nparam m[K], s[N] : positive\ny ~ normal(m, s)\n",
	"dim K, V\ndata a[K] : positive\ndata b[V] : positive\n" +
		"param A[K] : simplex[K] ~ dirichlet(a)\nparam B[K] : simplex[V] ~ dirichlet(b)\n" +
		"let t = [sum(a) * b for k in K]\nparam C[K] : simplex[V] ~ dirichlet(t)\n",
	"dim K\nparam k : index[K] ~ categorical_logit(zeros(K)) by marginal\ndata y : real\n" +
		"data m[K] : real\ny ~ normal(m[k], 1)\n",
	"dim N\ndata y[N] : real\nparam w : simplex[2] ~ dirichlet(1) by expanded_mean\n" +
		"y ~ mixture(w, normal(0, 1), normal(0, 10))\n",
	"dim N, K\ndata y[N] : real\nparam w[N] : simplex[K] ~ dirichlet(1)\nparam m[K] : real\n" +
		"y ~ mixture(w, normal(m[k], 1) for k in K)\n",
	"dim N\ndata t[N] : positive\ndata stop[N] : positive\nparam a : positive ~ gamma(2, 1)\n" +
		"t ~ weibull(a, 1) censored(0, stop)\n",
	"dim T\ndata y[T] : real\nparam s : positive ~ exponential(1)\ny[0] ~ normal(0, 10)\n" +
		"for t in 1:T { y[t] ~ normal(y[t - 1], s) }\n",
	"dim N, M\ndata x[N, M] : real\nlet a = x[:, 0]\nlet b = x[1:, :M - 1]\nlet c = x[0]\n" +
		"let d = transpose(x) @ x\nlet e = concat(a, a)\nlet f = reshape(x, M, N)\n" +
		"let g = flatten(x)\nlet h = outer(a, c)\n",
	"dim N\ndata x[N] : real\nlet a = any(x > 0) and not all(x == 0)\n" +
		"let b = max(x) + min(x) - max(x, 0)[0] + sum(max(x, 1))\n" +
		"let c = max(x[n] for n in N)\nlet d = if any(x > 0) then x else -x\n",
	"dist shifted(s : positive, m : real = 0) on real {\n  let k = log(s)\n" +
		"  logpdf(x) = normal.logpdf(x - m, 0, s) + 0 * k\n  cdf(x) = normal.cdf(x - m, 0, s)\n" +
		"  logcdf(x) = log(cdf(x))\n  sample = m + normal.sample(0, s)\n  mean = m\n}\n" +
		"data y : real\nparam w : real ~ shifted(2)\ny ~ shifted(1, w) truncated(-1, 1)\n" +
		"factor shifted.logpdf(y, 1, w)\n",
	"data ts[5], y[5] : real\nparam k : positive ~ gamma(1, 1)\n" +
		"fn decay(t : real, z : real[D], r : real) -> real[D] { -r * z }\n" +
		"let z = ode(decay, [1, 2], 0, ts, k, rtol = 1e-8)\ny ~ normal(z[:, 0], 1)\n",
	"const K = 3\ndim N\ndata y[N] : index[K]\nparam eta[K] : real\nlet p = softmax(eta)\n" +
		"for n in N { y[n] ~ categorical(p) }\nfactor log(p[0]) + sum(log(p[k]) for k in 1:K)\n",
	"dim N\ndata x[N] : sphere[3]\nparam m : sphere[3] ~ uniform_sphere()\n" +
		"param k : positive ~ gamma(1, 1)\nx ~ vmf(m, k)\n",
	"dim N\ndata y[N] : real\nparam c : cov_chol[3]\n" +
		"param mu[N] : real[3] ~ multi_normal_cholesky(zeros(3), c)\ny ~ normal(mu[:, 0], 1)\n",
	"dim N = 3 \ndim M = 2 * N\ndata x[M] : real\nlet y = x[N:]\n",
	"param o : ordered[3] ~ normal([1, 2, 3], 1)\nparam z : sum_to_zero[4] ~ normal(0, 1)\n",
	"dim N\ndata y[N] : count\nfor n in N {\n  local g : positive ~ gamma(1, 1) by collapse\n" +
		"  y[n] ~ poisson(g)\n}\n",
	"dim N, K\ndata y[N] : real\nparam mu[K] : real ~ normal(0, 1)\n" +
		"param p : simplex[K] ~ dirichlet(1)\nfor n in N {\n" +
		"  local z : index[K] ~ categorical(p)\n  y[n] ~ normal(mu[z], 1)\n}\n",
	"data e : real\nlet type = e\nlet of = type + 1\nparam beta : real ~ normal(of, 1)\n",
}

func init() {
	accepted = append(accepted,
		"dim N, K\ndata g[N] : index[K]\nparam a[K] : real\n"+
			"fn at(v : real[M], i : index[M]) -> real { v[i] }\nfor n in N { factor at(a, g[n]) }\n",
		"dim N, K\ndata x[N] : real[K]\nparam w[K, 3] : real\nfor n in N { let h = x[n] @ w\n"+
			" let (p, q) = scan t in 2 from (p = 0, q = h) { (p + q[0], 2 * q) }\n factor p[2] }\n")
}
