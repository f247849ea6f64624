// The total of outcomes with different probabilities, by a sweep downwards through one array.
data {
  int<lower=1> n;
  int<lower=0, upper=n> y;
  vector[n] x;
}
// data: {"n": 5}
parameters {
  real a;
  real b;
}
model {
  vector[n + 1] alpha;
  vector[n] log_p = log_inv_logit(a + b * x);
  vector[n] log_1mp = log1m_inv_logit(a + b * x);
  alpha[1] = 0;
  for (i in 1:n) {
    alpha[i + 1] = alpha[i] + log_p[i];
    for (j_rev in 1:(i - 1)) {
      int j = i - j_rev + 1;
      alpha[j] = log_sum_exp(alpha[j] + log_1mp[i], alpha[j - 1] + log_p[i]);
    }
    alpha[1] += log_1mp[i];
  }
  target += alpha[y + 1];
  a ~ normal(0, 1);
  b ~ normal(0, 1);
}
