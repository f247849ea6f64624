data {
  int<lower=1> N;
  int<lower=1> A;
  int<lower=1> B;
  array[N] int<lower=1, upper=A> aa;
  array[N] int<lower=1, upper=B> bb;
  vector[N] y;
}
parameters {
  matrix[A, B] theta;
  real<lower=0> sigma;
}
model {
  for (i in 1:A)
    for (j in 1:B)
      theta[i, j] ~ normal(0, 1);
  for (n in 1:N)
    y[n] ~ normal(theta[aa[n], bb[n]], sigma);
}
