data {
  int<lower=0> J;
}
parameters {
  real mu;
  vector<lower=0>[J] theta;
}
model {
  mu ~ normal(0, 1);
  theta ~ normal(mu, 2);
}
