data { int T; vector[T] y; int p; }
// data: {"T": 7, "p": 2}
parameters { vector[p] phi; real<lower=0> s; }
model { for (t in (p + 1):T) y[t] ~ normal(dot_product(phi, reverse(y[(t - p):(t - 1)])), s); s ~ exponential(1); }
