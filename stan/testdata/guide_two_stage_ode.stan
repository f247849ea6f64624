// ode: yes
functions {
  vector sys(real t, vector y, vector theta, data real scale) {
    vector[2] d;
    d[1] = -theta[1] * y[1] * scale;
    d[2] = theta[1] * y[1] - theta[2] * y[2];
    return d;
  }
}
data { int T; array[T] real ts; array[T] real y; real<lower=0> sc; }
// data: {"T": 3, "ts": [0.3, 0.9, 1.7]}
parameters { vector<lower=0>[2] theta; real<lower=0> s; }
model {
  array[T] vector[2] mu = ode_bdf(sys, [1.0, 0.5]', 0, ts, theta, sc);
  for (t in 1:T) y[t] ~ normal(mu[t, 2], s);
  theta ~ lognormal(0, 0.5);
  s ~ exponential(1);
}
