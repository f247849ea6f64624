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
    segment(y, (g - 1) * T + 1, T) ~ normal(mu[g], s);
  }
  s ~ exponential(1);
}
