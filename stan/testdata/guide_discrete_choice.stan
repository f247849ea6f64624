data { int N; int K; int P; array[N] matrix[K, P] X; array[N] int<lower=1, upper=K> y; }
parameters { vector[P] b; }
model { b ~ normal(0, 1); for (n in 1:N) y[n] ~ categorical_logit(X[n] * b); }
