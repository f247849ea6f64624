data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=1> N;
  array[N] int<lower=1, upper=I> ii;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector<lower=0>[I] alpha;
  vector[I] beta;
  vector[J] theta;
  real mu_beta;
  real<lower=0> sigma_beta;
}
model {
  vector[N] eta;
  alpha ~ lognormal(0.5, 1);
  beta ~ normal(mu_beta, sigma_beta);
  theta ~ normal(0, 1);
  mu_beta ~ cauchy(0, 5);
  sigma_beta ~ cauchy(0, 5);
  for (n in 1:N)
    eta[n] = alpha[ii[n]] * (theta[jj[n]] - beta[ii[n]]);
  y ~ bernoulli_logit(eta);
}
