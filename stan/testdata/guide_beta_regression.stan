data { int N; vector<lower=0, upper=1>[N] y; vector[N] x; }
parameters { real a; real b; real<lower=0> phi; }
model { vector[N] mu = inv_logit(a + b * x); y ~ beta_proportion(mu, phi); phi ~ gamma(2, 0.1); a ~ normal(0, 1); }
