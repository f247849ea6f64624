// Logistic regression, as models/regression.sg, in Stan's fused form.
data {
  int<lower=0> N;
  int<lower=0> P;
  matrix[N, P] x;
  int<lower=0, upper=1> y[N];
}
parameters {
  real a;
  vector[P] w;
}
model {
  a ~ normal(0, 5);
  w ~ normal(0, 2);
  y ~ bernoulli_logit_glm(x, a, w);
}
