data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  if (s > 100)
    reject("s is too large: ", s);
  print("mu = ", mu);
  y ~ normal(mu, s);
}
