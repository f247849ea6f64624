data {
  int<lower=1> N;
  array[N] int<lower=1, upper=3> k;
  vector[N] y;
}
parameters {
  real a;
  real b;
  real c;
}
model {
  for (n in 1:N)
    y[n] ~ normal(k[n] == 1 ? a : k[n] == 2 ? b : c, 1);
  a ~ normal(0, 1);
}
