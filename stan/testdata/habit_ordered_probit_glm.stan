data {
  int<lower=1> N;
  int<lower=1> D;
  int<lower=2> K;
  matrix[N, D] x;
  array[N] int<lower=1, upper=K> y;
  array[N] int<lower=1, upper=K> z;
}
parameters {
  vector[D] beta;
  ordered[K - 1] c;
}
model {
  y ~ ordered_logistic_glm(x, beta, c);
  for (n in 1:N)
    z[n] ~ ordered_probit(x[n] * beta, c);
}
