data {
  int<lower=2> K;
  array[K, K] int<lower=0> n;
}
parameters {
  row_stochastic_matrix[K, K] P;
  column_stochastic_matrix[K, K] Q;
}
model {
  for (i in 1:K)
    for (j in 1:K)
      target += n[i, j] * log(P[i, j]) + log(Q[i, j]);
}
