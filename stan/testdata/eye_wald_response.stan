functions {
  real shifted_wald_lpdf(real x, real gamma, real alpha, real theta) {
    real tmp1;
    real tmp2;
    tmp1 = alpha / (sqrt(2 * pi() * pow(x - theta, 3)));
    tmp2 = exp(-1 * square(alpha - gamma * (x - theta)) / (2 * (x - theta)));
    return log(tmp1 * tmp2);
  }
}
data {
  int<lower=1> N;
  vector<lower=0.3>[N] rt;
}
parameters {
  real<lower=0> gamma;
  real<lower=0> alpha;
  real<lower=0, upper=0.25> theta;
}
model {
  gamma ~ normal(1, 1);
  alpha ~ normal(1, 1);
  for (n in 1:N)
    target += shifted_wald_lpdf(rt[n] | gamma, alpha, theta);
}
