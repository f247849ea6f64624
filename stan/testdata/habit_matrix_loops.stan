data {
  int<lower=2> N;
  matrix[N, N] D;
  vector[N] y;
}
// data: {"N": 3, "D": [[0, 1, 2], [1, 0, 1.5], [2, 1.5, 0]]}
parameters {
  real<lower=0> etasq;
  real<lower=0> rhosq;
  vector[N] g;
}
model {
  matrix[N, N] S;
  for (i in 1:(N - 1))
    for (j in (i + 1):N) {
      S[i, j] = etasq * exp(-rhosq * D[i, j]^2);
      S[j, i] = S[i, j];
    }
  for (k in 1:N)
    S[k, k] = etasq + 0.01;
  g ~ multi_normal(rep_vector(0, N), S);
  y ~ normal(g, 1);
  etasq ~ exponential(1);
  rhosq ~ exponential(1);
}
