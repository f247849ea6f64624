data {
  int N;
  real L;
  real U;
  array[N] real<lower=L, upper=U> y;
}
// data: {"L": -1, "U": 2}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  for (n in 1:N)
    y[n] ~ normal(mu, sigma) T[L, U];
}
