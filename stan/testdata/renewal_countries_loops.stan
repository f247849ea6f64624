// data: {"C": 3, "T": 7, "N0": 3, "deaths": [[9, 1, 3], [9, 0, 9], [9, 6, 0], [3, 0, 8], [2, 4, 6], [2, 8, 1], [9, 4, 8]], "SI": [0.254, 0.095, 0.195, 0.21, 0.143, 0.187, 0.066], "f": [0.059, 0.081, 0.152, 0.114, 0.097, 0.138, 0.118], "X": [[[0.3, 0.794], [0.699, 0.244], [0.574, 0.525], [0.875, 0.729], [0.288, 0.98], [0.118, 0.418], [0.757, 0.152]], [[0.489, 0.039], [0.668, 0.765], [0.573, 0.875], [0.314, 0.695], [0.594, 0.58], [0.456, 0.84], [0.945, 0.474]], [[0.664, 0.061], [0.701, 0.647], [0.993, 0.822], [0.285, 0.386], [0.669, 0.023], [0.462, 0.168], [0.117, 0.059]]], "pop": [807.293, 551.736, 599.046]}
// Renewal of infections by country and day, written in loops: what depletes the susceptible is carried too.
data { int C; int T; int N0; array[T, C] int<lower=0> deaths; vector[T] SI; vector[T] f; array[C] matrix[T, 2] X; vector[C] pop; }
parameters { vector<lower=0>[C] mu; vector[2] alpha; vector<lower=0>[C] y; real<lower=0> phi; }
transformed parameters {
  matrix[T, C] inf = rep_matrix(0, T, C);
  matrix[T, C] cum = rep_matrix(0, T, C);
  matrix[T, C] Rt;
  matrix[T, C] E;
  for (c in 1:C) {
    Rt[, c] = mu[c] * 2 * inv_logit(-X[c] * alpha);
    for (t in 1:N0) inf[t, c] = y[c];
    for (t in 2:N0) cum[t, c] = cum[t - 1, c] + inf[t - 1, c];
    for (t in (N0 + 1):T) {
      real s = 0;
      for (u in 1:(t - 1)) s += inf[u, c] * SI[t - u];
      cum[t, c] = cum[t - 1, c] + inf[t - 1, c];
      inf[t, c] = (1 - cum[t, c] / pop[c]) * Rt[t, c] * s;
    }
    E[1, c] = 1e-9;
    for (t in 2:T) {
      E[t, c] = 0;
      for (u in 1:(t - 1)) E[t, c] += inf[u, c] * f[t - u];
    }
  }
}
model {
  mu ~ normal(2, 0.5); alpha ~ normal(0, 0.5); y ~ exponential(0.1); phi ~ exponential(1);
  for (c in 1:C) for (t in 1:T) deaths[t, c] ~ neg_binomial_2(E[t, c] + 0.01, phi);
}
