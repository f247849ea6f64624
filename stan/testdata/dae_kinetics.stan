// Robertson's reactions, whose rates differ by eight powers of ten, with the sum of all as an
// algebraic equation.
// data: {"N": 4, "ts": [0.4, 4, 40, 400], "y": [0.98, 0.9, 0.71, 0.45]}
// ode: true
functions {
  vector chem(real t, vector yy, vector yp, real alpha, real beta, real gamma) {
    vector[3] res;
    res[1] = yp[1] + alpha * yy[1] - beta * yy[2] * yy[3];
    res[2] = yp[2] - alpha * yy[1] + beta * yy[2] * yy[3] + gamma * yy[2] * yy[2];
    res[3] = yy[1] + yy[2] + yy[3] - 1.0;
    return res;
  }
}
data {
  int<lower=0> N;
  array[N] real ts;
  vector[N] y;
}
transformed data {
  vector[3] yy0 = [1, 0, 0]';
  vector[3] yp0 = [-0.04, 0.04, 0.0]';
}
parameters {
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  array[N] vector[3] yy = dae(chem, yy0, yp0, 0, ts, 0.04 * alpha, 1e4, 3e7);
  alpha ~ lognormal(0, 0.3);
  sigma ~ lognormal(-1, 1);
  for (n in 1:N) y[n] ~ normal(yy[n, 1], sigma);
}
