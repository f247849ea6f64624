data {
  int<lower=0> J;
  array[J] int<lower=0> n;
  array[J] int<lower=0> y;
}
// data: {"J": 4, "n": [10, 12, 9, 20], "y": [3, 5, 1, 11]}
parameters {
  real<lower=0> a;
  real<lower=0> b;
}
model {
  for (j in 1:J)
    target += beta_binomial_lpmf(y[j] | n[j], a, b);
  a ~ exponential(0.1);
  b ~ exponential(0.1);
}
