// The partial likelihood of proportional hazards: each event against those still at risk.
// data: {"N": 5}
data {
  int<lower=1> N;
  vector[N] x;
}
parameters {
  real beta;
}
model {
  vector[N] eta = x * beta;
  beta ~ normal(0, 2);
  for (n in 1:N)
    target += eta[n] - log_sum_exp(eta[n:N]);
}
