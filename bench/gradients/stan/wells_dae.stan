// Who switches to a safe well: logistic regression.
data {
  int<lower=0> N;
  int<lower=0, upper=1> switched[N];
  vector[N] dist;
  vector[N] arsenic;
  vector[N] educ;
}
transformed data {
  matrix[N, 3] x = append_col(dist / 100, append_col(arsenic, educ / 4));
}
parameters {
  real alpha;
  vector[3] beta;
}
model {
  switched ~ bernoulli_logit_glm(x, alpha, beta);
}
