data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  vector<lower=0>[N] lambda;
  real mu;
  real<lower=0> nu;
}
model {
  nu ~ gamma(2, 0.1);
  lambda ~ inv_gamma(nu / 2, nu / 2);
  y ~ normal(mu, sqrt(lambda));
}
