// ode: yes
functions {
  vector dz_dt(real t, vector z, real alpha, real beta, real gamma, real delta) {
    real u = z[1];
    real v = z[2];
    return [(alpha - beta * v) * u, (-gamma + delta * u) * v]';
  }
}
data {
  int<lower=0> N;
  array[N] real ts;
  vector<lower=0>[2] y_init;
  array[N] vector<lower=0>[2] y;
}
// data: {"N": 3, "ts": [0.5, 1.0, 1.5], "y_init": [1.2, 0.8]}
parameters {
  array[4] real<lower=0> theta;
  vector<lower=0>[2] z_init;
  vector<lower=0>[2] sigma;
}
transformed parameters {
  array[N] vector[2] z = ode_rk45(dz_dt, z_init, 0.0, ts, theta[1], theta[2], theta[3], theta[4]);
}
model {
  theta[{1, 3}] ~ normal(1, 0.5);
  theta[{2, 4}] ~ normal(0.05, 0.05);
  sigma ~ lognormal(-1, 1);
  z_init ~ lognormal(log(10), 1);
  for (k in 1:2) {
    y_init[k] ~ lognormal(log(z_init[k]), sigma[k]);
    y[, k] ~ lognormal(log(z[, k]), sigma[k]);
  }
}
