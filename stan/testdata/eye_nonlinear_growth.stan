data {
  int<lower=1> N;
  int<lower=1> G;
  array[N] int<lower=1, upper=G> id;
  vector[N] age;
  vector[N] size;
}
parameters {
  array[G] real b;
  real<lower=0> A;
  real k;
  real<lower=0> sigma;
  real<lower=0> sb;
}
model {
  b ~ normal(0, sb);
  for (i in 1:N) {
    real m;
    m = A / (1 + exp(-(age[i] - b[id[i]]) / exp(k)));
    size[i] ~ normal(m, sigma);
  }
  A ~ normal(0, 200);
  k ~ normal(0, 1);
  sigma ~ exponential(1);
  sb ~ exponential(1);
}
