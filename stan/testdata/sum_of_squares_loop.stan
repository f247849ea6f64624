data {
  int<lower=1> N;
  array[N] real y;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  real ss = 0;
  for (n in 1:N) {
    real d = y[n] - mu;
    ss += d * d;
  }
  target += -ss / (2 * s^2) - N * log(s);
}
