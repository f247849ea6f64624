// data: {"N": 4, "y": [0.5, 1.2, -0.3, 0.8]}
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  for (n in 1:N) {
    if (y[n] < 0)
      break;
    y[n] ~ normal(mu, 1);
  }
}
