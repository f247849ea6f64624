data {
  int<lower=2> N;
  vector[N] y;
}
parameters {
  array[2] real a;
}
model {
  for (n in 1:N) {
    int half = (2 * n - 1) / (N + 1) + 1;
    y[n] ~ normal(a[half > 2 ? 2 : half] + n % 3, 1 + n %/% 2);
  }
}
