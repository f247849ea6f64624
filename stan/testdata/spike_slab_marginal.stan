data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
}
parameters {
  vector[K] beta;
  real<lower=0, upper=1> theta;
  real<lower=0> sigma;
}
model {
  for (k in 1:K)
    target += log_mix(theta, normal_lpdf(beta[k] | 0, 2), normal_lpdf(beta[k] | 0, 0.1));
  for (n in 1:N)
    y[n] ~ normal(X[n, ] * beta, sigma);
}
