data { int N; int K; matrix[N, K] f; vector[N] y; }
parameters { simplex[K] w; real<lower=0> s; }
model { w ~ dirichlet(rep_vector(1.0, K)); s ~ exponential(1); y ~ normal(f * w, s); }
generated quantities { vector[N] e = y - f * w; real r2 = 1 - variance(e) / variance(y); }
