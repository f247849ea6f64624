data {
  int<lower=0> N_e;
  int<lower=0> N_c;
  int<lower=0> K;
  vector<lower=0>[N_e] t_e;
  vector<lower=0>[N_c] t_c;
  matrix[N_e, K] x_e;
  matrix[N_c, K] x_c;
}
parameters {
  vector[K] gamma;
}
model {
  gamma ~ normal(0, 2);
  t_e ~ exponential(exp(x_e * gamma));
  target += exponential_lccdf(t_c | exp(x_c * gamma));
}
