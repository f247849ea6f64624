// A factor model whose loadings are a Cholesky factor of more rows than columns.
data {
  int<lower=1> N;
  array[N] vector[4] y;
}
parameters {
  cholesky_factor_cov[4, 2] L;
  vector<lower=0>[4] psi;
}
model {
  to_vector(L) ~ normal(0, 1);
  L[1, 1] ~ gamma(2, 1);
  psi ~ inv_gamma(2, 1);
  y ~ multi_normal(rep_vector(0, 4), L * L' + diag_matrix(psi));
}
