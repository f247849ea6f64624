// The form that programs written by a formula interface have.
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> K;
  matrix[N, K] X;
  int<lower=1> N_1;
  int<lower=1> M_1;
  array[N] int<lower=1> J_1;
  vector[N] Z_1_1;
  vector[N] Z_1_2;
  int<lower=1> NC_1;
  int prior_only;
}
// data: {"N": 5, "K": 2, "N_1": 3, "M_1": 2, "J_1": [1, 2, 3, 3, 1], "NC_1": 1, "prior_only": 0}
parameters {
  vector[K] b;
  real<lower=0> sigma;
  vector<lower=0>[M_1] sd_1;
  matrix[M_1, N_1] z_1;
  cholesky_factor_corr[M_1] L_1;
}
transformed parameters {
  matrix[N_1, M_1] r_1;
  vector[N_1] r_1_1;
  vector[N_1] r_1_2;
  real lprior = 0;
  r_1 = (diag_pre_multiply(sd_1, L_1) * z_1)';
  r_1_1 = r_1[, 1];
  r_1_2 = r_1[, 2];
  lprior += student_t_lpdf(sigma | 3, 0, 2.5);
  lprior += student_t_lpdf(sd_1 | 3, 0, 2.5);
  lprior += lkj_corr_cholesky_lpdf(L_1 | 1);
}
model {
  if (!prior_only) {
    vector[N] mu = rep_vector(0.0, N);
    mu += X * b;
    for (n in 1:N) {
      mu[n] += r_1_1[J_1[n]] * Z_1_1[n] + r_1_2[J_1[n]] * Z_1_2[n];
    }
    target += normal_lpdf(Y | mu, sigma);
  }
  target += lprior;
  target += std_normal_lpdf(to_vector(z_1));
}
generated quantities {
  corr_matrix[M_1] Cor_1 = multiply_lower_tri_self_transpose(L_1);
}
