data {
  int<lower=1> D;
  int<lower=0> N;
  array[N] vector[D] y;
}
parameters {
  vector[D] mu;
  cholesky_factor_cov[D] L;
}
model {
  for (i in 1:D)
    L[i, i] ~ gamma(2, 1);
  to_vector(L) ~ normal(0, 3);
  y ~ multi_normal_cholesky(mu, L);
}
