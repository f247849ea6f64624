data {
  int N;
  int K;
  matrix[N, K] X;
  vector<lower=0>[N] exposure;
  array[N] int<lower=0> y;
}
transformed data {
  vector[N] log_e = log(exposure);
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  beta ~ normal(0, 1);
  y ~ poisson_log(log_e + alpha + X * beta);
}
