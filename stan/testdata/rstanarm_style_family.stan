functions {
  vector linkinv(vector eta, int link) {
    if (link == 1) return eta;
    else if (link == 2) return exp(eta);
    else if (link == 3) return inv(eta);
    else reject("Invalid link");
    return eta;
  }
}
data {
  int<lower=1> N;
  vector[N] x;
  vector<lower=0>[N] y;
  int<lower=1, upper=3> link;
}
parameters {
  real a;
  real b;
  real<lower=0> phi;
}
model {
  vector[N] mu = linkinv(a + b * x, link);
  if (link == 2) y ~ gamma(phi, phi ./ mu);
  else y ~ normal(mu, phi);
}
