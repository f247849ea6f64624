// refused: E0810
// Each turn fills more entries of the next row: in Stan the others are no numbers.
data { int N; int<lower=0, upper=N> y; }
// data: {"N": 4, "y": 2}
parameters { vector<lower=0, upper=1>[N] theta; }
model {
  matrix[N + 1, N + 1] alpha;
  alpha[1, 1] = 1.0;
  for (n in 1:N) {
    alpha[n + 1, 1] = alpha[n, 1] * (1 - theta[n]);
    for (tot in 1:(n - 1))
      alpha[n + 1, tot + 1] = alpha[n, tot] * theta[n] + alpha[n, tot + 1] * (1 - theta[n]);
    alpha[n + 1, n + 1] = alpha[n, n] * theta[n];
  }
  target += log(alpha[N + 1, y + 1]);
}
