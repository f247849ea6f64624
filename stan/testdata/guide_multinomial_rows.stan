data { int N; int K; int P; array[N, K] int<lower=0> y; matrix[N, P] X; }
parameters { matrix[P, K - 1] B; }
model {
  to_vector(B) ~ normal(0, 1);
  for (n in 1:N) y[n] ~ multinomial(softmax(append_row(0, (X[n] * B)')));
}
