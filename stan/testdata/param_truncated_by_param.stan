parameters {
  real mu;
  real<lower=0> tau;
  real<lower=mu> x;
}
model {
  mu ~ normal(0, 1);
  tau ~ normal(0, 1) T[0, ];
  x ~ normal(mu - 1, 1 + tau) T[mu, ];
}
