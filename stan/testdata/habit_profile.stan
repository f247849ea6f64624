data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  profile("priors") {
    mu ~ normal(0, 1);
  }
  profile("likelihood") {
    y ~ normal(mu, 1);
  }
}
