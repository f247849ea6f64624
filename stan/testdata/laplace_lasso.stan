data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
}
parameters {
  vector[K] beta;
  real<lower=0> lambda;
  real<lower=0> sigma;
}
model {
  beta ~ double_exponential(0, 1 / lambda);
  lambda ~ cauchy(0, 1);
  target += -log(sigma);
  y ~ normal(X * beta, sigma);
}
