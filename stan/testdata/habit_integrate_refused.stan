// refused: E0804
functions {
  real f(real x, real xc, array[] real theta, array[] real x_r, array[] int x_i) {
    return exp(-theta[1] * x);
  }
}
data {
  real<lower=0> y;
}
parameters {
  real<lower=0> a;
}
model {
  target += integrate_1d(f, 0, y, {a}, {0.0}, {1}, 1e-8);
}
