// Totals of groups, added up row by row.
data {
  int<lower=1> N;
  int<lower=1> G;
  array[N] int<lower=1, upper=G> g;
  vector[N] x;
  vector[G] y;
}
parameters {
  real b;
  real<lower=0> s;
}
model {
  vector[G] total = rep_vector(0, G);
  for (n in 1:N)
    total[g[n]] += b * x[n];
  y ~ normal(total, s);
}
