// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// A fixed point: the loop is left by its condition, or after 50 turns.
data { int N; vector[N] y; }
parameters { real<lower=0> a; real<lower=0> s; }
transformed parameters {
  real z = 0.5;
  {
    real diff = 1;
    int iter = 1;
    while (diff > 1e-10) {
      real znew = 1 - exp(-a * z * 0.4);
      diff = abs(znew - z);
      z = znew;
      iter += 1;
      if (iter > 50) break;
    }
  }
}
model { y ~ normal(z, s); a ~ normal(3, .1); s ~ exponential(1); }
