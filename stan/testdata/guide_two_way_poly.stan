data { int N; vector[N] x; vector[N] y; int<lower=1> D; }
// data: {"N": 6, "D": 3}
transformed data { matrix[N, D + 1] P; for (d in 0:D) for (n in 1:N) P[n, d + 1] = x[n]^d; }
parameters { vector[D + 1] b; real<lower=0> s; }
model { b ~ normal(0, 2); s ~ exponential(1); y ~ normal(P * b, s); }
