functions {
  vector ou_mean(real x0, real theta, real mu, vector dt) {
    return mu + (x0 - mu) * exp(-theta * dt);
  }
}
data {
  int<lower=2> T;
  vector[T] x;
  real<lower=0> dt;
}
parameters {
  real<lower=0> theta;
  real mu;
  real<lower=0> sigma;
}
model {
  real sd1 = sigma * sqrt((1 - exp(-2 * theta * dt)) / (2 * theta));
  theta ~ lognormal(0, 1);
  for (t in 2:T) {
    x[t] ~ normal(mu + (x[t - 1] - mu) * exp(-theta * dt), sd1);
  }
}
