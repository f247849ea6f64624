data {
  int<lower=1> N;
  int<lower=1> D;
  array[N] vector[D] x;
  array[N] int<lower=0> y;
}
transformed data {
  real delta = 1e-9;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real a;
  vector[N] eta;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] L_K;
    matrix[N, N] K = gp_matern52_cov(x, alpha, rho);
    for (n in 1:N)
      K[n, n] += delta;
    L_K = cholesky_decompose(K);
    f = L_K * eta;
  }
}
model {
  rho ~ inv_gamma(5, 5);
  alpha ~ normal(0, 1);
  eta ~ normal(0, 1);
  a ~ normal(0, 1);
  y ~ poisson_log(a + f);
}
