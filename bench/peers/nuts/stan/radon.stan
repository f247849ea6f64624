// Intercepts of groups, as models/radon.sg.
data {
  int<lower=0> J;
  int<lower=0> N;
  int<lower=1, upper=J> county[N];
  vector[N] x;
  vector[N] y;
}
parameters {
  real mu;
  real b;
  real<lower=0> sa;
  real<lower=0> sy;
  vector[J] a;
}
model {
  mu ~ normal(0, 10);
  b ~ normal(0, 10);
  sa ~ cauchy(0, 2.5);
  sy ~ cauchy(0, 2.5);
  a ~ normal(mu, sa);
  y ~ normal(a[county] + b * x, sy);
}
