data {
  int<lower=1> K;
  int<lower=2> T;
  array[T] int<lower=1, upper=K> w;
  vector<lower=0>[K] alpha;
}
transformed data {
  array[K, K] int<lower=0> trans;
  for (k1 in 1:K)
    for (k2 in 1:K)
      trans[k1, k2] = 0;
  for (t in 2:T)
    trans[w[t - 1], w[t]] += 1;
}
parameters {
  array[K] simplex[K] theta;
}
model {
  for (k in 1:K)
    theta[k] ~ dirichlet(alpha);
  for (k in 1:K)
    trans[k] ~ multinomial(theta[k]);
}
