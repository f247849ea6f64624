data {
  int<lower=2> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
}
transformed data {
  matrix[N, K] Xs;
  vector[K] m;
  vector[K] s;
  for (k in 1:K) {
    m[k] = mean(X[, k]);
    s[k] = sd(col(X, k));
    Xs[, k] = (X[, k] - m[k]) / s[k];
  }
}
parameters {
  real a;
  vector[K] b;
  real<lower=0> sigma;
}
model {
  b ~ normal(0, 1);
  y ~ normal(a + Xs * b, sigma);
}
generated quantities {
  vector[K] b_raw = b ./ s;
  real a_raw = a - dot_product(m, b_raw);
}
