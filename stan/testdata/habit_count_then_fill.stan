// Rows of one kind are counted, and their places stored.
data {
  int<lower=1> N;
  array[N] int<lower=0, upper=1> is_obs;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  for (n in 1:N) {
    if (is_obs[n])
      y[n] ~ normal(mu, 1);
    else
      target += normal_lccdf(y[n] | mu, 1);
  }
  mu ~ normal(0, 5);
}
