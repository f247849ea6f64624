// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// Functions that add to the density, called in sums of terms.
functions {
  real twice_lp(real x) { target += -x^2; return -0.5 * x; }
}
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> s; }
model {
  target += normal_lpdf(y | mu, s) + twice_lp(mu);
  target += twice_lp(s) + exponential_lpdf(s | 1);
}
