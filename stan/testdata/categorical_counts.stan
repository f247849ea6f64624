data {
  int<lower=2> K;
  array[K] int<lower=0> y;
}
parameters {
  simplex[K] theta;
}
model {
  theta ~ dirichlet(rep_vector(0.7, K));
  y ~ multinomial(theta);
}
