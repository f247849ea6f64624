data { int N; int K; vector[N] y; }
parameters { vector<lower=0, upper=1>[K - 1] v; vector[K] m; real<lower=0> s; }
transformed parameters {
  simplex[K] w;
  {
    real left = 1;
    for (k in 1:(K - 1)) { w[k] = v[k] * left; left -= w[k]; }
    w[K] = left;
  }
}
model {
  v ~ beta(1, 1.5); m ~ normal(0, 3); s ~ exponential(1);
  for (n in 1:N) { vector[K] lp; for (k in 1:K) lp[k] = log(w[k]) + normal_lpdf(y[n] | m[k], s); target += log_sum_exp(lp); }
}
