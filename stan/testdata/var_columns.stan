// data: {"T": 8, "K": 2, "y": [[0.341, -0.436, -0.516, -0.414, -0.081, -0.685, -0.108, -0.474], [0.924, 0.945, 0.094, -0.511, 0.931, -0.381, -0.287, -0.998]]}
// A vector autoregression of two lags in the columns of a matrix.
data { int T; int K; matrix[K, T] y; }
parameters { matrix[K, K] B1; matrix[K, K] B2; matrix[K, T] z; vector<lower=0>[K] s; }
transformed parameters {
  matrix[K, T] x;
  x[, 1] = z[, 1];
  x[, 2] = B1 * x[, 1] + z[, 2];
  for (t in 3:T) x[, t] = B1 * x[, t - 1] + B2 * col(x, t - 2) + 0.5 * z[, t];
}
model { to_vector(B1) ~ normal(0, 0.3); to_vector(B2) ~ normal(0, 0.2); to_vector(z) ~ std_normal(); s ~ exponential(1);
  for (t in 1:T) y[, t] ~ normal(x[, t], s); }
