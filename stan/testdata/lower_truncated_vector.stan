data {
  int<lower=0> N;
  real L;
  vector<lower=L>[N] y;
}
// data: {"L": 0.5}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(1, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma) T[L, ];
}
