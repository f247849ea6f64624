// data: {"N": 3, "T": 5, "K": 3, "y": [[0, 0, 2, 2, 0], [1, 2, 1, 3, 5], [2, 3, 1, 4, 4]]}
// A hidden Markov model of several subjects, its forward matrix by columns.
data { int N; int T; int K; array[N, T] int<lower=0> y; }
parameters { array[K] simplex[K] A; simplex[K] p; positive_ordered[K] lam; }
model {
  lam ~ gamma(2, 1);
  for (n in 1:N) {
    matrix[K, T] la;
    for (k in 1:K) la[k, 1] = log(p[k]) + poisson_lpmf(y[n, 1] | lam[k]);
    for (t in 2:T) {
      for (k in 1:K) {
        vector[K] acc;
        for (j in 1:K) acc[j] = la[j, t - 1] + log(A[j, k]);
        la[k, t] = log_sum_exp(acc) + poisson_lpmf(y[n, t] | lam[k]);
      }
    }
    target += log_sum_exp(la[, T]);
  }
}
