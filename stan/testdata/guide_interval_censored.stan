data { int N; vector[N] lo; vector<lower=0>[N] w; }
parameters { real mu; real<lower=0> s; }
model { for (n in 1:N) target += log(normal_cdf(lo[n] + w[n] + 0.1 | mu, s) - normal_cdf(lo[n] | mu, s)); mu ~ normal(0, 1); s ~ exponential(1); }
