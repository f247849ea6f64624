data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> se;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] eta;
}
transformed parameters {
  vector[J] theta = mu + tau * eta;
}
model {
  target += normal_lpdf(eta | 0, 1);
  target += normal_lpdf(y | theta, se);
  tau ~ cauchy(0, 5);
}
