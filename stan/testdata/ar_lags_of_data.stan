// data: {"T": 24, "P": 4, "y": [0.56, 0.749, 0.596, -0.215, -0.202, -0.793, 0.269, -0.876, -0.865, -0.582, -0.675, -0.32, -0.895, -1.0, -0.697, -0.797, -0.273, -0.949, 0.749, 0.228, -0.703, -0.495, -0.305, -0.272]}
// An autoregression whose number of lags the data give.
data { int T; int P; vector[T] y; }
parameters { real a; vector[P] b; real<lower=0> s; vector[T] z; }
transformed parameters {
  vector[T] x;
  for (t in 1:P) x[t] = z[t];
  for (t in (P + 1):T) {
    real m = a;
    for (p in 1:P) m += b[p] * x[t - p];
    x[t] = m + 0.3 * z[t];
  }
}
model { a ~ normal(0, 1); b ~ normal(0, 0.2); s ~ exponential(1); z ~ std_normal();
  y ~ normal(x, s); }
