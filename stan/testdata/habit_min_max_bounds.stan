data {
  int<lower=1> N;
  vector[N] x;
}
parameters {
  real<lower=0> a;
  real<lower=0, upper=a> b;
  array[2] real<lower=-1, upper=1> c;
}
model {
  a ~ gamma(2, 1);
  b ~ exponential(1);
  x ~ normal(fmin(a, 2) + fmax(b, c[1]), 1 + fabs(c[2]));
}
