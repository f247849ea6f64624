data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> p;
  vector[2] mu;
  real<lower=0> s;
}
model {
  vector[N] lp1;
  vector[N] lp2;
  for (n in 1:N) {
    lp1[n] = log(p) + normal_lpdf(y[n] | mu[1], s);
    lp2[n] = log1m(p) + normal_lpdf(y[n] | mu[2], s);
    target += log_sum_exp(lp1[n], lp2[n]);
  }
  mu ~ normal(0, 3);
  s ~ lognormal(0, 1);
}
