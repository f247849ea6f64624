data {
  int<lower=1> N;
  int<lower=1> E;
  array[2, E] int<lower=1, upper=N> edges;
  vector[N] y;
}
parameters {
  vector[N] phi;
  real<lower=0> tau;
}
model {
  target += 0.5 * N * log(tau) - 0.5 * tau * dot_self(phi[edges[1]] - phi[edges[2]]);
  y ~ normal(phi, 1);
  tau ~ gamma(1, 1);
}
