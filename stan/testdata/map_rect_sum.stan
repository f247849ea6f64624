// data: {"S": 3, "M": 4}
functions {
  vector shard_lp(vector phi, vector theta, data array[] real x, data array[] int y) {
    return [normal_lpdf(x | phi[1] + theta[1], phi[2]) + bernoulli_logit_lpmf(y | theta[2])]';
  }
}
data { int S; int M; array[S, M] real x; array[S, M] int<lower=0, upper=1> y; }
parameters { real a; real<lower=0> s; array[S] vector[2] theta; }
model {
  a ~ normal(0, 1);
  s ~ exponential(1);
  for (k in 1:S) theta[k] ~ normal(0, 2);
  target += sum(map_rect(shard_lp, [a, s]', theta, x, y));
}
