data { int N; array[N] int<lower=1> y; }
parameters { real<lower=0> mu; real<lower=0> phi; }
model { for (n in 1:N) y[n] ~ neg_binomial_2(mu, phi) T[1, ]; mu ~ gamma(2, 1); phi ~ gamma(2, 1); }
