data { int I; int N; int K; array[N] int<lower=1, upper=I> item; array[N] int<lower=1, upper=K> y; vector[N] x; }
parameters { array[I] ordered[K - 1] c; real b; }
model { for (i in 1:I) c[i] ~ normal(0, 2); for (n in 1:N) y[n] ~ ordered_logistic(b * x[n], c[item[n]]); }
