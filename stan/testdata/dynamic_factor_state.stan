data {
  int<lower=2> T;
  int<lower=1> D;
  array[T] vector[D] y;
}
parameters {
  array[T] vector[2] z;
  matrix[D, 2] C;
  real<lower=0> q;
  real<lower=0> r;
}
transformed parameters {
  array[T] vector[2] x;
  x[1] = z[1];
  for (t in 2:T) {
    x[t, 1] = x[t - 1, 1] + q * z[t, 1];
    x[t, 2] = 0.5 * x[t - 1, 2] + q * z[t, 2];
  }
}
model {
  for (t in 1:T) {
    z[t] ~ normal(0, 1);
    y[t] ~ normal(C * x[t], r);
  }
  to_vector(C) ~ normal(0, 1);
  q ~ exponential(1);
  r ~ exponential(1);
}
