// Capture and recapture; whether an animal exists is summed out.
data {
  int<lower=0> M;
  int<lower=0> T;
  int<lower=0, upper=1> y[M, T];
}
transformed data {
  int<lower=0, upper=T> s[M];
  for (i in 1:M) s[i] = sum(y[i]);
}
parameters {
  real<lower=0, upper=1> omega;
  real<lower=0, upper=1> p;
}
model {
  for (i in 1:M) {
    if (s[i] > 0)
      target += bernoulli_lpmf(1 | omega) + binomial_lpmf(s[i] | T, p);
    else
      target += log_sum_exp(bernoulli_lpmf(1 | omega) + binomial_lpmf(0 | T, p),
                            bernoulli_lpmf(0 | omega));
  }
}
