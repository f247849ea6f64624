data {
  int<lower=1> G;
  int<lower=1> T;
  vector[G * T] y;
}
parameters {
  vector[G] mu;
  real<lower=0> s;
}
model {
  for (g in 1:G) {
    for (t in 1:T) {
      y[(g - 1) * T + t] ~ normal(mu[g], s);
    }
  }
  s ~ exponential(1);
}
