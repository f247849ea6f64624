data {
  int N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real alpha;
  real beta;
  real<lower=1> nu;
  real<lower=0> sigma;
}
model {
  nu ~ gamma(2, 0.1);
  y ~ student_t(nu, alpha + beta * x, sigma);
}
