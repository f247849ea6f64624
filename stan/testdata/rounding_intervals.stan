data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma_sq;
  vector<lower=-0.5, upper=0.5>[N] y_err;
}
transformed parameters {
  real<lower=0> sigma = sqrt(sigma_sq);
  vector[N] z = y + y_err;
}
model {
  sigma_sq ~ scaled_inv_chi_square(3, 1);
  z ~ normal(mu, sigma);
}
