data {
  int<lower=1> A;
  int<lower=1> B;
  vector[A * B] y;
}
parameters {
  vector[A] u;
  vector[B] v;
}
model {
  vector[A * B] m;
  for (i in 1:A)
    for (j in 1:B)
      m[(i - 1) * B + j] = u[i] + v[j];
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  y ~ normal(m, 1);
}
