data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  array[2] simplex[2] G;
  ordered[2] mu;
  simplex[2] rho;
}
model {
  matrix[2, N] log_omega;
  matrix[2, 2] Gamma;
  for (i in 1:2) Gamma[i] = G[i]';
  for (n in 1:N) {
    log_omega[1, n] = normal_lpdf(y[n] | mu[1], 1);
    log_omega[2, n] = normal_lpdf(y[n] | mu[2], 1);
  }
  mu ~ normal(0, 2);
  target += hmm_marginal(log_omega, Gamma, rho);
}
