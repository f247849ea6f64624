data {
  int<lower=3> T;
  vector[T] y;
}
parameters {
  vector[T] x;
  real<lower=0> s;
}
model {
  for (t in 3:T)
    x[t] ~ normal(2 * x[t - 1] - x[t - 2], s);
  x[1:2] ~ normal(0, 10);
  y ~ normal(x, 1);
  s ~ exponential(1);
}
