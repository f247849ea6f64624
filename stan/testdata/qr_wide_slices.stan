// The factors of a matrix by the older functions, of which the first columns and rows are taken, and
// a size that is taken of an array before anything is assigned to it.
// data: {"N": 6, "K": 2}
data {
  int<lower=2> K;
  int<lower=K> N;
  matrix[N, K] x;
  vector[N] y;
}
transformed data {
  array[N] int order;
  array[size(order)] real w;
  matrix[N, K] Q_ast = qr_Q(x)[ : , 1:K] * sqrt(N - 1.0);
  matrix[K, K] R_ast = qr_R(x)[1:K, ] / sqrt(N - 1.0);
  matrix[K, K] R_inverse = inverse(R_ast);
  for (n in 1:size(order)) order[n] = N + 1 - n;
  for (n in 1:num_elements(w)) w[n] = sqrt(order[n]);
}
parameters {
  real alpha;
  vector[K] theta;
  real<lower=0> sigma;
}
model {
  {alpha, theta[1], theta[2]} ~ normal(0, 3);
  { sigma ~ exponential(1); }
  for (n in 1:N) y[order[n]] ~ normal(alpha + Q_ast[n] * theta, sigma * w[n]);
}
generated quantities {
  vector[K] beta = R_inverse * theta;
}
