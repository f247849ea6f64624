functions {
  real f(real x) { return x * 2; }
  vector f(vector x) { return x * 3; }
  real loglik_lpdf(vector y, vector mu, real s) { return normal_lpdf(y | mu, s); }
  real shrink_lp(vector x) {
    x ~ normal(0, 1);
    return sum(x);
  }
}
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  vector[N] u;
  real a;
}
model {
  real total = shrink_lp(u);
  a ~ normal(total, 1);
  y ~ loglik(f(u) + f(a), 1.5);
}
