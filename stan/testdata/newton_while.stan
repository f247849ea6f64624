// data: {"N": 4, "y": [0.3, 1.2, -0.4, 0.8], "max_it": 30}
// Newton's method with a tolerance and a highest number of steps, both of which the loop tests.
functions {
  real root(real a, real b, int max_it, real tol) {
    real x = 1;
    real f = 1;
    int it = 0;
    while (abs(f) > tol && it < max_it) {
      f = x + a * exp(x / 4) - b;
      x = x - f / (1 + a / 4 * exp(x / 4));
      it += 1;
    }
    return x;
  }
}
data { int N; vector[N] y; int max_it; }
parameters { real<lower=0> a; real b; real<lower=0> s; }
transformed parameters {
  real r = root(a, b, max_it, 1e-10);
}
model {
  a ~ exponential(1); b ~ normal(0, 2); s ~ exponential(1);
  y ~ normal(r, s);
}
