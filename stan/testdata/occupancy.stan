data {
  int<lower=1> S;
  int<lower=1> J;
  array[S, J] int<lower=0, upper=1> y;
}
transformed data {
  array[S] int<lower=0> seen;
  for (s in 1:S)
    seen[s] = sum(y[s]);
}
parameters {
  real<lower=0, upper=1> psi;
  real<lower=0, upper=1> p;
}
model {
  for (s in 1:S) {
    if (seen[s] > 0) {
      target += log(psi) + binomial_lpmf(seen[s] | J, p);
    } else {
      target += log_sum_exp(log(psi) + binomial_lpmf(0 | J, p), log1m(psi));
    }
  }
}
