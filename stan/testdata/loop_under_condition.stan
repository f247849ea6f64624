// data: {"N": 4, "m": 3}
// A number is set under a condition, and a loop under the same condition changes it turn by turn.
data {
  int<lower=1> N;
  int<lower=0> m;
  array[N] int<lower=0, upper=1> r;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  for (n in 1:N) {
    real s;
    real u = 0.5;
    if (r[n] > 0) {
      s = mu;
      for (k in 1:m) {
        real t = mu * k;
        s = log_sum_exp(s, t);
      }
      u = mu;
      for (k in 1:m) u = u * 0.5 + mu * k;
    } else {
      s = 2 * mu;
    }
    target += -square(s - u);
  }
}
