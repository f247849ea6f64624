data {
  int<lower=1> N;
  array[N] real<lower=-3.14159, upper=3.14159> phi;
}
parameters {
  real<lower=-3.2, upper=3.2> mu;
  real<lower=0> kappa;
}
model {
  mu ~ von_mises(0, 0.5);
  kappa ~ gamma(2, 1);
  phi ~ von_mises(mu, kappa);
}
