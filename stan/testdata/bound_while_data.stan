// bound: E0808
// data: {"N": 7, "y": [0.3, 0.2, 1.0, 0.1, 0.9, 0.4, 0.6]}
// A while loop that data end, and one that steps over rows.
data {
  int N;
  vector[N] y;
}
transformed data {
  int half = 1;
  int steps = 0;
  while (half < N) {
    half *= 2;
    steps += 1;
  }
}
parameters {
  real mu;
  vector[steps] level;
}
model {
  int n = 1;
  real total = 0;
  level ~ normal(mu, 1);
  mu ~ normal(0, 1);
  while (n <= N) {
    total += square(y[n] - mu) * level[1];
    if (y[n] > 0.5) n += 2; else n += 1;
  }
  target += -0.5 * total;
}
