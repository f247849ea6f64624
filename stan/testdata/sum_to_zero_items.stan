data {
  int<lower=2> K;
  int<lower=1> N;
  array[N] int<lower=1, upper=K> g;
  vector[N] y;
}
parameters {
  sum_to_zero_vector[K] beta;
  real alpha;
  real<lower=0> sigma;
}
model {
  beta ~ normal(0, 2);
  y ~ normal(alpha + beta[g], sigma);
}
