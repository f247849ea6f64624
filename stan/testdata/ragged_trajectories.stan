// Subjects with their own numbers of visits, padded with zeros.
// data: {"I": 3, "T": 4, "n_visits": [4, 2, 3]}
data {
  int<lower=1> I;
  int<lower=1> T;
  array[I] int n_visits;
  matrix[I, T] y;
}
parameters {
  real rho;
  vector[I] a;
  real<lower=0> s;
}
model {
  for (i in 1:I) {
    real e = 0;
    for (t in 1:n_visits[i]) {
      real m = a[i] + rho * e;
      y[i, t] ~ normal(m, s);
      e = y[i, t] - m;
    }
  }
  a ~ normal(0, 1);
  s ~ exponential(1);
}
