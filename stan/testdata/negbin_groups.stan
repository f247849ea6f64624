data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> building;
  array[N] int<lower=0> complaints;
  vector<lower=0>[N] traps;
  vector[N] log_sq_foot;
}
parameters {
  vector[J] mu_raw;
  real alpha;
  real beta;
  real<lower=0> sigma_mu;
  real<lower=0> inv_phi;
}
transformed parameters {
  real phi = inv(inv_phi);
  vector[J] mu = alpha + sigma_mu * mu_raw;
}
model {
  mu_raw ~ normal(0, 1);
  sigma_mu ~ normal(0, 1);
  alpha ~ normal(log(4), 1);
  beta ~ normal(-0.25, 1);
  inv_phi ~ normal(0, 1);
  complaints ~ neg_binomial_2_log(mu[building] + beta * traps + log_sq_foot, phi);
}
