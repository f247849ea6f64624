data {
  int<lower=0> J;
  array[J] int<lower=0> n;
  array[J] int<lower=0> y;
}
// data: {"J": 4, "n": [10, 12, 9, 20], "y": [3, 5, 1, 11]}
parameters {
  real<lower=0, upper=1> mu;
  real<lower=0> kappa;
  vector<lower=0, upper=1>[J] theta;
}
model {
  kappa ~ pareto(0.1, 1.5);
  theta ~ beta(mu * kappa, (1 - mu) * kappa);
  y ~ binomial(n, theta);
}
