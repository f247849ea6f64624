data {
  int<lower=1> N;
  int<lower=1> K;
  vector[N] y;
}
parameters {
  vector[K] mu;
}
model {
  mu ~ normal(0, 2);
  for (n in 1:N) {
    real m = negative_infinity();
    real s = 0;
    for (k in 1:K)
      m = fmax(m, -0.5 * square(y[n] - mu[k]));
    for (k in 1:K)
      s += exp(-0.5 * square(y[n] - mu[k]) - m);
    target += m + log(s);
  }
}
