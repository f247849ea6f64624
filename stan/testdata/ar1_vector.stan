data {
  int<lower=2> N;
  vector[N] y;
}
parameters {
  real alpha;
  real<lower=-1, upper=1> beta;
  real<lower=0> sigma;
}
model {
  beta ~ normal(0.5, 0.3);
  y[2:N] ~ normal(alpha + beta * y[1:(N - 1)], sigma);
}
