data {
  int<lower=0> N;
  array[N, 2] int<lower=0, upper=1> y_observed;
  array[N] vector[2] y;
}
parameters {
  vector[2] mu;
  cov_matrix[2] Sigma;
}
model {
  for (n in 1:N) {
    if (y_observed[n, 1] && y_observed[n, 2]) {
      y[n] ~ multi_normal(mu, Sigma);
    } else if (y_observed[n, 1]) {
      y[n, 1] ~ normal(mu[1], sqrt(Sigma[1, 1]));
    } else if (y_observed[n, 2]) {
      y[n, 2] ~ normal(mu[2], sqrt(Sigma[2, 2]));
    }
  }
}
