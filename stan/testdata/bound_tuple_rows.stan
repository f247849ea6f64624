// bound: E0806
// data: {"N": 3, "d": [{"1": 1, "2": [0.5, 1.0]}, {"1": 3, "2": [0.1, -0.4]}, {"1": 2, "2": [0.7, 0.2]}]}
// Rows of data that are tuples of a count and of covariates.
data {
  int N;
  array[N] tuple(int, vector[2]) d;
}
parameters {
  real a;
  vector[2] b;
}
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1:N) d[n].1 ~ poisson_log(a + dot_product(d[n].2, b));
}
