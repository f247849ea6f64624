data { int N; int D; matrix[N, D] X; vector[N] y; }
parameters { vector[D] q; vector[D] b; }
model {
  vector[N] a = softmax(X * q / sqrt(D));
  row_vector[D] ctx = a' * X;
  y ~ normal(X * b + ctx * b, 1);
  q ~ normal(0, 1);
  b ~ normal(0, 1);
}
