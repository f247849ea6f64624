// Turns fill an array at a counter, and one entry ahead of it, which the next turn fills again.
data {
  int<lower=1> N;
  int<lower=1> M;
  vector[2 * N + 2] y;
}
// data: {"N": 3, "M": 3}
parameters {
  real mu;
  vector[3] b;
}
model {
  int n = 0;
  vector[2 * N + 2] x = rep_vector(b[3], 2 * N + 2);
  for (i in 1:N) {
    for (j in 1:M) {
      if (j <= 2) n += 1;
      if (j < 2) x[n] = mu * i + b[1] * j;
    }
    x[n + 1] = b[2];
  }
  target += dot_product(x, y) - n * b[3] - square(b[2]);
  b ~ std_normal();
  mu ~ std_normal();
}
