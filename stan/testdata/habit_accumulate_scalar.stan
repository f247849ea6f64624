data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K] beta;
}
model {
  real lp = 0;
  for (n in 1:N) {
    real eta = 0;
    for (k in 1:K)
      eta += X[n, k] * beta[k];
    lp += y[n] * eta - log1p_exp(eta);
  }
  target += lp;
  beta ~ normal(0, 1);
}
