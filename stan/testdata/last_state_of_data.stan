// Recurrences of data whose last state, and states by other indices, are tracked.
data {
  int<lower=2> N;
  vector[N] y;
}
parameters {
  vector[N] q;
}
transformed parameters {
  vector[N] h;
  real level = 1;
  real same = 1;
  for (n in 1:N) {
    h[n] = level * q[n] * same;
    level = 0.5 * level + y[n];
    same *= 1;
  }
  real last = level;
}
model {
  q ~ normal(0, 1);
  target += -square(sum(h) + level * q[1]) - 0.1 * last * q[2];
}
