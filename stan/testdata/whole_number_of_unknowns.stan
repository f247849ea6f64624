// data: {"N": 3, "y": [0.3, 1.2, -0.4]}
// Whole numbers that unknowns decide are carried from turn to turn, and are terms of the density.
data { int N; vector[N] y; }
parameters { vector[N] b; real<lower=0> s; }
model {
  int k = 1;
  int j = 0;
  for (n in 1:N) { if (b[n] > 0) { k += 1; } j += k; }
  target += -0.3 * k;
  target += -0.1 * j * k;
  if (k > 2) target += -3;
  b ~ std_normal(); s ~ exponential(1);
  y ~ normal(k, s);
}
