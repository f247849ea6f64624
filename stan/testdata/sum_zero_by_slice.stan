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
  vector[n] other;
  row_vector[K] shifted;
  effect[1:(n - 1)] = free;
  for (i in 1:(n - 1)) other[i] = free[i] * i;
  other[n] = -sum(other[1:(n - 1)]);
  effect[n] = -sum(effect[1:(n - 1)]);
  shifted[2:K] = w[2:K]' * 2;
  shifted[1] = w[1] - mean(shifted[2:K]) * shifted[2];
}
model {
  free ~ normal(0, 1);
  w ~ normal(0, 1);
  y ~ normal(effect * shifted[1] + other, 1);
  target += -dot_self(shifted);
}
generated quantities {
  vector[K] rev;
  rev[2:K] = w[2:K];
  rev[1] = sum(rev[2:K]);
}
