// Varying intercepts and slopes by group.
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> group;
  vector[N] x;
  vector[N] y;
}
parameters {
  real mu_a;
  real mu_b;
  real<lower=0> tau_a;
  real<lower=0> tau_b;
  vector[J] a;
  vector[J] b;
  real<lower=0> sigma;
}
model {
  mu_a ~ normal(0, 5);
  mu_b ~ normal(0, 5);
  tau_a ~ cauchy(0, 2);
  tau_b ~ cauchy(0, 2);
  a ~ normal(mu_a, tau_a);
  for (j in 1:J) {
    b[j] ~ normal(mu_b, tau_b);
  }
  sigma ~ normal(0, 1);
  y ~ normal(a[group] + b[group] .* x, sigma);
}
