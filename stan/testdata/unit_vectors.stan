data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] vector[K] d;
}
parameters {
  unit_vector[K] u;
  real<lower=0> kappa;
}
model {
  kappa ~ exponential(1);
  for (n in 1:N)
    target += kappa * dot_product(u, d[n]);
}
