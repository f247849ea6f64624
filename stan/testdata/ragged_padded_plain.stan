// data: {"I": 3, "T": 4, "n": [4, 2, 3]}
data {
  int<lower=1> I;
  int<lower=1> T;
  array[I] int<lower=0> n;
  array[I, T] real y;
}
parameters {
  vector[I] mu;
}
model {
  mu ~ normal(0, 2);
  for (i in 1:I)
    for (t in 1:n[i])
      y[i, t] ~ normal(mu[i], 1);
}
