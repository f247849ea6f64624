// Groups of rows, one behind the other, of lengths that the data give.
// data: {"K": 3, "N": 7, "s": [2, 1, 4]}
data {
  int<lower=0> N;
  int<lower=0> K;
  array[K] int s;
  vector[N] y;
}
parameters {
  vector[K] mu;
  real<lower=0> sigma;
}
model {
  int pos;
  pos = 1;
  for (k in 1:K) {
    segment(y, pos, s[k]) ~ normal(mu[k], sigma);
    pos = pos + s[k];
  }
}
