data {
  int<lower=0> N;
  int<lower=0> P;
  matrix[N, P] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[P] z;
  vector<lower=0>[P] lambda;
  real<lower=0> tau;
  real<lower=0> caux;
  real<lower=0> sigma;
}
transformed parameters {
  real c = 2 * sqrt(caux);
  vector[P] lambda_tilde = sqrt(c^2 * square(lambda) ./ (c^2 + tau^2 * square(lambda)));
  vector[P] beta = z .* lambda_tilde * tau;
}
model {
  z ~ std_normal();
  lambda ~ student_t(1, 0, 1);
  tau ~ student_t(1, 0, 0.1);
  caux ~ inv_gamma(2, 2);
  alpha ~ normal(0, 2);
  sigma ~ exponential(1);
  y ~ normal_id_glm(X, alpha, beta, sigma);
}
