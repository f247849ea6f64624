// data: {"T": 8, "N0": 2, "cases": [5, 2, 6, 0, 1, 8, 1, 5], "SI": [0.196, 0.277, 0.104, 0.071, 0.155, 0.11, 0.188, 0.065]}
// Renewal of infections: each day sums over all earlier days.
data { int<lower=1> T; int<lower=1> N0; array[T] int<lower=0> cases; vector[T] SI; }
parameters { real<lower=0> R0; real<lower=0> y0; vector[T] w; real<lower=0> phi; }
transformed parameters {
  vector[T] infections;
  vector[T] R;
  for (t in 1:T) R[t] = R0 * exp(0.1 * w[t]);
  for (t in 1:N0) infections[t] = y0;
  for (t in (N0 + 1):T) {
    real conv = 0;
    for (s in 1:(t - 1)) conv += infections[s] * SI[t - s];
    infections[t] = R[t] * conv;
  }
}
model {
  R0 ~ normal(2, 0.5); y0 ~ exponential(0.1); w ~ std_normal(); phi ~ exponential(1);
  for (t in 1:T) cases[t] ~ neg_binomial_2(infections[t] + 1e-3, phi);
}
