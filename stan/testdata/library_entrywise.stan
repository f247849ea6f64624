// Functions of Stan's library on every entry of a container, that the language has not.
data {
  int<lower=1> N;
  vector<lower=0>[N] x;
  array[N] int<lower=0, upper=3> order;
  array[N] real y;
}
parameters {
  real<lower=0> rate;
  row_vector<lower=0>[2] z;
}
model {
  vector[N] mu = to_vector(log_modified_bessel_first_kind(order, rate));
  row_vector[2] lw = log_modified_bessel_first_kind(1, z);
  array[2] int steps = {1, 2};
  y ~ normal(mu, 1);
  rate ~ exponential(1);
  z ~ lognormal(0, 1);
  target += sum(lw) + sum(log_modified_bessel_first_kind(steps, z[1]));
}
