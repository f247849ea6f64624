data {
  int<lower=0> N;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  vector[N] x;
}
parameters {
  real<lower=0> alpha;
  real b0;
  real b1;
}
model {
  alpha ~ gamma(1, 1);
  b0 ~ normal(0, 5);
  b1 ~ normal(0, 2);
  for (n in 1:N) {
    real s = exp(-(b0 + b1 * x[n]) / alpha);
    if (event[n] == 1)
      target += weibull_lpdf(t[n] | alpha, s);
    else
      target += weibull_lccdf(t[n] | alpha, s);
  }
}
