// A column with gaps: parameters fill them, one after the other.
data {
  int<lower=1> N;
  int<lower=0> M;
  array[M] int<lower=1, upper=N> miss;
  vector[N] x_raw;
  vector[N] y;
}
// data: {"N": 5, "M": 2, "miss": [2, 4]}
parameters {
  vector[M] x_mis;
  real a;
  real b;
  real<lower=0> s;
}
model {
  vector[N] x = x_raw;
  for (m in 1:M) {
    x[miss[m]] = x_mis[m];
  }
  x ~ normal(0, 1);
  y ~ normal(a + b * x, s);
}
