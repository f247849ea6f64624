data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
}
parameters {
  cov_matrix[K] Sigma;
  corr_matrix[K] R;
}
model {
  y ~ multi_normal(rep_vector(0, K), Sigma);
  target += -trace(Sigma);
  y ~ multi_normal(rep_vector(1, K), R);
}
