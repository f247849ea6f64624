data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  array[N] int<lower=0, upper=1> y;
  real<lower=0> scale;
}
parameters {
  real alpha;
  vector[P] beta;
}
transformed parameters {
  vector[N] eta = alpha + X * beta;
  vector<lower=0, upper=1>[N] prob = inv_logit(eta);
}
model {
  alpha ~ cauchy(0, scale);
  beta ~ double_exponential(0, scale);
  y ~ bernoulli(prob);
}
generated quantities {
  array[N] int y_rep;
  real accuracy = 0;
  for (n in 1:N)
    y_rep[n] = bernoulli_rng(prob[n]);
  for (n in 1:N)
    accuracy += (prob[n] > 0.5) == y[n];
  accuracy /= N;
}
