// Inner loops that grow shorter, and carry a number from turn to turn.
data {
  int<lower=2> K;
  array[K] real y;
}
parameters {
  vector[K] b;
  real s;
}
model {
  b ~ normal(0, 1);
  s ~ normal(0, 1);
  for (k in 1:K) {
    real acc = s;
    real twice = s;
    for (j in 1:(K - k)) acc = acc * b[j] + 0.3 * k;
    for (j in (K - k + 1):K) twice = twice * b[j] - 0.2;
    y[k] ~ normal(acc + twice, 1);
  }
}
