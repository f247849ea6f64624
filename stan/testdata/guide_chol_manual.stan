data { int K; int N; array[N] vector[K] y; }
parameters { corr_matrix[K] R; vector<lower=0>[K] sd; }
transformed parameters { cov_matrix[K] S; S = diag_matrix(sd) * R * diag_matrix(sd); }
model { R ~ lkj_corr(1.5); sd ~ gamma(2, 1); for (n in 1:N) y[n] ~ multi_normal(rep_vector(0, K), S); }
