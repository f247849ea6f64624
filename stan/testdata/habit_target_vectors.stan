data {
  int<lower=1> N;
  vector[N] y;
  vector[N] w;
}
parameters {
  real mu;
}
model {
  vector[N] ll;
  for (n in 1:N)
    ll[n] = normal_lpdf(y[n] | mu, 1) * w[n];
  target += ll;
  target += normal_lpdf(mu | 0, 2);
}
