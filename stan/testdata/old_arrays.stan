// The array syntax of older programs, with <- and increments of the density.
data {
  int N;
  int J;
  real y[N];
  int<lower=1, upper=J> g[N];
  vector[J] u[N];
}
parameters {
  real a[J];
  vector[J] w;
  real<lower=0> s[2];
}
model {
  real mu[N];
  for (n in 1:N) {
    mu[n] <- a[g[n]] + dot_product(u[n], w);
  }
  a ~ normal(0, s[1]);
  w ~ cauchy(0, 1);
  s ~ lognormal(0, 1);
  y ~ normal(mu, s[2]);
  increment_log_prob(-0.1 * square(sum(w)));
}
