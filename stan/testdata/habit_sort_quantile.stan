data {
  int<lower=2> N;
  vector[N] y;
}
transformed data {
  real med = quantile(y, 0.5);
  vector[N] ys = sort_asc(y);
}
parameters {
  real m;
}
model {
  m ~ normal(med, 1);
  ys ~ normal(m, 2);
}
