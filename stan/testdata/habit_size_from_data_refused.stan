// refused: E0811
data {
  int<lower=1> N;
  array[N] int<lower=1> g;
}
transformed data {
  int<lower=1> J = max(g);
}
parameters {
  vector[J] a;
}
model {
  a ~ normal(0, 1);
}
