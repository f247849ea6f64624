// data: {"T": 6, "A": 4, "y": [6, 1, 7, 4, 8, 3]}
// A population by age classes, its last class with what is left of it.
data { int T; int A; array[T] int<lower=0> y; }
parameters { vector<lower=0, upper=1>[A - 1] s; real<lower=0> f; vector<lower=0>[A] n0; }
transformed parameters {
  matrix[A, T] n;
  n[, 1] = n0;
  for (t in 2:T) {
    n[1, t] = f * sum(n[2:A, t - 1]);
    for (a in 2:A) n[a, t] = n[a - 1, t - 1] * s[a - 1];
    n[A, t] += n[A, t - 1] * s[A - 1];
  }
}
model { s ~ beta(2, 2); f ~ exponential(1); n0 ~ exponential(0.2);
  for (t in 1:T) y[t] ~ poisson(sum(n[, t]) + 0.1); }
