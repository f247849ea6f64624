data {
  int N;
  int n_state;
  int n_age;
  array[N] int<lower=1, upper=n_state> state;
  array[N] int<lower=1, upper=n_age> age;
  array[N] int<lower=0, upper=1> female;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[n_state] a;
  vector[n_age] b;
  vector[2] beta;
  real<lower=0, upper=100> sigma_a;
  real<lower=0, upper=100> sigma_b;
  real mu;
}
transformed parameters {
  vector[N] y_hat;
  for (i in 1:N)
    y_hat[i] = beta[1] + beta[2] * female[i] + a[state[i]] + b[age[i]];
}
model {
  a ~ normal(mu, sigma_a);
  b ~ normal(0, sigma_b);
  beta ~ normal(0, 100);
  mu ~ normal(0, 1);
  y ~ bernoulli_logit(y_hat);
}
