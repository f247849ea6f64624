functions {
  void prior_lp(real a, real b) {
    a ~ normal(0, 1);
    b ~ normal(a, 1);
  }
}
parameters {
  real a;
  real b;
}
model {
  prior_lp(a, b);
}
