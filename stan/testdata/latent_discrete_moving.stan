data {
  int N;
  int S;
  vector[N] y;
}
parameters {
  vector[S] mu;
  simplex[S] w;
}
model {
  matrix[N, S] lp;
  for (n in 1:N)
    for (s in 1:S)
      lp[n, s] = log(w[s]) + normal_lpdf(y[n] | mu[s], 1);
  for (n in 1:N)
    target += log_sum_exp(lp[n]);
  mu ~ normal(0, 3);
}
