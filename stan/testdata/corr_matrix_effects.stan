data {
  int<lower=1> K;
  int<lower=1> J;
  array[J] vector[K] beta_hat;
}
parameters {
  corr_matrix[K] Omega;
  vector<lower=0>[K] tau;
  vector[K] mu;
}
model {
  tau ~ cauchy(0, 2.5);
  Omega ~ lkj_corr(2);
  mu ~ normal(0, 3);
  beta_hat ~ multi_normal(mu, quad_form_diag(Omega, tau));
}
