// data: {"N": 3, "T": 4, "y": [[1, 2, 1, 0], [3, 2.5, 0, 0], [0.2, 0.1, 0.4, 0.4]], "len": [3, 2, 4]}
// Rows of different lengths: the inner loop is left where the row ends.
data { int N; int T; matrix[N, T] y; array[N] int len; }
parameters { real mu; real phi; real<lower=0> s; }
model {
  for (n in 1:N) {
    real prev = mu;
    for (t in 1:T) {
      if (t > len[n]) break;
      y[n, t] ~ normal(prev, s);
      prev = mu + phi * (y[n, t] - mu);
    }
  }
  s ~ exponential(1); mu ~ normal(0, 1); phi ~ normal(0, 1);
}
