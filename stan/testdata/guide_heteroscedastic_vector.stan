data { int N; int K; matrix[N, K] X; vector[N] y; }
parameters { vector[K] b; vector[K] g; }
model { y ~ normal(X * b, exp(X * g)); b ~ normal(0, 2); g ~ normal(0, 1); }
