data {
  int<lower=1> N;
  vector[N] a;
  vector[N] b;
  vector[N] y;
}
parameters {
  real c;
  real<lower=0> s;
}
model {
  vector[N] z = (a .* b) ./ (1 + square(b)) * c;
  y ~ normal(z, s);
  s ~ exponential(1);
}
