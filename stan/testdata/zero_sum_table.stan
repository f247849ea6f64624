// Interactions of two factors: rows and columns sum to 0.
data {
  int<lower=0> N;
  int<lower=2> I;
  int<lower=2> J;
  array[N] int<lower=1, upper=I> i;
  array[N] int<lower=1, upper=J> j;
  vector[N] y;
}
parameters {
  real mu;
  sum_to_zero_matrix[I, J] b;
  real<lower=0> s;
}
model {
  mu ~ normal(0, 2);
  to_vector(b) ~ normal(0, 1);
  s ~ exponential(1);
  for (n in 1:N) y[n] ~ normal(mu + b[i[n], j[n]], s);
}
