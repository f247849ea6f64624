// Neighbours differ little: pairs of a map, with a soft sum to zero.
data {
  int<lower=0> N;
  int<lower=0> E;
  array[E] int<lower=1, upper=N> node1;
  array[E] int<lower=1, upper=N> node2;
  array[N] int<lower=0> y;
}
parameters {
  real beta0;
  real<lower=0> sigma;
  vector[N] phi;
}
model {
  y ~ poisson_log(beta0 + phi * sigma);
  target += -0.5 * dot_self(phi[node1] - phi[node2]);
  beta0 ~ normal(0, 1);
  sigma ~ normal(0, 1);
  sum(phi) ~ normal(0, 0.001 * N);
}
