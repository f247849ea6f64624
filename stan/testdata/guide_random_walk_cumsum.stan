data { int T; array[T] int<lower=0> y; }
parameters { vector[T] w; real<lower=0> s; real a; }
transformed parameters { vector[T] lam = a + cumulative_sum(w) * s; }
model { w ~ std_normal(); s ~ exponential(2); a ~ normal(0, 2); y ~ poisson_log(lam); }
