// data: {"N": 5, "y": [0.3, 0.2, 4.0, 0.1, 0.9]}
// A loop that ends at the first large value; what comes later is not modelled.
data {
  int N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  real last = 0;
  mu ~ normal(0, 1);
  s ~ exponential(1);
  for (n in 1:N) {
    if (y[n] > 3) break;
    target += normal_lpdf(y[n] | mu + 0.3 * last, s);
    last = y[n] - mu;
  }
  target += -0.5 * square(last);
}
