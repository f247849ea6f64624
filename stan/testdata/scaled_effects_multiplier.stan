data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector<offset=mu, multiplier=tau>[J] a;
  real<lower=0> sigma;
}
model {
  a ~ normal(mu, tau);
  tau ~ exponential(1);
  y ~ normal(a[g], sigma);
}
