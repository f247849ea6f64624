// The last entry of a vector is made of those that were assigned as a slice before it.
data {
  int<lower=2> n;
  int<lower=3> K;
  array[n] real y;
}
parameters {
  vector[n - 1] free;
  vector[K] w;
}
transformed parameters {
  vector[n] effect;
  row_vector[K] shifted;
  effect[1:(n - 1)] = free;
  effect[n] = -sum(effect[1:(n - 1)]);
  shifted[2:K] = w[2:K]' * 2;
  shifted[1] = w[1] - mean(shifted[2:K]) * shifted[2];
}
model {
  free ~ normal(0, 1);
  w ~ normal(0, 1);
  y ~ normal(effect * shifted[1], 1);
  target += -dot_self(shifted);
}
generated quantities {
  vector[K] rev;
  rev[2:K] = w[2:K];
  rev[1] = sum(rev[2:K]);
}
