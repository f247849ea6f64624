// rejects: yes
// data: {"K": 3, "N": 2}
// The loop leaves an entry of the sums out, which is then no number.
data {
  int<lower=1> K;
  int<lower=1> N;
  array[N] real y;
}
parameters {
  array[K] real mu;
}
model {
  array[K] real ps;
  for (n in 1:N) {
    for (k in 2:K)
      ps[k] = normal_lpdf(y[n] | mu[k], 1);
    target += log_sum_exp(ps);
  }
}
