// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// Bisection of data alone, in a loop with a tolerance.
functions {
  real solve(real lo0, real hi0, real a) {
    real lo = lo0;
    real hi = hi0;
    int n = 0;
    while (hi - lo > 1e-9) {
      real mid = 0.5 * (lo + hi);
      if (mid * exp(mid) > a) hi = mid; else lo = mid;
      n += 1;
      if (n > 60) break;
    }
    return 0.5 * (lo + hi);
  }
}
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> s; }
model {
  real r = solve(0, 4, 2.5);
  y ~ normal(mu * r, s);
  s ~ exponential(1);
}
