data {
  int<lower=2> K;
  int<lower=1> N;
  array[N, K] int<lower=0> y;
}
parameters {
  vector<lower=0>[K] alpha;
}
model {
  alpha ~ gamma(2, 1);
  for (n in 1:N)
    y[n] ~ dirichlet_multinomial(alpha);
}
