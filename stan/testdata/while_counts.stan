// data: {"N": 6, "y": [0.5, 1.5, 1, 3, 0.1, 2], "z": [0, 1, 0, 1, 0, 0]}
data { int<lower=1> N; vector[N] y; array[N] int<lower=0, upper=1> z; }
transformed data {
  int k = 1;
  int m = 1;
  int j;
  while (k < N && y[k] < 2) k += 1;
  while (m <= N && z[m] == 0) { m = m + 1; }
  j = 3;
  while (j <= N) j += 1;
}
parameters { real mu; real<lower=0> sigma; }
model {
  y ~ normal(mu, sigma);
  mu ~ normal(k, m);
  sigma ~ normal(0, j);
}
