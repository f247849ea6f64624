// bound: E0811
// data: {"N": 6, "y": [1.5, -9, 0.3, -9, 2.0, 0.1]}
// Entries below -5 stand for values that are missing, and the program counts them itself.
data {
  int<lower=0> N;
  vector[N] y;
}
transformed data {
  int n_obs = 0;
  for (n in 1:N) n_obs += y[n] > -5;
  array[n_obs] int obs;
  array[N - n_obs] int mis;
  {
    int k = 0;
    int l = 0;
    for (n in 1:N) {
      if (y[n] > -5) {
        k += 1;
        obs[k] = n;
      } else {
        l += 1;
        mis[l] = n;
      }
    }
  }
}
parameters {
  real mu;
  real<lower=0> sigma;
  vector[N - n_obs] y_mis;
}
transformed parameters {
  vector[N] z;
  z[obs] = y[obs];
  z[mis] = y_mis;
}
model {
  mu ~ normal(0, 2);
  sigma ~ lognormal(0, 1);
  z[1] ~ normal(mu, 1);
  for (n in 2:N) z[n] ~ normal(mu + 0.5 * (z[n - 1] - mu), sigma);
}
