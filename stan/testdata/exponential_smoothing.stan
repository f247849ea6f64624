data {
  int<lower=3> T;
  vector[T] y;
}
parameters {
  real<lower=0, upper=1> alpha;
  real<lower=0, upper=1> beta;
  real l0;
  real b0;
  real<lower=0> sigma;
}
model {
  real level = l0;
  real trend = b0;
  for (t in 1:T) {
    real prev = level;
    y[t] ~ normal(level + trend, sigma);
    level = alpha * y[t] + (1 - alpha) * (level + trend);
    trend = beta * (level - prev) + (1 - beta) * trend;
  }
}
