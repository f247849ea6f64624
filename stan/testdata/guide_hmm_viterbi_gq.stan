data { int T; vector[T] y; }
parameters { array[2] simplex[2] A; ordered[2] mu; }
model {
  array[2] real lg = {normal_lpdf(y[1] | mu[1], 1), normal_lpdf(y[1] | mu[2], 1)};
  for (t in 2:T) {
    array[2] real nw;
    for (k in 1:2)
      nw[k] = log_sum_exp(lg[1] + log(A[1, k]), lg[2] + log(A[2, k])) + normal_lpdf(y[t] | mu[k], 1);
    lg = nw;
  }
  target += log_sum_exp(lg);
  mu ~ normal(0, 2);
}
generated quantities {
  array[T] int best;
  { best[T] = 1; for (t in 1:(T - 1)) best[T - t] = best[T - t + 1]; }
}
