data {
  int<lower=1> J;
  int<lower=1> L;
  array[J] vector[L] y;
  array[J] matrix[L, L] S;
}
// data: {"J": 2, "L": 2, "S": [[[1.0, 0.2], [0.2, 2.0]], [[1.5, 0.1], [0.1, 0.8]]]}
parameters {
  vector[L] mu;
}
model {
  mu ~ normal(0, 5);
  for (j in 1:J)
    y[j] ~ multi_normal(mu, S[j]);
}
