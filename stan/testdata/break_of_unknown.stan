// data: {"N": 5, "y": [0.3, 0.2, 0.6, 0.1, 0.9]}
// An unknown decides where the loop ends: what comes behind counts where it has not ended.
data {
  int N;
  vector[N] y;
}
parameters {
  real<lower=0, upper=3> c;
  real mu;
}
model {
  real total = 0;
  mu ~ normal(0, 1);
  for (n in 1:N) {
    total += y[n];
    if (total > c) break;
    if (y[n] < 0.15) continue;
    target += normal_lpdf(y[n] | mu, 1);
  }
  target += -0.1 * total * mu;
}
