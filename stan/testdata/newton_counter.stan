// data: {"N": 3, "y": [0.3, 1.2, -0.4], "M": 20}
// Newton's method whose turns store their points and read the number that counts them.
data { int N; vector[N] y; int M; }
parameters { real<lower=0> a; real<lower=0> s; }
transformed parameters {
  real z = 2;
  {
    int i = 1;
    real d = 1;
    vector[M] path = rep_vector(0, M);
    while (i <= M && fabs(d) > 1e-9) {
      d = (z * z - a) / (2 * z);
      z -= d / (1 + 0.0 * i);
      path[i] = z;
      i = i + 1;
    }
    if (i > M + 1) reject("no convergence");
  }
}
model { y ~ normal(z, s); a ~ exponential(1); s ~ exponential(1); }
