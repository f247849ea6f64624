// A symmetric matrix is filled from a vector of its upper triangle, by a counter.
data {
  int<lower=1> K;
  int<lower=1> N;
  array[N] int<lower=1, upper=K> from;
  array[N] int<lower=1, upper=K> to;
  array[N] int<lower=0, upper=1> y;
}
// data: {"K": 3, "N": 6}
parameters {
  vector[K * (K + 1) %/% 2] b;
  vector[choose(K, 2)] c;
}
transformed parameters {
  matrix[K, K] B;
  matrix[K, K] L = diag_matrix(rep_vector(1, K));
  {
    int pos = 0;
    for (k in 1:K) {
      for (l in k:K) {
        pos += 1;
        B[k, l] = b[pos];
        B[l, k] = B[k, l];
      }
    }
    pos = 1;
    for (i in 2:K) {
      for (j in 1:(i - 1)) {
        L[i, j] = c[pos] + 0.1 * pos;
        pos = pos + 1;
      }
    }
  }
}
model {
  b ~ normal(0, 1);
  c ~ normal(0, 0.5);
  for (n in 1:N) {
    y[n] ~ bernoulli_logit(B[from[n], to[n]] + L[to[n], from[n]]);
  }
}
