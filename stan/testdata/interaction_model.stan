data {
  int<lower=0> N;
  vector<lower=0>[N] kid;
  vector<lower=0>[N] iq;
  vector<lower=0, upper=1>[N] hs;
}
transformed data {
  vector[N] inter;
  inter = hs .* iq;
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  sigma ~ cauchy(0, 2.5);
  kid ~ normal(beta[1] + beta[2] * hs + beta[3] * iq + beta[4] * inter, sigma);
}
