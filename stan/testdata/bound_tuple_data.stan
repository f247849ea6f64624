// bound: E0806
// data: {"N": 3, "d": {"1": [1.0, 2.0, 0.5], "2": 2}}
data {
  int N;
  tuple(vector[N], int) d;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  mu ~ normal(0, d.2);
  s ~ exponential(1);
  d.1 ~ normal(mu, s);
}
