// bound: E0811
// The number of groups is the largest of their numbers.
data {
  int<lower=1> N;
  array[N] int<lower=1> g;
  vector[N] y;
}
transformed data {
  int<lower=1> J = max(g);
  int n_first = 0;
  for (n in 1:N) {
    if (g[n] == 1) n_first += 1;
  }
}
parameters {
  vector[J] a;
  vector[n_first] b;
  real<lower=0> s;
}
model {
  a ~ normal(0, 1);
  b ~ normal(a[1], 2);
  s ~ exponential(1);
  for (n in 1:N)
    y[n] ~ normal(a[g[n]], s);
}
