data {
  int<lower=1> K;
  int<lower=1> V;
  int<lower=0> M;
  int<lower=0> N;
  array[M] int<lower=1, upper=K> z;
  array[N] int<lower=1, upper=V> w;
  array[N] int<lower=1, upper=M> doc;
  vector<lower=0>[K] alpha;
  vector<lower=0>[V] beta;
}
parameters {
  simplex[K] theta;
  array[K] simplex[V] phi;
}
model {
  theta ~ dirichlet(alpha);
  for (k in 1:K)
    phi[k] ~ dirichlet(beta);
  for (m in 1:M)
    z[m] ~ categorical(theta);
  for (n in 1:N)
    w[n] ~ categorical(phi[z[doc[n]]]);
}
