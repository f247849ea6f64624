data { int N; vector[N] y; array[N] int<lower=0, upper=1> obs; }
transformed data {
  int n_obs = sum(obs);
  real total = 0;
  for (n in 1:N) if (obs[n] == 1) total += y[n];
}
parameters { real mu; }
model { target += -0.5 * n_obs * square(mu) + mu * total; }
