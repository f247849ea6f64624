data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real xi;
  real<lower=0> omega;
  real alpha;
  real<lower=0, upper=1> tau;
}
model {
  alpha ~ normal(0, 4);
  y ~ skew_normal(xi, omega, alpha);
  y ~ skew_double_exponential(xi, omega, tau);
  y ~ exp_mod_normal(xi, omega, 1.5);
  y ~ gumbel(xi, omega);
  y ~ logistic(xi, omega);
}
