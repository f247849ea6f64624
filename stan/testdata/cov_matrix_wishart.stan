data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
}
parameters {
  vector[K] mu;
  cov_matrix[K] Sigma;
}
model {
  Sigma ~ inv_wishart(K + 2, identity_matrix(K));
  y ~ multi_normal(mu, Sigma);
}
