// ode: yes
functions {
  real[] sir(real t, real[] y, real[] theta, real[] x_r, int[] x_i) {
    real dydt[3];
    real inf = theta[1] * y[1] * y[2] / x_i[1];
    dydt[1] = -inf;
    dydt[2] = inf - theta[2] * y[2];
    dydt[3] = theta[2] * y[2];
    return dydt;
  }
}
data {
  int<lower=1> T;
  real y0[3];
  real ts[T];
  int N;
  int cases[T];
}
// data: {"T": 3, "y0": [99, 1, 0], "ts": [1, 2, 3], "N": 100, "cases": [1, 2, 2]}
transformed data {
  real x_r[0];
  int x_i[1] = {N};
}
parameters {
  real<lower=0> gamma;
  real<lower=0> beta;
}
transformed parameters {
  real y[T, 3];
  {
    real theta[2];
    theta[1] = beta;
    theta[2] = gamma;
    y = integrate_ode_rk45(sir, y0, 0, ts, theta, x_r, x_i);
  }
}
model {
  beta ~ normal(1, 1);
  gamma ~ normal(0.4, 0.5);
  cases ~ poisson(col(to_matrix(y), 2));
}
