// refused: E0810
data {
  int<lower=1> J;
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real a;
}
model {
  vector[N] mu;
  for (n in 1:J)
    mu[n] = a;
  y ~ normal(mu, 1);
}
