data {
  int<lower=1> N;
  array[N] int<lower=0> y;
  array[N] int<lower=0> times;
  vector[N] x;
}
parameters {
  real a;
  real b;
}
model {
  for (n in 1:N) {
    real rate = exp(a + b * x[n]);
    target += times[n] * poisson_lpmf(y[n] | rate);
  }
  a ~ normal(0, 1);
  b ~ normal(0, 1);
}
