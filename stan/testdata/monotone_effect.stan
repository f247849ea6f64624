data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] int<lower=1, upper=K> x;
  vector[N] y;
}
parameters {
  real b;
  simplex[K - 1] delta;
  real<lower=0> s;
}
transformed parameters {
  vector[K] d;
  d[1] = 0;
  for (k in 2:K)
    d[k] = sum(delta[1:(k - 1)]);
}
model {
  delta ~ dirichlet(rep_vector(2, K - 1));
  for (n in 1:N)
    y[n] ~ normal(b * d[x[n]], s);
}
