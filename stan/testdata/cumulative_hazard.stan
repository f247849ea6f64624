data {
  int<lower=1> N;
  int<lower=1> T;
  array[N] int<lower=1, upper=T> last;
  array[N] int<lower=0, upper=1> event;
}
parameters {
  vector[T] logit_h;
}
model {
  logit_h ~ normal(-2, 1);
  for (n in 1:N) {
    for (t in 1:(last[n] - 1))
      target += log1m_inv_logit(logit_h[t]);
    target += bernoulli_logit_lpmf(event[n] | logit_h[last[n]]);
  }
}
