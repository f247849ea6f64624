data { int T; int S; vector[T] t; vector[S] tc; vector[T] y; }
transformed data { matrix[T, S] A = rep_matrix(0, T, S); for (i in 1:T) for (s in 1:S) if (t[i] >= tc[s]) A[i, s] = 1; }
parameters { real k; real m; vector[S] delta; real<lower=0> sg; }
model { k ~ normal(0, 5); m ~ normal(0, 5); delta ~ double_exponential(0, 0.05); sg ~ normal(0, 0.5); y ~ normal((k + A * delta) .* t + (m + A * (-tc .* delta)), sg); }
