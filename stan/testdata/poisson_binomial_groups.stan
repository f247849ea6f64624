// bound: E0811
// The totals of groups of different sizes, each by a sweep downwards through an array.
functions {
  real total_lpmf(int y, vector log_p, vector log_1mp) {
    int n = rows(log_p);
    vector[n + 1] alpha;
    alpha[1] = 0;
    for (i in 1:n) {
      alpha[i + 1] = alpha[i] + log_p[i];
      for (back in 1:(i - 1)) {
        int j = i - back + 1;
        alpha[j] = log_sum_exp(alpha[j] + log_1mp[i], alpha[j - 1] + log_p[i]);
      }
      alpha[1] += log_1mp[i];
    }
    return alpha[y + 1];
  }
}
data {
  int<lower=1> G;
  int<lower=1> N;
  array[G] int<lower=1> size;
  array[G] int<lower=0> y;
  vector[N] x;
}
// data: {"G": 2, "N": 7, "size": [3, 4], "y": [1, 4]}
parameters {
  real a;
  real b;
}
model {
  int at = 1;
  vector[N] eta = a + b * x;
  for (g in 1:G) {
    y[g] ~ total(log_inv_logit(segment(eta, at, size[g])), log1m_inv_logit(segment(eta, at, size[g])));
    at += size[g];
  }
  a ~ normal(0, 1);
  b ~ normal(0, 1);
}
