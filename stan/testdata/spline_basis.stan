data {
  int<lower=1> N;
  int<lower=1> B;
  matrix[N, B] X;
  vector[N] y;
}
parameters {
  vector[B] a_raw;
  real a0;
  real<lower=0> sigma;
  real<lower=0> tau;
}
transformed parameters {
  vector[B] a;
  a[1] = a_raw[1];
  for (i in 2:B)
    a[i] = a[i - 1] + a_raw[i] * tau;
}
model {
  a_raw ~ normal(0, 1);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(a0 + X * a, sigma);
}
