data {
  int<lower=2> T;
  int<lower=1> M;
  array[T] vector[M] Y;
}
parameters {
  matrix[M, M] A;
  cholesky_factor_corr[M] L;
  vector<lower=0>[M] tau;
  vector[M] mu0;
}
model {
  array[T - 1] vector[M] mus;
  for (t in 2:T)
    mus[t - 1] = mu0 + A * Y[t - 1];
  to_vector(A) ~ normal(0, 0.5);
  L ~ lkj_corr_cholesky(2.0);
  tau ~ cauchy(0, 1);
  Y[2:T] ~ multi_normal_cholesky(mus, diag_pre_multiply(tau, L));
}
