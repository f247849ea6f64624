data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  vector[T] level;
  real<lower=0> s_obs;
  real<lower=0> s_level;
}
model {
  level[1] ~ normal(y[1], 10);
  level[2:T] ~ normal(level[1:(T - 1)], s_level);
  y ~ normal(level, s_obs);
  s_obs ~ exponential(1);
  s_level ~ exponential(1);
}
