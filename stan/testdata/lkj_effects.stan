data {
  int<lower=0> N;
  int<lower=1> K;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> jj;
  matrix[N, K] x;
  vector[N] y;
}
parameters {
  matrix[K, J] z;
  cholesky_factor_corr[K] L_Omega;
  vector<lower=0>[K] tau;
  vector[K] gamma;
  real<lower=0> sigma;
}
transformed parameters {
  matrix[J, K] beta = rep_matrix(gamma', J) + (diag_pre_multiply(tau, L_Omega) * z)';
}
model {
  to_vector(z) ~ std_normal();
  L_Omega ~ lkj_corr_cholesky(2);
  tau ~ cauchy(0, 2.5);
  gamma ~ normal(0, 5);
  sigma ~ exponential(1);
  y ~ normal(rows_dot_product(beta[jj], x), sigma);
}
