data {
  int<lower=2> T;
  array[T] real y;
}
parameters {
  vector[T - 1] u_err;
  vector[T - 1] v_err;
  real u0;
  real v0;
  real<lower=0> s_slope;
  real<lower=0> s_level;
  real<lower=0> s_obs;
}
transformed parameters {
  vector[T] u;
  vector[T] v;
  u[1] = u0;
  v[1] = v0;
  for (t in 2:T) {
    u[t] = u[t - 1] + v[t - 1] + s_level * u_err[t - 1];
    v[t] = v[t - 1] + s_slope * v_err[t - 1];
  }
}
model {
  u_err ~ normal(0, 1);
  v_err ~ normal(0, 1);
  for (t in 1:T)
    y[t] ~ normal(u[t], s_obs);
}
