data { int<lower=1> N; vector[N] y; }
parameters { real m1; real<lower=0> gap; vector[3] z; }
transformed parameters {
  ordered[3] mu;
  mu[1] = m1;
  mu[2] = mu[1] + gap;
  mu[3] = mu[2] + exp(z[3]);
}
model { y ~ normal(mu[2], 1); mu ~ normal(0, 3); }
