// A tail probability at the location itself, where one of two formulas divides by zero.
parameters {
  real m;
  real<lower=0> s;
}
model {
  m ~ normal(0, 1);
  s ~ exponential(1);
  target += cauchy_lcdf(m | m, s) + 2 * cauchy_lccdf(m | m, s);
  target += cauchy_lcdf(0.5 | m, s);
}
