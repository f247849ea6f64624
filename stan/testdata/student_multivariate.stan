data {
  int<lower=1> D;
  int<lower=0> N;
  array[N] vector[D] y;
  cov_matrix[D] S;
}
parameters {
  vector[D] mu;
  real<lower=1> nu;
}
model {
  nu ~ gamma(2, 0.1);
  y ~ multi_student_t(nu, mu, S);
}
