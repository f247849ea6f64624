data {
  int<lower=4> T;
  vector[T] y;
}
// data: {"T": 8}
parameters {
  vector[T] s;
  real<lower=0> tau;
  real<lower=0> sigma;
}
model {
  for (t in 4:T)
    s[t] ~ normal(-sum(s[(t - 3):(t - 1)]), tau);
  y ~ normal(s, sigma);
  tau ~ exponential(1);
  sigma ~ exponential(1);
}
