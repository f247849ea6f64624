data {
  int<lower=1> N;
  array[N] real y;
}
parameters {
  real<upper=min(y)> L;
  real<lower=max(y)> U;
  real mu;
  real<lower=0> sigma;
}
model {
  L ~ normal(-5, 3);
  U ~ normal(5, 3);
  for (n in 1:N)
    y[n] ~ normal(mu, sigma) T[L, U];
}
