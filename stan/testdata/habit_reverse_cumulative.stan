data {
  int<lower=2> K;
  int<lower=1> N;
  array[N] int<lower=1, upper=K> y;
}
parameters {
  vector[K - 1] stage;
}
transformed parameters {
  vector[K] p;
  real remaining = 1;
  for (k in 1:(K - 1)) {
    p[k] = remaining * inv_logit(stage[k]);
    remaining *= 1 - inv_logit(stage[k]);
  }
  p[K] = remaining;
}
model {
  stage ~ normal(0, 1);
  y ~ categorical(p);
}
