data { int N; array[N] vector[2] x; vector[N] y; }
parameters { real<lower=0> a1; real<lower=0> a2; real<lower=0> r1; real<lower=0> r2; real<lower=0> s; }
model {
  matrix[N, N] K = gp_exp_quad_cov(x, a1, r1) + gp_matern32_cov(x, a2, r2);
  matrix[N, N] L = cholesky_decompose(add_diag(K, square(s) + 1e-9));
  y ~ multi_normal_cholesky(zeros_vector(N), L);
  [a1, a2, r1, r2, s]' ~ gamma(2, 1);
}
