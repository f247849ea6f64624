data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  vector[N] a;
  real b;
}
model {
  target += -square(a) + normal_lpdf(b | 0, 1);
  y ~ normal(a, 1);
}
