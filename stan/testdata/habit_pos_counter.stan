// A counter walks through a vector of parameters that fills a lower triangle.
data {
  int<lower=2> K;
  int<lower=1> N;
  array[N] vector[K] y;
}
// data: {"K": 3, "N": 3}
transformed data {
  int M = K * (K - 1) %/% 2;
}
parameters {
  vector[3] low;
  vector<lower=0>[K] diag;
}
model {
  matrix[K, K] L;
  int pos = 1;
  for (i in 1:K) {
    for (j in 1:K)
      L[i, j] = 0;
    L[i, i] = diag[i];
  }
  for (j in 1:(K - 1)) {
    for (i in (j + 1):K) {
      L[i, j] = low[pos];
      pos += 1;
    }
  }
  low ~ normal(0, 1);
  diag ~ gamma(2, 1);
  y ~ multi_normal_cholesky(rep_vector(0, K), L);
}
