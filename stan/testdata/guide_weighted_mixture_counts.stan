data { int N; array[N] int<lower=0> y; }
parameters { simplex[3] p; positive_ordered[3] lam; }
model {
  lam ~ gamma(2, 0.5);
  for (n in 1:N) {
    vector[3] c = log(p);
    for (k in 1:3) c[k] += poisson_lpmf(y[n] | lam[k]);
    target += log_sum_exp(c);
  }
}
