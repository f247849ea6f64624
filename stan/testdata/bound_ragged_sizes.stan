// bound: E0811
// data: {"K": 3, "n": [2, 1, 3], "y": [0.1, 0.5, -0.2, 1.2, 0.3, -0.7]}
data {
  int<lower=1> K;
  array[K] int<lower=0> n;
  array[sum(n)] real y;
}
parameters {
  vector[K] mu;
  real<lower=0> sigma;
  vector[sum(n) - K] extra;
}
model {
  int pos = 1;
  for (k in 1:K) {
    mu[k] ~ normal(0, 2);
    segment(y, pos, n[k]) ~ normal(mu[k], sigma);
    pos += n[k];
  }
  sigma ~ gamma(2, 1);
  extra ~ normal(mu[1], 1);
}
