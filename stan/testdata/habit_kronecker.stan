// Blocks of a matrix are filled in nested loops, as a Kronecker product is.
data {
  int<lower=1> A;
  int<lower=1> B;
  matrix[A, A] G;
  vector[A * B] y;
}
// data: {"A": 2, "B": 2}
parameters {
  matrix[B, B] H;
  vector[A * B] m;
}
transformed parameters {
  matrix[A * B, A * B] K;
  vector[A * B] twice;
  for (i in 1:A) {
    for (j in 1:A) {
      K[((i - 1) * B + 1):(i * B), ((j - 1) * B + 1):(j * B)] = G[i, j] * H;
    }
    twice[((i - 1) * B + 1):(i * B)] = i * m[((i - 1) * B + 1):(i * B)];
  }
}
model {
  to_vector(H) ~ normal(0, 1);
  m ~ normal(0, 2);
  y ~ normal(K * twice, 1);
}
