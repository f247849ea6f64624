// Pairs of players: the logarithm of odds is the difference of strengths.
data {
  int<lower=0> K;
  int<lower=0> N;
  array[N] int<lower=1, upper=K> player1;
  array[N] int<lower=1, upper=K> player0;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K - 1] alpha_free;
  real<lower=0> sigma;
}
transformed parameters {
  vector[K] alpha = append_row(alpha_free, -sum(alpha_free));
}
model {
  sigma ~ lognormal(0, 0.5);
  alpha_free ~ normal(0, sigma);
  y ~ bernoulli_logit(alpha[player1] - alpha[player0]);
}
generated quantities {
  array[K] int<lower=1, upper=K> ranked = sort_indices_desc(alpha);
}
