data {
  int<lower=1> R;
  int<lower=1> T;
  array[R, T] int<lower=0> y;
  int<lower=0> K;
}
// data: {"R": 3, "T": 2, "y": [[1, 2], [0, 1], [3, 2]], "K": 12}
transformed data {
  array[R] int<lower=0> max_y;
  for (i in 1:R)
    max_y[i] = max(y[i]);
}
parameters {
  real<lower=0> lambda;
  real<lower=0, upper=1> p;
}
model {
  lambda ~ exponential(0.1);
  for (i in 1:R) {
    vector[K + 1] lp;
    for (n in 0:K) {
      if (n < max_y[i])
        lp[n + 1] = negative_infinity();
      else
        lp[n + 1] = poisson_lpmf(n | lambda) + binomial_lpmf(y[i] | n, p);
    }
    target += log_sum_exp(lp);
  }
}
