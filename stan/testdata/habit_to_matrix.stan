data {
  int<lower=1> R;
  int<lower=1> C;
  vector[R * C] v;
  vector[R] y;
}
transformed data {
  matrix[R, C] X = to_matrix(v, R, C);
}
parameters {
  vector[C] b;
}
model {
  b ~ normal(0, 1);
  y ~ normal(X * b, 1);
}
