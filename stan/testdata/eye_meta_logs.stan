data {
  int<lower=0> J;
  array[J] int<lower=0> n_t;
  array[J] int<lower=0> r_t;
  array[J] int<lower=0> n_c;
  array[J] int<lower=0> r_c;
}
// data: {"J": 3, "n_t": [39, 44, 107], "r_t": [3, 7, 5], "n_c": [38, 40, 110], "r_c": [3, 14, 11]}
transformed data {
  array[J] real y;
  array[J] real<lower=0> sigma;
  for (j in 1:J)
    y[j] = log(r_t[j]) - log(n_t[j] - r_t[j]) - (log(r_c[j]) - log(n_c[j] - r_c[j]));
  for (j in 1:J)
    sigma[j] = sqrt(1 / r_t[j] + 1 / (n_t[j] - r_t[j]) + 1 / r_c[j] + 1.0 / (n_c[j] - r_c[j]));
}
parameters {
  array[J] real theta;
  real mu;
  real<lower=0> tau;
}
model {
  y ~ normal(theta, sigma);
  theta ~ normal(mu, tau);
  mu ~ normal(0, 10);
  tau ~ cauchy(0, 5);
}
