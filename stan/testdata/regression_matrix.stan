// A linear regression.
data {
  int<lower=0> N;   // rows
  int<lower=0> K;
  matrix[N, K] x;
  vector[N] y;
}
transformed data {
  real my = mean(y);
  vector[N] yc = y - my;
}
parameters {
  real alpha; // intercept
  vector[K] beta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[N] mu;
  for (n in 1:N) mu[n] = alpha + x[n] * beta;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 5);
  sigma ~ cauchy(0, 2.5);
  for (n in 1:N) {
    yc[n] ~ normal(mu[n], sigma);
  }
  target += -0.5 * square(alpha);
}
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu[n], sigma);
  real yrep = normal_rng(0, 1);
}
