// refused: E0810
// The loop fills as many entries as another size says.
data {
  int<lower=1> N;
  int<lower=1> J;
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
