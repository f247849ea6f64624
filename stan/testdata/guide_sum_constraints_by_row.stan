data { int I; int J; matrix[I, J] y; }
parameters { array[I] sum_to_zero_vector[J] e; real<lower=0> s; }
model { for (i in 1:I) { e[i] ~ normal(0, 1); y[i] ~ normal(e[i]', s); } s ~ exponential(1); }
