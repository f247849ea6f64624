data {
  int<lower=1> N;
  array[N] int<lower=0, upper=1> skip;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  for (n in 1:N) {
    if (skip[n] == 1)
      continue;
    y[n] ~ normal(mu, 2);
  }
}
