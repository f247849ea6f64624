// Truncation of laws whose distribution functions are functions: of the program, and of the library.
// data: {"N": 3, "y": [0.4, 1.1, 2.5], "n": [2, 4, 1], "z": [0.4, 0.9, -0.2]}
functions {
  real spread_lpdf(real y, real s) {
    return -log(s) - log(pi()) - log1p(square(y / s));
  }
  real spread_lcdf(real y, real s) {
    return log(0.5 + atan(y / s) / pi());
  }
  real spread_lccdf(real y, real s) {
    return log(0.5 - atan(y / s) / pi());
  }
  real jumps_lpmf(int n, real p) {
    return n * log1m(p) + log(p);
  }
  real jumps_lcdf(int n, real p) {
    return log1m_exp((n + 1) * log1m(p));
  }
}
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=0> n;
  vector[N] z;
}
parameters {
  real<lower=0> s;
  real<lower=0, upper=1> p;
  real<lower=0> kappa;
  vector[N] mu;
}
model {
  for (k in 1:N) {
    y[k] ~ spread(s) T[0, ];
    n[k] ~ jumps(p) T[1, 5];
    z[k] ~ von_mises(mu[k], kappa) T[-1, 1];
  }
  z ~ von_mises(mu, kappa) T[ , 2];
  s ~ spread(1) T[0, 3];
  n ~ beta_binomial(6, s, kappa) T[1, ];
  mu ~ normal(0, 1);
  kappa ~ exponential(1);
}
