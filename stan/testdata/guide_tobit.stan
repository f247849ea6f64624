data { int N; vector<lower=0>[N] y; vector[N] x; }
// data: {"N": 4, "y": [0, 1.2, 0, 0.4]}
parameters { real a; real b; real<lower=0> s; }
model {
  for (n in 1:N) {
    real mu = a + b * x[n];
    if (y[n] > 0) y[n] ~ normal(mu, s);
    else target += normal_lcdf(0 | mu, s);
  }
}
