data {
  int<lower=1> J;
  int<lower=1> K;
  int<lower=1> N;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=1, upper=K> kk;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real delta;
  array[J] real alpha;
  array[K] real beta;
}
model {
  alpha ~ std_normal();
  beta ~ std_normal();
  delta ~ normal(0.75, 1);
  for (n in 1:N)
    y[n] ~ bernoulli_logit(alpha[jj[n]] - beta[kk[n]] + delta);
}
