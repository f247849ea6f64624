data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=0> nu_minus_one;
}
transformed parameters {
  real<lower=1> nu;
  nu = nu_minus_one + 1;
}
model {
  nu_minus_one ~ exponential(1.0 / 29);
  mu ~ normal(0, 10);
  sigma ~ uniform(0.001, 1000);
  y ~ student_t(nu, mu, sigma);
}
