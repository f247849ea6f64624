data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=0> a;
  real b;
}
transformed parameters {
  real c;
  {
    real t = a * 2;
    t = t + b;
    c = t^2;
  }
}
model {
  y ~ normal(c, a);
  b ~ normal(0, 1);
}
