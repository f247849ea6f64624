// data: {"T": 8, "S": 4, "cases": [8, 6, 8, 2, 8, 8, 9, 0], "g": [0.348, 0.275, 0.368, 0.305]}
// Renewal of infections as products of slices.
data { int T; int S; array[T] int<lower=0> cases; vector[S] g; }
transformed data { vector[S] grev = reverse(g); }
parameters { real<lower=0> y0; vector[T] logR; real<lower=0> phi; }
transformed parameters {
  vector[T] inf;
  inf[1] = y0;
  for (t in 2:T) {
    int first = max(1, t - S);
    inf[t] = exp(0.2 * logR[t]) * dot_product(inf[first:(t - 1)], tail(grev, t - first));
  }
}
model { y0 ~ exponential(0.1); logR ~ std_normal(); phi ~ exponential(1);
  cases ~ neg_binomial_2(inf + 1e-3, phi); }
