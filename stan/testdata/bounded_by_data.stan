data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=max(y)> top;
  real<upper=min(y)> low;
}
model {
  top ~ normal(0, 10);
  y ~ uniform(low, top);
  low ~ normal(0, 10);
}
