data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] x;
  vector[N] y;
}
// data: {"N": 6, "K": 2}
transformed data {
  matrix[N, K] Q_ast = qr_thin_Q(x) * sqrt(N - 1);
  matrix[K, K] R_ast = qr_thin_R(x) / sqrt(N - 1);
}
parameters {
  real alpha;
  vector[K] theta;
  real<lower=0> sigma;
}
model {
  theta ~ normal(0, 2);
  y ~ normal(Q_ast * theta + alpha, sigma);
}
