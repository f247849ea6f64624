data {
  int<lower=1> N;
  int<lower=1> S;
  int<lower=1> I;
  array[N] int<lower=1, upper=S> subj;
  array[N] int<lower=1, upper=I> item;
  vector[N] so;
  vector<lower=0>[N] rt;
}
parameters {
  vector[2] beta;
  real<lower=0> sigma_e;
  vector<lower=0>[2] sigma_u;
  vector<lower=0>[2] sigma_w;
  cholesky_factor_corr[2] L_u;
  cholesky_factor_corr[2] L_w;
  matrix[2, S] z_u;
  matrix[2, I] z_w;
}
transformed parameters {
  matrix[2, S] u;
  matrix[2, I] w;
  u = diag_pre_multiply(sigma_u, L_u) * z_u;
  w = diag_pre_multiply(sigma_w, L_w) * z_w;
}
model {
  real mu;
  L_u ~ lkj_corr_cholesky(2.0);
  L_w ~ lkj_corr_cholesky(2.0);
  to_vector(z_u) ~ normal(0, 1);
  to_vector(z_w) ~ normal(0, 1);
  for (i in 1:N) {
    mu = beta[1] + u[1, subj[i]] + w[1, item[i]] + (beta[2] + u[2, subj[i]] + w[2, item[i]]) * so[i];
    rt[i] ~ lognormal(mu, sigma_e);
  }
}
